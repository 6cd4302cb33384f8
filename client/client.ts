/** A typed client of the Generation Service API that retries, keeps to the rate limit and waits for tasks. */
import type { AnyRequest, Calls } from './call.ts';
import { type Clock, systemClock } from './clock.ts';
import { eachRow } from './each-row.ts';
import { type ApiResponse, unwrap } from './envelope.ts';
import { operations } from './operations.ts';
import { pollHints } from './poll-hints.ts';
import { rateLimiter } from './rate-limiter.ts';
import { type Route, routeOf, urlOf } from './route.ts';
import { type SendingLimits, sender } from './sender.ts';
import { type TaskWaiter, taskWaiter } from './task-waiter.ts';
import { fileUploader, type UploadFile } from './upload-file.ts';

export type { AnyRequest, CallOptions, OperationId } from './call.ts';
export type { Clock } from './clock.ts';
export type { ApiResponse } from './envelope.ts';
export {
  ApiError,
  CallError,
  ConnectionError,
  TaskFailedError,
  TimeoutError,
  UnexpectedResponseError,
} from './errors.ts';
export type * from './operations.ts';
export type { TaskWaiter, WaitOptions, WaitProgress } from './task-waiter.ts';
export type { UploadFile, UploadOptions } from './upload-file.ts';
export type { UploadContent } from './upload-source.ts';

export interface ClientOptions extends SendingLimits {
  /** The base URL of the service, such as `https://api.example.com`. */
  readonly baseUrl: string;
  /** The API token; required for all operations except the public ones. */
  readonly token?: string | undefined;
  readonly fetch?: typeof globalThis.fetch;
  /** Replaces the clock and the random numbers, for tests. */
  readonly clock?: Clock;
}

/** One function for each operation, by operationId, and functions for tasks that take several calls. */
export type Client = Calls & TaskWaiter & { readonly files: { readonly upload: UploadFile } };

function headersOf(token: string | undefined, { kind }: Route, request: AnyRequest, isDryRun: boolean): Headers {
  const { body, idempotencyKey, headers } = request;
  const takesKey = kind === 'key' || kind === 'paid';
  const key = idempotencyKey ?? (takesKey && !isDryRun && crypto.randomUUID());
  return new Headers({
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(key !== false && { 'idempotency-key': key }),
    ...(isDryRun && { 'x-dry-run': 'true' }),
    ...headers,
  });
}

/** A client. Its calls share the rate limit and the budget of retries, so use one client for each token. */
export function client({
  baseUrl,
  token,
  fetch = globalThis.fetch,
  clock = systemClock,
  ...limits
}: ClientOptions): Client {
  // The global function is wrapped: called as a member of options, it would have another `this`, which some runtimes
  // reject.
  const send = sender((...given) => fetch(...given), clock, rateLimiter(clock), limits);
  const hints = pollHints(clock);

  const call = async (route: Route, request: AnyRequest, isDryRun = false): Promise<ApiResponse<number, unknown>> => {
    const { kind, method } = route;
    const headers = headersOf(token, route, request, isDryRun);
    const response = await send({
      ...request,
      method,
      url: urlOf(baseUrl, route.path, request),
      headers,
      // JSON.stringify returns undefined for a request without a body.
      body: JSON.stringify(request.body),
      isRepeatable: method !== 'POST' || kind === 'safe' || isDryRun || headers.has('idempotency-key'),
      isLimited: token !== undefined && kind !== 'open',
      read: unwrap,
    });
    hints.keep(response);
    return response;
  };
  const callOf = (text: string) => {
    const route = routeOf(text);
    const { kind, paging } = route;
    return Object.assign((request: AnyRequest = {}) => call(route, request), {
      ...(kind === 'paid' && { dryRun: (request: AnyRequest = {}) => call(route, request, true) }),
      ...(kind === 'rows' && {
        each: (request?: AnyRequest) => eachRow((page) => call(route, page), paging, request),
      }),
    });
  };
  const calls = Object.fromEntries(
    Object.entries(operations).map(([id, text]) => [id, callOf(text)]),
  ) as unknown as Calls;
  return {
    ...calls,
    ...taskWaiter(calls, clock, hints.msOf),
    files: { upload: fileUploader(calls, send) },
  };
}
