/** Sends requests to the Graph API for one page, without a client library. */
import * as z from 'zod';
import type { Clock } from '../../platform/clock.ts';
import { authorizedHeaders, exchange, exchangeLimit, type GatewayResponse } from '../exchange.ts';
import { longestList } from '../outside-fields.ts';
import { NetworkFault, type Page, type PageAccess } from '../social-network.ts';
import { faultOf, lostFault, type RequestKind } from './graph-fault.ts';
import { usageLimits } from './graph-usage.ts';

export interface GraphServer {
  /** The base URL without a trailing slash; tokens are sent nowhere else. */
  readonly url: (access: Pick<PageAccess, 'channel' | 'network'>) => string;
  /** The version of the API, such as `v24.0`. */
  readonly version: () => string;
  readonly clock: Clock;
  /** The time limit of an exchange. Default: 10 s. */
  readonly timeLimitMs?: number;
}

/** Access for a request, without a page id if the request determines which page a token belongs to. */
type GraphAccess = Omit<PageAccess, 'pageId'> & Partial<Pick<PageAccess, 'pageId'>>;

export interface GraphRequest {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly form?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly isAboutPage?: boolean;
  /** Whether to skip the request when the rate limits are half used. */
  readonly isOptional?: boolean;
}

export const networkNames = { instagram: 'Instagram', facebook: 'Facebook' } as const;

/** A cursor is stored while a list is read, so one that could not be stored makes the list unreadable. */
const cursors = z
  .object({
    after: z
      .string()
      .regex(/^[\x21-\x7e]{0,4000}$/)
      .optional(),
  })
  .optional();
/** Only the presence of `next` matters: its URL contains the request's token. */
const Paging = z.object({ next: z.string().optional(), cursors }).optional();

export const List = z.object({ data: z.array(z.unknown()).max(longestList), paging: Paging });

const Done = z.object({ success: z.literal(true) });

function bodyOf({ form, json }: GraphRequest): { readonly type?: string; readonly body?: string } {
  if (json !== undefined) return { type: 'application/json', body: JSON.stringify(json) };
  if (!form) return {};
  return { type: 'application/x-www-form-urlencoded', body: new URLSearchParams(form).toString() };
}

const isRead = ({ method = 'GET' }: GraphRequest): boolean => method === 'GET';

/** The cursor of the next page; undefined if there is none. */
export const cursorIn = ({ paging }: z.infer<typeof List>): string | undefined =>
  paging?.next === undefined ? undefined : paging.cursors?.after;

const Identified = z.object({ id: z.string().min(1) });

/** Parses each object of a list, so that an invalid one does not affect the others. */
export function readEach<Item>(
  data: readonly unknown[],
  read: (one: unknown) => Item | undefined,
): Pick<Page<Item>, 'items' | 'unreadable'> {
  const all = data.map((one) => ({ item: read(one), id: Identified.safeParse(one).data?.id }));
  return {
    items: all.map(({ item }) => item).filter((item) => item !== undefined),
    unreadable: all.flatMap(({ item, id }) => (item === undefined && id !== undefined ? [id] : [])),
  };
}

function sender(server: GraphServer) {
  return async (access: GraphAccess, request: GraphRequest, kind: RequestKind): Promise<GatewayResponse> => {
    const { method = 'GET', path, query } = request;
    const { type, body } = bodyOf(request);
    const name = networkNames[access.channel];
    // Meta's tokens contain only printable ASCII.
    if (!/^[\x21-\x7e]+$/.test(access.accessToken))
      throw new NetworkFault('revoked', `the token of ${name} is malformed`);
    const headers = authorizedHeaders(name, access.accessToken, type === undefined ? {} : { 'Content-Type': type });
    const search = query ? `?${new URLSearchParams(query).toString()}` : '';
    const signal = exchangeLimit(server.timeLimitMs ?? 10_000, access.deadline);
    const url = `${server.url(access)}/${server.version()}${path}${search}`;
    try {
      return await exchange(url, { method, headers, signal, ...(body !== undefined && { body }) });
    } catch (error) {
      throw lostFault(name, error, kind);
    }
  };
}

/** Creates the function that sends requests. @throws {NetworkFault} whose message quotes neither tokens nor texts */
function asker(server: GraphServer) {
  const usage = usageLimits(server.clock);
  const send = sender(server);
  return async <Schema extends z.ZodType>(
    access: GraphAccess,
    request: GraphRequest,
    schema: Schema,
  ): Promise<z.output<Schema>> => {
    const { channel, network, pageId } = access;
    const name = networkNames[channel];
    const app = `${network} ${channel}`;
    const page = pageId === undefined ? undefined : `${app} ${pageId}`;
    const kind = { isWrite: !isRead(request), isAboutPage: request.isAboutPage === true };
    const seconds = kind.isWrite || access.isAwaited ? 0 : usage.secondsLeft(app, page, request.isOptional === true);
    if (seconds > 0)
      throw new NetworkFault('throttled', `${name} is close to a rate limit`, { retryAfterSeconds: seconds });
    const response = await send(access, request, kind);
    const fault = response.status === 200 ? undefined : faultOf(name, response, kind);
    usage.record(app, page, response.headers, fault?.reason === 'throttled');
    if (fault) throw fault;
    const { data, error } = schema.safeParse(response.body);
    if (!error) return data;
    const reason = kind.isWrite ? 'unknown-outcome' : 'unavailable';
    throw new NetworkFault(reason, `the response of ${name} cannot be read`);
  };
}

/** Creates the client, whose functions throw only {@link NetworkFault}. */
export function graphClient(server: GraphServer) {
  const ask = asker(server);
  return {
    ask,
    now: () => server.clock.now(),

    /** Sends a request whose response only reports success. */
    async perform(access: PageAccess, request: GraphRequest): Promise<void> {
      await ask(access, request, Done);
    },

    async list<Item>(
      access: PageAccess,
      request: GraphRequest,
      cursor: string | undefined,
      read: (one: unknown) => Item | undefined,
    ): Promise<Page<Item>> {
      const query = { ...request.query, ...(cursor !== undefined && { after: cursor }) };
      const found = await ask(access, { ...request, query }, List);
      const next = cursorIn(found);
      return { ...readEach(found.data, read), ...(next !== undefined && { next }) };
    },
  };
}

export type GraphClient = ReturnType<typeof graphClient>;
