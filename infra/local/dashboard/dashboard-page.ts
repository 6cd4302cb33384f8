/** Serves the dashboard's pages, as CloudFront does on AWS. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheControlOf, contentTypes, siteFileOf, siteHeaders } from '../../dashboard-site.ts';
import type { GatewayPage } from '../http-gateway/http-gateway.ts';

interface Site {
  readonly folder: string;
  /** Resolves when the pages are in the folder; it is called for the first page, and again if it failed. */
  readonly build: () => Promise<void>;
  readonly resultsOrigin: () => string;
  /** The origin that the pages have, if it is not that of the given host: a session is known to one host alone. */
  readonly elsewhere?: (host: string) => string | undefined;
}

export function dashboardPage({ folder, build, resultsOrigin, elsewhere }: Site): GatewayPage {
  let built: Promise<void> | undefined;
  const ready = (): Promise<void> => {
    built ??= build().catch((error: unknown) => {
      built = undefined;
      throw error;
    });
    return built;
  };
  const read = async (file: string): Promise<Buffer | undefined> => {
    await ready();
    return readFile(join(folder, file)).catch(() => undefined);
  };
  return async (request, response, requestId) => {
    const [path = ''] = (request.url ?? '').split('?');
    const file = /^(GET|HEAD)$/.test(request.method ?? '') ? siteFileOf(path) : undefined;
    if (file === undefined) return false;
    const origin = file === 'index.html' ? elsewhere?.(request.headers.host ?? '') : undefined;
    if (origin !== undefined) {
      response.writeHead(302, { Location: `${origin}${request.url}`, 'X-Request-Id': requestId }).end();
      return true;
    }
    const content = await read(file);
    // A file that does not exist gets the gateway's own 404: a page in its place would be taken for a script.
    if (!content) return false;
    response.writeHead(200, {
      'Content-Type': contentTypes[file.split('.').at(-1) ?? ''] ?? 'application/octet-stream',
      'Content-Length': content.byteLength,
      'Cache-Control': cacheControlOf(file),
      'X-Request-Id': requestId,
      ...siteHeaders(resultsOrigin()),
    });
    response.end(request.method === 'HEAD' ? undefined : content);
    return true;
  };
}
