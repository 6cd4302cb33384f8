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

/** Sends an object; false if it does not exist. */
async function sendObject(url: string, { request, response, requestId }: Exchange): Promise<boolean> {
  const signal = whenGone(response);
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
