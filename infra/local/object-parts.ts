/** Serves parts of large objects: fauxqs reads an object as a whole for each of its parts. */
import type { IncomingHttpHeaders } from 'node:http';

interface Response {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string | number | string[] | undefined>>;
  readonly rawPayload: Buffer;
}

/** A server to which requests can be made without a network. */
export interface Injectable {
  inject(request: { readonly method: 'GET' | 'HEAD'; readonly url: string }): Promise<Response>;
}

export interface ObjectPart {
  readonly headers: Readonly<Record<string, string | number | string[] | undefined>>;
  readonly body: Buffer;
}

/** Parts of smaller objects are cheap, and larger ones are not kept in memory. */
const partlyRead = { leastBytes: 2 ** 20, mostBytes: 2 ** 29 } as const;

/** For how long an object is kept after a part of it was read. */
const keptMs = 10_000;

interface Kept {
  readonly etag: unknown;
  readonly response: Promise<Response>;
  readonly timer: NodeJS.Timeout;
}

/** Returns the part of an object that a request asks for; undefined if fauxqs is to answer it. */
export function objectParts(
  server: Injectable,
): (url: string, headers: IncomingHttpHeaders) => Promise<ObjectPart | undefined> {
  const kept = new Map<string, Kept>();

  function whole(path: string, etag: unknown): Promise<Response> {
    const known = kept.get(path);
    if (known?.etag === etag) {
      known?.timer.refresh();
      if (known) return known.response;
    }
    clearTimeout(known?.timer);
    const response = server.inject({ method: 'GET', url: path });
    kept.set(path, { etag, response, timer: setTimeout(() => kept.delete(path), keptMs).unref() });
    return response;
  }

  return async (url, headers) => {
    const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '') ?? [];
    const isConditional = headers['if-none-match'] ?? headers['if-modified-since'] ?? headers['if-unmodified-since'];
    if (from === undefined || isConditional !== undefined) return undefined;
    const [path = ''] = url.split('?');
    const head = await server.inject({ method: 'HEAD', url: path });
    const { etag, 'content-length': length } = head.headers;
    const [start, bytes] = [Number(from), Number(length)];
    const isServed = head.statusCode === 200 && bytes >= partlyRead.leastBytes && bytes <= partlyRead.mostBytes;
    const isMet = headers['if-match'] === undefined || headers['if-match'] === etag;
    const end = Math.min(to ? Number(to) : bytes - 1, bytes - 1);
    if (!isServed || !isMet || start > end) return undefined;
    const { rawPayload } = await whole(path, etag);
    const body = rawPayload.subarray(start, end + 1);
    return {
      headers: { ...head.headers, 'content-length': body.length, 'content-range': `bytes ${start}-${end}/${bytes}` },
      body,
    };
  };
}
