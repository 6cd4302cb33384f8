/** Sends requests to Stripe's API without a client library, with the API version that this adapter is written for. */
import * as z from 'zod';
import type { Clock } from '../../platform/clock.ts';
import { authorizedHeaders, exchange, exchangeLimit, type GatewayResponse } from '../exchange.ts';
import { parseResponse, UnexpectedResponse } from '../parse-response.ts';

const version = '2026-10-28.endive';

export interface StripeServer {
  /** The base URL, `https://api.stripe.com`; the key is sent nowhere else. */
  readonly url: string;
  /** The key is read at each use, so that a changed key needs no restart. */
  readonly key: () => Promise<string>;
  readonly clock: Clock;
  /** The time limit of an exchange. Default: 10 s. */
  readonly timeLimitMs?: number;
}

/** Parameters, which Stripe's API nests as `a[b][0][c]`. */
export interface Parameters {
  readonly [name: string]: string | number | boolean | Parameters | readonly (string | Parameters)[];
}

interface Request {
  readonly method?: 'POST' | 'DELETE';
  readonly parameters?: Parameters;
  readonly idempotencyKey?: string;
}

const pageSize = 100;

function* pairsOf(parameters: object, nested: (name: string) => string): Generator<[string, string]> {
  for (const [name, value] of Object.entries(parameters) as [string, unknown][]) {
    const path = nested(name);
    if (typeof value === 'object' && value !== null) yield* pairsOf(value, (inner) => `${path}[${inner}]`);
    else yield [path, String(value)];
  }
}

const formOf = (parameters: Parameters): string =>
  new URLSearchParams([...pairsOf(parameters, (name) => name)]).toString();

const said = z.unknown().optional();
const Failure = z.object({ error: z.object({ type: said, code: said, param: said }) });

/** The error's type and codes; its message may quote the payer and is ignored. */
export function errorIn({ body }: GatewayResponse): readonly string[] {
  const { error } = Failure.safeParse(body).data ?? {};
  return [error?.type, error?.code, error?.param].filter(
    (one): one is string => typeof one === 'string' && /^[\w[\]]{1,80}$/.test(one),
  );
}

export const unexpected = (act: string, response: GatewayResponse): Error =>
  new UnexpectedResponse(`Stripe responded with ${[response.status, ...errorIn(response)].join(', ')} to ${act}`);

export const parseStripe = <Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> =>
  parseResponse('Stripe', schema, value);

const Page = z.object({ data: z.array(z.unknown()).max(pageSize), has_more: z.boolean() });
const Listed = z.object({ id: z.string().min(1) });

export interface StripeClient {
  now(): number;
  /** Sends a request and returns any response. */
  send(path: string, request?: Request): Promise<GatewayResponse>;
  /** Reads an object; undefined if it does not exist. @throws {Error} */
  find<Schema extends z.ZodType>(schema: Schema, path: string): Promise<z.output<Schema> | undefined>;
  /**
   * Yields all objects of a list, usually newest first. @throws {Error} also if it has more than `maxPages` pages of
   * 100
   */
  list(path: string, filter: Parameters, maxPages?: number): AsyncGenerator<unknown, void>;
}

interface Limits {
  /** Limits all exchanges together. */
  readonly deadline?: AbortSignal;
  /** Called before each exchange; if it throws, the exchange is not started. */
  readonly before?: () => void;
}

/** Creates the client. Errors never quote the key or payers. */
export function stripeClient(
  { url, key, clock, timeLimitMs = 10_000 }: StripeServer,
  { deadline, before }: Limits = {},
): StripeClient {
  async function send(path: string, { method, parameters, idempotencyKey }: Request = {}) {
    before?.();
    const form = parameters && formOf(parameters);
    return exchange(`${url}${path}${form && !method ? `?${form}` : ''}`, {
      method: method ?? 'GET',
      headers: authorizedHeaders('Stripe', await key(), {
        'Stripe-Version': version,
        ...(method === 'POST' && { 'Content-Type': 'application/x-www-form-urlencoded' }),
        ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
      }),
      signal: exchangeLimit(timeLimitMs, deadline),
      ...(method === 'POST' && { body: form ?? '' }),
    });
  }

  return {
    send,
    now: () => clock.now(),

    async find(schema, path) {
      const response = await send(path);
      if (response.status === 404) return undefined;
      if (response.status !== 200) throw unexpected('a request for an object', response);
      return parseStripe(schema, response.body);
    },

    async *list(path, filter, maxPages = 10) {
      let after: string | undefined;
      for (let page = 0; page < maxPages; page += 1) {
        const cursor = after === undefined ? {} : { starting_after: after };
        const response = await send(path, { parameters: { ...filter, limit: pageSize, ...cursor } });
        if (response.status !== 200) throw unexpected('a request for a list', response);
        const { data, has_more: hasMore } = parseStripe(Page, response.body);
        yield* data;
        if (!hasMore) return;
        const { id } = parseStripe(Listed, data.at(-1));
        if (id === after) throw new UnexpectedResponse('Stripe returned the same page of a list twice');
        after = id;
      }
      throw new UnexpectedResponse(`Stripe lists more than ${maxPages * pageSize} objects`);
    },
  };
}
