/** One HTTP/1.1 exchange over an open socket: sends the request and reads the head of the response. */
import { once } from 'node:events';
import { type IncomingMessage, request, validateHeaderName, validateHeaderValue } from 'node:http';
import type { Duplex } from 'node:stream';

const MAX_RESPONSE_HEAD_BYTES = 16_384;
/** Servers send one or two, such as 103; the parser would spend all of its time on endless ones. */
const MAX_INFORMATIONAL_RESPONSES = 10;
/** Headers that frame a message or control the connection; only this module sets them. */
const FRAMING_HEADERS = new Set(['content-length', 'transfer-encoding', 'trailer', 'te', 'expect', 'upgrade']);

export interface UrlRequest {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** Returns the headers by lower-case name; throws if a header could inject another header or request. */
export function validateHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  for (const [name, value] of entries) {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    if (FRAMING_HEADERS.has(name)) throw new TypeError(`the header ${name} may not be set`);
  }
  return Object.fromEntries(entries);
}

/** Sends the request and resolves once the response head is complete; rejects when the signal aborts. */
export async function requestUrl(
  socket: Duplex,
  url: URL,
  { method, headers, body }: UrlRequest,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  // The request uses no agent, so there is no pooling, keep-alive or proxy from the environment.
  const outgoing = request({
    createConnection: () => socket,
    method,
    path: `${url.pathname}${url.search}`,
    headers: { ...headers, host: url.host, 'accept-encoding': 'identity', connection: 'close' },
    maxHeaderSize: MAX_RESPONSE_HEAD_BYTES,
  });
  // A receiver may respond and close before it has read the body; the response counts, and the failed write is ignored.
  outgoing.on('error', () => undefined);
  let informational = 0;
  outgoing.on('information', () => {
    informational += 1;
    if (informational > MAX_INFORMATIONAL_RESPONSES) outgoing.destroy();
  });
  // An unexpected `Upgrade` response would otherwise end with neither a response nor an error.
  const closed = new AbortController();
  outgoing.once('close', () => closed.abort());
  const responded = once(outgoing, 'response', { signal: AbortSignal.any([signal, closed.signal]) });
  // The body is sent as bytes: Node would send text together with the headers and encode both as UTF-8, although header
  // values are bytes.
  outgoing.end(body === undefined ? undefined : Buffer.from(body));
  const [response] = (await responded) as [IncomingMessage];
  // The connection may break before the body is read; the error then reaches the reader of the body.
  response.on('error', () => undefined);
  return response;
}
