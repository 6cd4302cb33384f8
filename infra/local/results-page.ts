/** Serves results, kept uploads and recordings of voices, as CloudFront does on AWS. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { GatewayPage } from './http-gateway/http-gateway.ts';

/**
 * The path of an object: a result is a number in an unguessable folder, a kept upload has an unguessable name, and the
 * recordings of voices are public.
 */
const objectPath =
  /^\/(results\/[0-9a-f-]{36}-[0-9a-f]{32}\/\d+-[0-9a-f]{8}|files\/[0-9a-f-]{36}-[0-9a-f]{32}|voices\/[\w-]+)\.[a-z0-9]+$/;

const passedOn = ['content-type', 'content-length', 'content-range', 'etag', 'last-modified'];

/** Parses a single byte range, as media players request it; other kinds are ignored, as HTTP allows. */
function rangeOf({ headers }: IncomingMessage): { range: string } | undefined {
  const { range = '' } = headers;
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(range) ?? [];
  if (first === undefined || (first === '' && last === '')) return undefined;
  return first !== '' && last !== '' && Number(first) > Number(last) ? undefined : { range };
}

/** Aborts when the client closes its connection, because nothing else would end the request to the storage. */
function whenGone(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  return gone.signal;
}

function headersOf(found: Response, requestId: string): Record<string, string> {
  const headers = passedOn.flatMap((name): [string, string][] => {
    const value = found.headers.get(name);
    return value === null ? [] : [[name, value]];
  });
  // Announces support for ranges, which the local storage has but does not announce; players request ranges only then.
  const added = {
    'accept-ranges': 'bytes',
    // Pages on other origins, such as the dashboard's, may read what anyone with the address may read.
    'access-control-allow-origin': '*',
    'x-content-type-options': 'nosniff',
    'x-request-id': requestId,
  };
  return { ...Object.fromEntries(headers), ...added };
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
}

/** The storage keeps what it sends until it is read, so that larger parts are requested in pieces, one after the other. */
const pieceBytes = 8 * 2 ** 20;

interface Place {
  readonly url: string;
  readonly signal: AbortSignal;
}

const readPart = ({ url, signal }: Place, first: number, last: number, headers = {}): Promise<Response> =>
  fetch(url, { headers: { ...headers, range: `bytes=${first}-${last}` }, signal });

/** The bytes that follow a first piece. */
async function* rest(place: Place, from: number, last: number, etag: string) {
  for (let first = from; first <= last; first += pieceBytes) {
    const part = await readPart(place, first, Math.min(first + pieceBytes - 1, last), { 'if-match': etag });
    if (part.status !== 206 || !part.body) throw new Error('the object was replaced or deleted meanwhile');
    yield* part.body;
  }
}

/** A range with the place of its first byte; some say only how many bytes there are up to the end. */
async function absolute({ url, signal }: Place, range: string): Promise<readonly [first: number, last: number]> {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(range) ?? [];
  if (first !== '') return [Number(first), last === '' ? Number.POSITIVE_INFINITY : Number(last)];
  const { headers } = await fetch(url, { method: 'HEAD', signal });
  return [Math.max(0, Number(headers.get('content-length')) - Number(last)), Number.POSITIVE_INFINITY];
}

/** Sends what the storage responds. */
async function pass(found: Response, { response, requestId }: Exchange): Promise<void> {
  response.writeHead(found.status, headersOf(found, requestId));
  if (found.body) await pipeline(Readable.fromWeb(found.body), response);
  else response.end();
}

/** Sends a part of an object, or all of it, in pieces. */
async function sendPieces(place: Place, found: Response, first: number, last: number, exchange: Exchange) {
  const { request, response, requestId } = exchange;
  const bytes = Number(found.headers.get('content-range')?.split('/')[1]);
  const end = Math.min(last, bytes - 1);
  const isPart = rangeOf(request) !== undefined;
  const { 'content-range': _piece, ...headers } = headersOf(found, requestId);
  const part = isPart && { 'content-range': `bytes ${first}-${end}/${bytes}` };
  response.writeHead(isPart ? 206 : 200, { ...headers, 'content-length': end - first + 1, ...part });
  async function* all() {
    yield* found.body ?? [];
    yield* rest(place, first + pieceBytes, end, found.headers.get('etag') ?? '');
  }
  await pipeline(Readable.from(all(), { objectMode: false }), response);
}

/** Sends an object; false if it does not exist. */
async function sendObject(url: string, exchange: Exchange): Promise<boolean> {
  const place = { url, signal: whenGone(exchange.response) };
  const { method = 'GET' } = exchange.request;
  const range = rangeOf(exchange.request);
  const [first, last] = await absolute(place, range?.range ?? 'bytes=0-');
  let found =
    method === 'GET'
      ? await readPart(place, first, Math.min(first + pieceBytes - 1, last))
      : await fetch(url, { method, headers: { ...range }, signal: place.signal });
  // An empty object has no first byte.
  if (found.status === 416 && !range) found = await fetch(url, { signal: place.signal });
  if (!found.ok && found.status !== 416) {
    await found.body?.cancel();
    return false;
  }
  if (method === 'GET' && found.status === 206) await sendPieces(place, found, first, last, exchange);
  else await pass(found, exchange);
  return true;
}

/** Creates the page; `bucketUrl` is called for each request, because the storage starts after the gateway. */
export const resultsPage =
  (bucketUrl: () => Promise<string>): GatewayPage =>
  async (request, response, requestId) => {
    const [path = ''] = (request.url ?? '').split('?');
    if (!/^(GET|HEAD)$/.test(request.method ?? '') || !objectPath.test(path)) return false;
    try {
      return await sendObject(`${await bucketUrl()}${path}`, { request, response, requestId });
    } catch (error) {
      if (response.destroyed) return true;
      throw error;
    }
  };
