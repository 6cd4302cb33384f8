/** Serves results, kept uploads and recordings of voices, as CloudFront does on AWS. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { GatewayPage } from './http-gateway/http-gateway.ts';
import { partlyRead } from './object-parts.ts';

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

type Span = readonly [first: number, last: number];

/** The first and the last byte that a request asks for; undefined if there is none. */
function spanOf(range: string | undefined, bytes: number): Span | undefined {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(range ?? 'bytes=0-') ?? [];
  const start = first === '' ? Math.max(0, bytes - Number(last)) : Number(first);
  const end = first === '' || last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1);
  return start <= end ? [start, end] : undefined;
}

/** The storage keeps what it sends until it is read, so that larger parts are requested in pieces, one after the other. */
const pieceBytes = 8 * 2 ** 20;

async function* pieces(url: string, [first, last]: Span, etag: string, signal: AbortSignal) {
  for (let start = first; start <= last; start += pieceBytes) {
    const range = `bytes=${start}-${Math.min(start + pieceBytes - 1, last)}`;
    const { body, status } = await fetch(url, { headers: { range, 'if-match': etag }, signal });
    if (status !== 206 || !body) throw new Error('the object was replaced or deleted meanwhile');
    yield* body;
  }
}

/** Sends a large part of an object in pieces; false if the storage is to send it at once. */
async function sendLarge(url: string, { request, response, requestId }: Exchange, signal: AbortSignal) {
  if (request.method !== 'GET') return false;
  const found = await fetch(url, { method: 'HEAD', signal });
  const bytes = Number(found.headers.get('content-length'));
  const { range } = rangeOf(request) ?? {};
  const span = spanOf(range, bytes);
  if (!found.ok || bytes > partlyRead.mostBytes || !span || span[1] - span[0] < pieceBytes) return false;
  const [first, last] = span;
  const part = { 'content-length': `${last - first + 1}`, 'content-range': `bytes ${first}-${last}/${bytes}` };
  const { 'content-length': length, ...headers } = headersOf(found, requestId);
  response.writeHead(range ? 206 : 200, { ...headers, ...(range ? part : { 'content-length': length }) });
  await pipeline(
    Readable.from(pieces(url, span, found.headers.get('etag') ?? '', signal), { objectMode: false }),
    response,
    { signal },
  );
  return true;
}

/** Sends an object; false if it does not exist. */
async function sendObject(url: string, exchange: Exchange): Promise<boolean> {
  const { request, response, requestId } = exchange;
  const signal = whenGone(response);
  if (await sendLarge(url, exchange, signal)) return true;
  const found = await fetch(url, { method: request.method ?? 'GET', headers: { ...rangeOf(request) }, signal });
  if (!found.ok && found.status !== 416) {
    await found.body?.cancel();
    return false;
  }
  response.writeHead(found.status, headersOf(found, requestId));
  if (found.body) await pipeline(Readable.fromWeb(found.body), response, { signal });
  else response.end();
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
