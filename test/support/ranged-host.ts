/** A file server that supports range requests for one version of a file, as file hosts do. */
import type { ServerResponse } from 'node:http';
import { type LocalServer, localServer } from './local-server.ts';

export interface RangedHost extends LocalServer {
  readonly requests: readonly { readonly path: string; readonly range: string | undefined }[];
}

const send = (response: ServerResponse, bytes: Buffer, range: string | undefined): void => {
  const headers = { etag: '"1"', 'content-type': 'video/mp4', 'accept-ranges': 'bytes' };
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(range ?? '') ?? [];
  if (first === undefined)
    return void response.writeHead(200, { ...headers, 'content-length': bytes.length }).end(bytes);
  const end = Math.min(bytes.length, last ? Number(last) + 1 : bytes.length);
  const part = bytes.subarray(Number(first), end);
  const contentRange = `bytes ${first}-${end - 1}/${bytes.length}`;
  response.writeHead(206, { ...headers, 'content-range': contentRange, 'content-length': part.length }).end(part);
};

/** A file, and optionally a different file for range requests. */
export type HostedFile = Buffer | ((range: string | undefined) => Buffer | undefined);

/** The files by path. */
export async function rangedHost(files: Readonly<Record<string, HostedFile>>): Promise<RangedHost> {
  const requests: { path: string; range: string | undefined }[] = [];
  const server = await localServer((request, response) => {
    const [path = ''] = (request.url ?? '').slice(1).split('?');
    const hosted = files[path];
    const file = typeof hosted === 'function' ? hosted(request.headers.range) : hosted;
    requests.push({ path, range: request.headers.range });
    if (file) send(response, file, request.headers.range);
    else response.writeHead(404).end();
  });
  return { ...server, requests };
}
