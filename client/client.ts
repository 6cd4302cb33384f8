/** A typed client of the Generation Service API; it needs only `fetch` and has no dependencies. */
import { type ErrorCode, type Operations, operations } from './operations.ts';

export type * from './operations.ts';

/** An error response: its code and message, and the response's headers (`Retry-After`, `X-Request-Id`, …). */
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

export interface ApiResponse<Status extends number, Data> {
  readonly status: Status;
  readonly headers: Headers;
  readonly data: Data;
}

export type OperationId = keyof Operations;

/** Request values, in which undefined members are not sent. */
type Sent<Values> = {
  readonly [Name in keyof Values]: Values[Name] | (undefined extends Values[Name] ? undefined : never);
};
type Query<Values> = { readonly [Name in keyof Values]?: Values[Name] | undefined };

type Request<Operation> = {
  readonly [Part in keyof Operation & 'params']: Operation[Part];
} & {
  readonly [Part in keyof Operation & 'body']: Sent<Operation[Part]>;
} & {
  readonly [Part in keyof Operation & 'query']?: Query<Operation[Part]>;
} & { readonly headers?: Readonly<Record<string, string>>; readonly idempotencyKey?: string };

type Given<Operation> = Operation extends { params: unknown } | { body: unknown }
  ? [request: Request<Operation>]
  : [request?: Request<Operation>];

/** Calls an operation; `dryRun` of a generation returns what the same call would cost. @throws {ApiError} */
type Call<Operation extends { status: number; data: unknown }> = ((
  ...given: Given<Operation>
) => Promise<ApiResponse<Operation['status'], Operation['data']>>) &
  (Operation extends { dryRun: infer Data }
    ? { readonly dryRun: (...given: Given<Operation>) => Promise<ApiResponse<200, Data>> }
    : unknown);

export type Client = { readonly [Id in OperationId]: Call<Operations[Id]> };

export interface ClientOptions {
  /** The base URL of the service, such as `https://api.example.com`. */
  readonly baseUrl: string;
  /** The API token; required for all operations except the public ones. */
  readonly token?: string | undefined;
  readonly fetch?: typeof globalThis.fetch;
}

interface AnyRequest {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly idempotencyKey?: string;
}

function urlOf(baseUrl: string, path: string, { params = {}, query = {} }: AnyRequest): URL {
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

async function read(response: Response): Promise<ApiResponse<number, unknown>> {
  const { headers, status } = response;
  if (!headers.get('content-type')?.startsWith('application/json')) {
    throw new Error(`The response with status ${status} is not JSON, so it did not come from the service.`);
  }
  const envelope = (await response.json()) as Envelope;
  if (!envelope.success) throw new ApiError(response, envelope.error);
  return { status, headers, data: envelope.data };
}

/** One function for each operation, by operationId. */
export function client({ baseUrl, token, fetch = globalThis.fetch }: ClientOptions): Client {
  const call = (operation: (typeof operations)[OperationId]) => {
    const [method = '', path = '', ...abilities] = operation.split(' ');
    const send = async (request: AnyRequest = {}) => {
      const body = request.body === undefined ? undefined : JSON.stringify(request.body);
      const init = { method, headers: headersOf(token, request), ...(body !== undefined && { body }) };
      return read(await fetch(urlOf(baseUrl, path, request), init));
    };
    const dryRun = (request: AnyRequest = {}) =>
      send({ ...request, headers: { ...request.headers, 'X-Dry-Run': 'true' } });
    return Object.assign(send, abilities.includes('dry-run') && { dryRun });
  };
  const calls = Object.entries(operations).map(([id, operation]) => [id, call(operation)]);
  return Object.fromEntries(calls) as Client;
}
