/** A typed client of the API, read from the registry; it runs wherever there is `fetch`. */
import type * as z from 'zod';
import type { ErrorCode } from './errors.ts';
import type { OperationContract } from './operation.ts';
import { type OperationId, type Registry, registry } from './registry.ts';

/** A refusal: what its envelope says, and the headers that came with it (`Retry-After`, `X-Request-Id`, …). */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: ErrorCode;
  readonly headers: Headers;
  constructor({ status, headers }: Response, { code, message }: { code: ErrorCode; message: string }) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

export interface Answer<Status extends number, Data> {
  readonly status: Status;
  readonly headers: Headers;
  readonly data: Data;
}

type Sent<Schema> = Schema extends z.ZodType ? z.input<Schema> : never;
type Answered<Schema> = Schema extends z.ZodType ? z.output<Schema> : never;

/** Where any text goes, a number can be given as one. */
type Query<Values> = {
  readonly [Name in keyof Values]: Values[Name] | (string extends Values[Name] ? number : never);
};

type Request<Contract> = { readonly [Part in keyof Contract & ('params' | 'body')]: Sent<Contract[Part]> } & {
  readonly [Part in keyof Contract & 'query']?: Query<Sent<Contract[Part]>>;
} & { readonly headers?: Readonly<Record<string, string>>; readonly idempotencyKey?: string };

type Given<Contract> = Contract extends { readonly params: unknown } | { readonly body: unknown }
  ? [request: Request<Contract>]
  : [request?: Request<Contract>];

/** Calls an operation; where it knows dry runs, `dryRun` asks what the same call would cost. @throws {ApiError} */
type Call<Contract extends OperationContract> = ((
  ...given: Given<Contract>
) => Promise<Answer<Contract['success']['status'], Answered<Contract['success']['data']>>>) &
  (Contract extends { readonly dryRun: infer Data }
    ? { readonly dryRun: (...given: Given<Contract>) => Promise<Answer<200, Answered<Data>>> }
    : unknown);

export type Client = { readonly [Id in OperationId]: Call<Registry[Id]> };

export interface ClientOptions {
  /** Where the service is reached: `https://api.example.com`. */
  readonly baseUrl: string;
  /** Only public operations do without. */
  readonly token?: string;
  readonly fetch?: typeof globalThis.fetch;
}

interface AnyRequest extends Request<unknown> {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: unknown;
}

function urlOf(baseUrl: string, { path }: OperationContract, { params = {}, query = {} }: AnyRequest): URL {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const url = new URL(baseUrl.replace(/\/+$/, '') + filled);
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, String(value));
  return url;
}

const headersOf = (
  token: string | undefined,
  { body, headers, idempotencyKey }: AnyRequest,
): Record<string, string> => ({
  ...(token !== undefined && { Authorization: `Bearer ${token}` }),
  ...(body !== undefined && { 'Content-Type': 'application/json' }),
  ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
  ...headers,
});

type Envelope = { success: true; data: unknown } | { success: false; error: { code: ErrorCode; message: string } };

async function read(response: Response): Promise<Answer<number, unknown>> {
  const { headers, status } = response;
  if (!headers.get('content-type')?.startsWith('application/json')) {
    throw new Error(`status ${status} without JSON: something else than the service answered`);
  }
  const envelope = (await response.json()) as Envelope;
  if (!envelope.success) throw new ApiError(response, envelope.error);
  return { status, headers, data: envelope.data };
}

/** One function for each operation, by operationId. */
export function client({ baseUrl, token, fetch = globalThis.fetch }: ClientOptions): Client {
  const call = (contract: OperationContract) => {
    const send = async (request: AnyRequest = {}) => {
      const body = request.body === undefined ? undefined : JSON.stringify(request.body);
      const init = { method: contract.method, headers: headersOf(token, request), ...(body !== undefined && { body }) };
      return read(await fetch(urlOf(baseUrl, contract, request), init));
    };
    const dryRun = (request: AnyRequest = {}) =>
      send({ ...request, headers: { ...request.headers, 'X-Dry-Run': 'true' } });
    return Object.assign(send, contract.dryRun && { dryRun });
  };
  const calls = Object.entries<OperationContract>(registry).map(([id, contract]) => [id, call(contract)]);
  return Object.fromEntries(calls) as Client;
}
