/** One HTTP/1.1 exchange over a socket that is already open: request out, response head in, body bytes within a budget. */
import { once } from 'node:events';
import { type IncomingMessage, request, validateHeaderName, validateHeaderValue } from 'node:http';
import { addAbortSignal, type Duplex } from 'node:stream';

const MAX_RESPONSE_HEAD_BYTES = 16_384;
const INITIAL_BODY_BYTES = 16_384;
/** What decides where a message ends and what becomes of the connection belongs to this module alone. */
const FRAMING_HEADERS = new Set(['content-length', 'transfer-encoding', 'trailer', 'te', 'expect', 'upgrade']);

export interface UrlRequest {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** The headers by lower-case name; throws when one could smuggle a second header or a second request. */
export function validateHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  for (const [name, value] of entries) {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    if (FRAMING_HEADERS.has(name)) throw new TypeError(`the header ${name} may not be set`);
  }
  return Object.fromEntries(entries);
}

/** Sends the request and resolves with the response as soon as its head is complete; rejects when the signal aborts. */
export async function requestUrl(
  socket: Duplex,
  url: URL,
  { method, headers, body }: UrlRequest,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  // A request with its own connection has no agent: no pool, no keep-alive, no proxy from the environment.
  const outgoing = request({
    createConnection: () => socket,
    method,
    path: `${url.pathname}${url.search}`,
    headers: { ...headers, host: url.host, 'accept-encoding': 'identity', connection: 'close' },
    maxHeaderSize: MAX_RESPONSE_HEAD_BYTES,
  });
  // A receiver may answer and close before it has read the body: the response decides, not the failed write.
  outgoing.on('error', () => undefined);
  // A protocol switch that nobody asked for ends the request with neither a response nor an error.
  const closed = new AbortController();
  outgoing.once('close', () => closed.abort());
  const answered = once(outgoing, 'response', { signal: AbortSignal.any([signal, closed.signal]) });
  outgoing.end(body);
  const [response] = (await answered) as [IncomingMessage];
  return response;
}

/** Whether the rest of a body is wanted too. */
export type Verdict = 'go on' | 'enough';

export interface BodyReading {
  /** What comes beyond is counted and dropped; without it, all is kept. */
  readonly maxKeptBytes?: number;
  /** Sees what is kept each time it has doubled, when it is all that is kept, and when the reading breaks off; it must not throw. */
  readonly look?: (soFar: Uint8Array) => Verdict;
}

/** The first bytes of a stream, in one growing block: a body in chunks of one byte would cost a hundred times its size. */
function firstBytes(maxBytes: number) {
  let block = new Uint8Array(Math.min(maxBytes, INITIAL_BODY_BYTES));
  let length = 0;
  return {
    add: (chunk: Uint8Array): void => {
      const part = chunk.subarray(0, maxBytes - length);
      if (length + part.length > block.length) {
        const larger = new Uint8Array(Math.min(maxBytes, Math.max(block.length * 2, length + part.length)));
        larger.set(block);
        block = larger;
      }
      block.set(part, length);
      length += part.length;
    },
    soFar: () => block.subarray(0, length),
  };
}

/** Looks only at what has doubled, or is all there will be: a body in chunks of one byte must not cost a look a byte. */
function doubling(look: (soFar: Uint8Array) => Verdict, maxLength: number): (soFar: Uint8Array) => Verdict {
  let nextLength = 1;
  return (soFar) => {
    if (soFar.length < nextLength) return 'go on';
    nextLength = soFar.length < maxLength ? Math.min(soFar.length * 2, maxLength) : Number.POSITIVE_INFINITY;
    return look(soFar);
  };
}

/**
 * Reads at most `maxBytes` and stops the stream at the first byte beyond, or when a look says that it is enough; rejects
 * when the signal aborts or the connection ends early.
 */
export async function readBody(
  response: IncomingMessage,
  maxBytes: number,
  signal: AbortSignal,
  { maxKeptBytes = maxBytes, look = () => 'go on' }: BodyReading = {},
): Promise<{ body: Uint8Array; overflowed: boolean }> {
  const keptBytes = Math.min(maxBytes, maxKeptBytes);
  const { add, soFar } = firstBytes(keptBytes);
  const lookAgain = doubling(look, keptBytes);
  let count = 0;
  try {
    for await (const chunk of addAbortSignal(signal, response) as AsyncIterable<Uint8Array>) {
      add(chunk);
      count += chunk.length;
      if (count > maxBytes) return { body: soFar(), overflowed: true };
      if (lookAgain(soFar()) === 'enough') break;
    }
  } catch (error) {
    look(soFar());
    throw error;
  }
  return { body: soFar(), overflowed: false };
}
