/** Serves results, as the content network in front of the bucket does on AWS. */
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { GatewayPage } from '../http-gateway/http-gateway.ts';

/** An object's path: a folder that nobody can guess, and a number. */
const resultPath = /^\/results\/[0-9a-f-]{36}-[0-9a-f]{32}\/\d+\.[a-z0-9]+$/;

const passedOn = ['content-type', 'content-length', 'content-range', 'accept-ranges', 'etag', 'last-modified'];

/** One range of bytes, as players ask for it; any other kind is ignored, as HTTP allows. */
function rangeOf({ headers }: IncomingMessage): { range: string } | undefined {
  const { range = '' } = headers;
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(range) ?? [];
  if (first === undefined || (first === '' && last === '')) return undefined;
  return first !== '' && last !== '' && Number(first) > Number(last) ? undefined : { range };
}

/** `bucketUrl` is asked for at each request: the storage starts after the gateway. */
export const resultsPage =
  (bucketUrl: () => Promise<string>): GatewayPage =>
  async (request, response) => {
    const [path = ''] = (request.url ?? '').split('?');
    if (!resultPath.test(path)) return false;
    const found = await fetch(`${await bucketUrl()}${path}`, { headers: { ...rangeOf(request) } });
    if (!(found.ok || found.status === 416) || !found.body) {
      await found.body?.cancel();
      return false;
    }
    const headers = passedOn.flatMap((name): [string, string][] => {
      const value = found.headers.get(name);
      return value === null ? [] : [[name, value]];
    });
    response.writeHead(found.status, { ...Object.fromEntries(headers), 'x-content-type-options': 'nosniff' });
    Readable.fromWeb(found.body).pipe(response);
    await once(response, 'close');
    return true;
  };
