/** The one way to call an address that a user gave: judged, resolved once, pinned, and bounded in time and bytes. */
import type { IncomingMessage } from 'node:http';
import { type Connect, connectTcp, dialAddress, secureSocket } from './dial-address.ts';
import { readBody, requestUrl, type Verdict, validateHeaders } from './request-url.ts';
import { untilAborted } from './until-aborted.ts';
import {
  isPublicAddress,
  literalAddresses,
  parseUserUrl,
  type Resolve,
  systemResolve,
  type UrlPolicy,
} from './url-policy.ts';

/** Why a call to an admitted address did not yield a response; fit to be shown, it names no address. */
export type OutboundFailureReason =
  | 'invalid-request'
  | 'timeout'
  | 'dns'
  | 'connection'
  | 'tls'
  | 'protocol'
  | 'too-large'
  | 'redirect';

/** The address, or one that it redirects to, may not be called. One message for all, so that nobody can map a network. */
export class OutboundRefused extends Error {
  override readonly name = 'OutboundRefused';
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
  /** Host, connection and framing are not the caller's; only harmless ones follow a redirect to another origin. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** One total budget: names, connections, TLS, heads, body and all redirects. */
  readonly timeoutMs: number;
  /** Counted on the stream, whatever the response announces; one that announces more is not read at all, or cut. */
  readonly maxResponseBytes: number;
  /** How much of the body is kept: what comes beyond is counted and dropped. Without it, all of it. */
  readonly maxKeptBytes?: number;
  /**
   * Sees the response while its body comes, each time what is kept of it has doubled, and once more when it breaks off.
   * `enough` ends the call with what is kept. It must not throw.
   */
  readonly look?: (soFar: OutboundResponse) => Verdict;
  /** A longer body fails the call; or it is cut there, and however it ends, the call resolves with the head. */
  readonly onOverflow: 'fail' | 'truncate';
  /** 0: a redirect is a response like any other. Only a GET is ever redirected. */
  readonly maxRedirects: number;
}

export interface OutboundResponse {
  readonly status: number;
  /** By lower-case name; repeated headers are joined with commas. */
  readonly headers: Readonly<Record<string, string>>;
  /** As it came, as far as it is kept: a content encoding is not undone. */
  readonly body: Uint8Array;
}

/** Rejects with {@link OutboundRefused} or {@link OutboundFailed}; its socket is destroyed before it settles. */
export type SafeFetch = (url: string, request: OutboundRequest) => Promise<OutboundResponse>;

export interface SafeFetchOptions {
  readonly policy: UrlPolicy;
  readonly resolve?: Resolve;
  readonly connect?: Connect;
  /** PEM of the only authority to trust; without it, the ones that Node.js ships. */
  readonly ca?: string;
}

interface Call {
  readonly options: Required<Omit<SafeFetchOptions, 'ca'>> & { readonly ca: string | undefined };
  readonly request: OutboundRequest;
  readonly signal: AbortSignal;
}

type Headers = Readonly<Record<string, string>>;

const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308]);
const HARMLESS_HEADERS = new Set(['accept', 'accept-language', 'range', 'user-agent']);

/** Runs one stage of a call; whatever breaks in it becomes a reason, and the remote's words go no further. */
async function stage<T>(signal: AbortSignal, reason: OutboundFailureReason, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (signal.aborted) throw new OutboundFailed('timeout');
    const { code } = Object(error) as { readonly code?: unknown };
    throw new OutboundFailed(String(code).startsWith('HPE_') ? 'protocol' : reason);
  }
}

const admit = (text: string, policy: UrlPolicy): URL => {
  const url = parseUserUrl(text, policy);
  if (url === undefined) throw new OutboundRefused();
  return url;
};

/** The addresses to dial. One bad address spoils the name: which of them is dialled must not be left to chance. */
async function judgedAddresses(url: URL, { options, signal }: Call): Promise<readonly string[]> {
  const literal = literalAddresses(url);
  if (literal !== undefined) return literal;
  const addresses = await stage(signal, 'dns', () => untilAborted(options.resolve(url.hostname), signal));
  if (addresses.length === 0) throw new OutboundFailed('dns');
  if (!addresses.every(isPublicAddress)) throw new OutboundRefused();
  return addresses;
}

const redirectLocation = (response: IncomingMessage, request: OutboundRequest): string | undefined =>
  request.method === 'GET' && request.maxRedirects > 0 && REDIRECT_STATUSES.has(response.statusCode ?? 0)
    ? response.headers.location
    : undefined;

const flatHeaders = (response: IncomingMessage): Headers =>
  Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name, String(value)]));

async function readResponse(response: IncomingMessage, { request, signal }: Call): Promise<OutboundResponse> {
  const { maxResponseBytes, maxKeptBytes = maxResponseBytes, look } = request;
  const head = { status: response.statusCode ?? 0, headers: flatHeaders(response) };
  const mayBeCut = request.onOverflow === 'truncate';
  if (!mayBeCut && Number(head.headers['content-length']) > maxResponseBytes) throw new OutboundFailed('too-large');
  const looking = { maxKeptBytes, ...(look && { look: (body: Uint8Array) => look({ ...head, body }) }) };
  const reading = stage(signal, 'connection', () => readBody(response, maxResponseBytes, signal, looking));
  // Whoever lets a body be cut short has what matters in the head, however the body ends.
  if (mayBeCut) return { ...head, body: await reading.then(({ body }) => body).catch(() => new Uint8Array()) };
  const { body, overflowed } = await reading;
  if (overflowed) throw new OutboundFailed('too-large');
  return { ...head, body };
}

/** One request to one judged address: the response, or where it redirects to. */
async function exchange(url: URL, headers: Headers, call: Call): Promise<OutboundResponse | { location: string }> {
  const { options, request, signal } = call;
  const isSecure = url.protocol === 'https:';
  const port = Number(url.port || (isSecure ? 443 : 80));
  const addresses = await judgedAddresses(url, call);
  const socket = await stage(signal, 'connection', () =>
    dialAddress(addresses, port, { connect: options.connect, signal }),
  );
  try {
    const host = literalAddresses(url)?.[0] ?? url.hostname;
    const channel = isSecure
      ? await stage(signal, 'tls', () => secureSocket(socket, host, { ca: options.ca, signal }))
      : socket;
    const outgoing = { method: request.method, headers, body: request.body };
    const response = await stage(signal, 'connection', () => requestUrl(channel, url, outgoing, signal));
    const location = redirectLocation(response, request);
    return location === undefined ? await readResponse(response, call) : { location };
  } finally {
    socket.destroy();
  }
}

const headersFor = (next: URL, previous: URL, headers: Headers): Headers =>
  next.origin === previous.origin
    ? headers
    : Object.fromEntries(Object.entries(headers).filter(([name]) => HARMLESS_HEADERS.has(name)));

async function follow(text: string, call: Call): Promise<OutboundResponse> {
  const { options, request, signal } = call;
  let url = admit(text, options.policy);
  let headers: Headers = await stage(signal, 'invalid-request', async () => validateHeaders(request.headers ?? {}));
  for (let hops = 0; ; hops += 1) {
    const result = await exchange(url, headers, call);
    if (!('location' in result)) return result;
    if (hops >= request.maxRedirects) throw new OutboundFailed('redirect');
    const target = URL.parse(result.location, url.href);
    if (target === null) throw new OutboundRefused();
    const next = admit(target.href, options.policy);
    if (url.protocol === 'https:' && next.protocol === 'http:') throw new OutboundRefused();
    headers = headersFor(next, url, headers);
    url = next;
  }
}

/** Makes the function that calls addresses under one policy. */
export function safeFetch({ policy, resolve = systemResolve, connect = connectTcp, ca }: SafeFetchOptions): SafeFetch {
  return async (url, request) => {
    const signal = AbortSignal.timeout(request.timeoutMs);
    return follow(url, { options: { policy, resolve, connect, ca }, request, signal });
  };
}
