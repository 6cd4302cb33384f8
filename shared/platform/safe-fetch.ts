/**
 * The only way to request a URL that a client provides: validated, resolved once, pinned to the checked address, and
 * limited in time and size.
 */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { BodyStalled, boundedBody } from './bounded-body.ts';
import { type Connect, connectTcp, dialAddress, secureSocket } from './dial-address.ts';
import { growingBlock } from './growing-block.ts';
import { TooManyBytes } from './limit-bytes.ts';
import { requestUrl, validateHeaders } from './request-url.ts';
import { type Resolve, systemResolve } from './resolve-name.ts';
import { type TimeBudget, timeBudget } from './time-budget.ts';
import { untilAborted } from './until-aborted.ts';
import { isPublicAddress, literalAddresses, parseUserUrl, type UrlPolicy } from './url-policy.ts';

/** Why an allowed address yielded no response; safe to show, because it names no address. */
export type OutboundFailureReason =
  | 'invalid-request'
  | 'timeout'
  | 'dns'
  | 'connection'
  | 'tls'
  | 'protocol'
  | 'too-large'
  | 'redirect'
  /** The file changed between requests for two of its parts. */
  | 'changed';

/**
 * The URL, or one that it redirects to, is not allowed. The message is constant, so that it cannot be used to map a
 * network.
 */
export class OutboundRejected extends Error {
  override readonly name = 'OutboundRejected';
  constructor() {
    super('the address is not allowed');
  }
}

export class OutboundFailed extends Error {
  override readonly name = 'OutboundFailed';
  readonly reason: OutboundFailureReason;
  constructor(reason: OutboundFailureReason) {
    super(`the outbound request failed: ${reason}`);
    this.reason = reason;
  }
}

export interface OutboundRequest {
  readonly method: 'GET' | 'POST';
  /**
   * Request headers; those that control the host, the connection or framing cannot be set. After a redirect to another
   * origin, only harmless ones are kept.
   */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /**
   * The total time limit: name resolution, connections, TLS, response heads, redirects and the body, but not
   * `beforeSend`.
   */
  readonly timeoutMs: number;
  /** The longest pause within the body; if absent, only the total limit applies. */
  readonly idleMs?: number;
  /** The size limit of the body, counted as it arrives, whatever length the response declares. */
  readonly maxResponseBytes: number;
  /** Whether a body beyond the limit, declared or counted, fails the call or is truncated. */
  readonly onOverflow: 'fail' | 'truncate';
  /** The most redirects to follow, for GET requests only; with 0, a redirect is returned as a response. */
  readonly maxRedirects: number;
  /** Runs on every connection before the first byte of the request. If it throws, the call ends with that error. */
  readonly beforeSend?: () => Promise<void>;
}

interface ResponseHead {
  readonly status: number;
  /** Response headers by lower-case name; repeated headers are joined with commas. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * A response whose body has not been read yet. The connection stays open until the body ends, fails, is abandoned or is
 * closed.
 */
export interface OutboundStream extends ResponseHead {
  /** The bytes as sent, with any content encoding. Can be read once; throws {@link OutboundFailed}. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Closes the connection, whether or not the body was read. */
  close(): void;
}

export interface OutboundResponse extends ResponseHead {
  readonly body: Uint8Array;
}

/** Opens a response. Rejects with {@link OutboundRejected} or {@link OutboundFailed}; its socket is then destroyed. */
export type SafeOpen = (url: string, request: OutboundRequest) => Promise<OutboundStream>;

/** Like {@link SafeOpen}, but reads the whole, small body into memory. Its socket is destroyed when it settles. */
export type SafeFetch = (url: string, request: OutboundRequest) => Promise<OutboundResponse>;

export interface SafeFetchOptions {
  readonly policy: UrlPolicy;
  readonly resolve?: Resolve;
  readonly connect?: Connect;
  /** The PEM of the only certificate authority to trust; by default, those that Node.js includes. */
  readonly ca?: string;
}

interface Call {
  readonly options: Required<Omit<SafeFetchOptions, 'ca'>> & { readonly ca: string | undefined };
  readonly request: OutboundRequest;
  readonly budget: TimeBudget;
  readonly signal: AbortSignal;
}

type Headers = Readonly<Record<string, string>>;

const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308]);
const HARMLESS_HEADERS = new Set(['accept', 'accept-language', 'range', 'user-agent']);

function failureOf(error: unknown, signal: AbortSignal, reason: OutboundFailureReason): OutboundFailed {
  if (signal.aborted) return new OutboundFailed('timeout');
  const { code } = Object(error) as { readonly code?: unknown };
  return new OutboundFailed(String(code).startsWith('HPE_') ? 'protocol' : reason);
}

/** Runs one stage of a call and turns any error into a reason, without the remote party's text. */
async function stage<T>(signal: AbortSignal, reason: OutboundFailureReason, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw failureOf(error, signal, reason);
  }
}

const admit = (text: string, policy: UrlPolicy): URL => {
  const url = parseUserUrl(text, policy);
  if (url === undefined) throw new OutboundRejected();
  return url;
};

/** The addresses to connect to. A name is rejected if any of its addresses is private. */
async function judgedAddresses(url: URL, { options, signal }: Call): Promise<readonly string[]> {
  const literal = literalAddresses(url);
  if (literal !== undefined) return literal;
  const addresses = await stage(signal, 'dns', () => untilAborted(options.resolve(url.hostname), signal));
  if (addresses.length === 0) throw new OutboundFailed('dns');
  if (!addresses.every(isPublicAddress)) throw new OutboundRejected();
  return addresses;
}

const redirectLocation = (response: IncomingMessage, request: OutboundRequest): string | undefined =>
  request.method === 'GET' && request.maxRedirects > 0 && REDIRECT_STATUSES.has(response.statusCode ?? 0)
    ? response.headers.location
    : undefined;

const flatHeaders = (response: IncomingMessage): Headers =>
  Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name, String(value)]));

/** Maps an error of a body to the reason for its failure. */
function bodyFailure(error: unknown, signal: AbortSignal): OutboundFailed {
  if (error instanceof TooManyBytes) return new OutboundFailed('too-large');
  if (error instanceof BodyStalled) return new OutboundFailed('timeout');
  return failureOf(error, signal, 'connection');
}

function openBody(response: IncomingMessage, socket: Socket, { request, signal }: Call): OutboundStream {
  const { maxResponseBytes: maxBytes, onOverflow, idleMs } = request;
  const close = (): void => void socket.destroy();
  // Closes a body that is never read when the time limit is reached.
  signal.addEventListener('abort', close, { once: true });
  async function* body() {
    try {
      yield* boundedBody(response, { maxBytes, onOverflow, idleMs, signal, received: () => socket.bytesRead });
    } catch (error) {
      throw bodyFailure(error, signal);
    } finally {
      signal.removeEventListener('abort', close);
      close();
    }
  }
  return { status: response.statusCode ?? 0, headers: flatHeaders(response), body: body(), close };
}

/** Connects to one of the checked addresses. */
async function connectTo(url: URL, call: Call): Promise<Socket> {
  const { options, signal } = call;
  const isSecure = url.protocol === 'https:';
  const port = Number(url.port || (isSecure ? 443 : 80));
  const addresses = await judgedAddresses(url, call);
  const socket = await stage(signal, 'connection', () =>
    dialAddress(addresses, port, { connect: options.connect, signal }),
  );
  if (!isSecure) return socket;
  const host = literalAddresses(url)?.[0] ?? url.hostname;
  try {
    return await stage(signal, 'tls', () => secureSocket(socket, host, { ca: options.ca, signal }));
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

/** Sends one request: returns the response, or the location that it redirects to. */
async function exchange(url: URL, headers: Headers, call: Call): Promise<OutboundStream | { location: string }> {
  const { request, signal } = call;
  const socket = await connectTo(url, call);
  try {
    // The time that `beforeSend` takes is excluded from the time limit of the remote party.
    if (request.beforeSend) await call.budget.pausedFor(request.beforeSend);
    const outgoing = { method: request.method, headers, body: request.body };
    const response = await stage(signal, 'connection', () => requestUrl(socket, url, outgoing, signal));
    const location = redirectLocation(response, request);
    if (location !== undefined) {
      socket.destroy();
      return { location };
    }
    const isTooLong = Number(response.headers['content-length']) > request.maxResponseBytes;
    if (isTooLong && request.onOverflow === 'fail') throw new OutboundFailed('too-large');
    return openBody(response, socket, call);
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

const headersFor = (next: URL, previous: URL, headers: Headers): Headers =>
  next.origin === previous.origin
    ? headers
    : Object.fromEntries(Object.entries(headers).filter(([name]) => HARMLESS_HEADERS.has(name)));

async function follow(text: string, call: Call): Promise<OutboundStream> {
  const { options, request, signal } = call;
  let url = admit(text, options.policy);
  let headers: Headers = await stage(signal, 'invalid-request', async () => validateHeaders(request.headers ?? {}));
  for (let hops = 0; ; hops += 1) {
    const result = await exchange(url, headers, call);
    if (!('location' in result)) return result;
    if (hops >= request.maxRedirects) throw new OutboundFailed('redirect');
    const target = URL.parse(result.location, url.href);
    if (target === null) throw new OutboundRejected();
    const next = admit(target.href, options.policy);
    if (url.protocol === 'https:' && next.protocol === 'http:') throw new OutboundRejected();
    headers = headersFor(next, url, headers);
    url = next;
  }
}

/** Creates a function that opens responses under one policy. */
export function safeOpen({ policy, resolve = systemResolve, connect = connectTcp, ca }: SafeFetchOptions): SafeOpen {
  return async (url, request) => {
    const budget = timeBudget(request.timeoutMs);
    return follow(url, { options: { policy, resolve, connect, ca }, request, budget, signal: budget.signal });
  };
}

async function collect(stream: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const block = growingBlock(maxBytes);
  for await (const chunk of stream) block.add(chunk);
  return block.bytes();
}

/** Creates a function that reads small responses completely. */
export function safeFetch(options: SafeFetchOptions): SafeFetch {
  const open = safeOpen(options);
  return async (url, request) => {
    const { status, headers, body: stream } = await open(url, request);
    const reading = collect(stream, request.maxResponseBytes);
    // If the body may be truncated, only the head matters, so an error in the body is ignored.
    const body = request.onOverflow === 'truncate' ? await reading.catch(() => new Uint8Array()) : await reading;
    return { status, headers, body };
  };
}
