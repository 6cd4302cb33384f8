/** Serves the dashboard's pages, as CloudFront does on AWS. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheControlOf, contentTypes, operateFile, siteFileOf, siteHeaders } from '../../dashboard-site.ts';
import { onceDone } from '../built-folder.ts';
import type { GatewayPage } from '../http-gateway/http-gateway.ts';

interface Site {
  readonly folder: string;
  /** Resolves when the pages have been built; called for the first page, and again after a failure. */
  readonly build: () => Promise<void>;
  readonly resultsOrigin: () => string;
  readonly uploadOrigins: () => Promise<readonly string[]>;
  /** The origin to redirect to, if the pages are served from another host: a session belongs to one host only. */
  readonly elsewhere?: (host: string) => string | undefined;
}

export function dashboardPage({ folder, build, resultsOrigin, uploadOrigins, elsewhere }: Site): GatewayPage {
  const ready = onceDone(build);
  const read = async (file: string): Promise<Buffer | undefined> => {
    await ready();
    return readFile(join(folder, file)).catch(() => undefined);
  };
  return async (request, response, requestId) => {
    const [path = ''] = (request.url ?? '').split('?');
    const file = /^(GET|HEAD)$/.test(request.method ?? '') ? siteFileOf(path) : undefined;
    if (file === undefined) return false;
    const origin = file === 'index.html' || file === operateFile ? elsewhere?.(request.headers.host ?? '') : undefined;
    if (origin !== undefined) {
      response.writeHead(302, { Location: `${origin}${request.url}`, 'X-Request-Id': requestId }).end();
      return true;
    }
    const content = await read(file);
    // A missing file gets the gateway's 404, because a browser would interpret a page in its place as a script.
    if (!content) return false;
    response.writeHead(200, {
      'Content-Type': contentTypes[file.split('.').at(-1) ?? ''] ?? 'application/octet-stream',
      'Content-Length': content.byteLength,
      'Cache-Control': cacheControlOf(file),
      'X-Request-Id': requestId,
      ...siteHeaders({ results: resultsOrigin(), uploads: await uploadOrigins() }),
    });
    response.end(request.method === 'HEAD' ? undefined : content);
    return true;
  };
}
