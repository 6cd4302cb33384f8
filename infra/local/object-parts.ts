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

/** For how long an object is kept after a part of it was read, unless newer ones need its place. */
const keptMs = 10_000;
const mostKeptBytes = 2 ** 30;

/** Headers that make an answer depend on more than the range. */
const conditions = ['if-none-match', 'if-modified-since', 'if-unmodified-since', 'if-range'] as const;
/** Whether a query only signs the request; other parameters change the answer. */
const onlySigns = (query: string): boolean =>
  [...new URLSearchParams(query).keys()].every((name) => /^x-(?:amz-|id$)/i.test(name));

interface Kept {
  readonly etag: unknown;
  readonly bytes: number;
  readonly response: Promise<Response>;
  readonly timer: NodeJS.Timeout;
}

/** Reads objects as a whole, and keeps them for the next part. */
function keptObjects(server: Injectable) {
  const kept = new Map<string, Kept>();

  function forget(path: string, one: Kept): void {
    clearTimeout(one.timer);
    if (kept.get(path) === one) kept.delete(path);
  }

  async function forgetUnlessRead(path: string, one: Kept): Promise<void> {
    const statusCode = await one.response.then(
      (response) => response.statusCode,
      () => undefined,
    );
    if (statusCode !== 200) forget(path, one);
  }

  /** Forgets the oldest objects until there is room for another one. */
  function makeRoom(bytes: number): void {
    let sum = bytes;
    for (const one of kept.values()) sum += one.bytes;
    for (const [path, one] of kept) {
      if (sum <= mostKeptBytes) return;
      forget(path, one);
      sum -= one.bytes;
    }
  }

  /** Reads an object; only a complete one is kept. */
  function read(path: string, etag: unknown, bytes: number): Promise<Response> {
    makeRoom(bytes);
    const response = server.inject({ method: 'GET', url: path });
    const timer = setTimeout(() => forget(path, one), keptMs).unref();
    const one: Kept = { etag, bytes, response, timer };
    kept.set(path, one);
    void forgetUnlessRead(path, one);
    return response;
  }

  return (path: string, etag: unknown, bytes: number): Promise<Response> => {
    const known = kept.get(path);
    if (known?.etag === etag && known) {
      known.timer.refresh();
      return known.response;
    }
    if (known) forget(path, known);
    return read(path, etag, bytes);
  };
}

/** Returns the part of an object that a request asks for; undefined if fauxqs is to answer it. */
export function objectParts(
  server: Injectable,
): (url: string, headers: IncomingHttpHeaders) => Promise<ObjectPart | undefined> {
  const whole = keptObjects(server);
  return async (url, headers) => {
    const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '') ?? [];
    const [path = '', query = ''] = url.split('?');
    const isPlain = conditions.every((name) => headers[name] === undefined) && onlySigns(query);
    if (from === undefined || !isPlain) return undefined;
    const head = await server.inject({ method: 'HEAD', url: path });
    const { etag, 'content-length': length } = head.headers;
    const [start, bytes] = [Number(from), Number(length)];
    const isServed = head.statusCode === 200 && bytes >= partlyRead.leastBytes && bytes <= partlyRead.mostBytes;
    const isMet = headers['if-match'] === undefined || headers['if-match'] === etag;
    const end = Math.min(to ? Number(to) : bytes - 1, bytes - 1);
    if (!isServed || !isMet || start > end) return undefined;
    const { rawPayload, statusCode } = await whole(path, etag, bytes);
    // The object was replaced or deleted meanwhile.
    if (statusCode !== 200 || rawPayload.length !== bytes) return undefined;
    const body = rawPayload.subarray(start, end + 1);
    return {
      headers: { ...head.headers, 'content-length': body.length, 'content-range': `bytes ${start}-${end}/${bytes}` },
      body,
    };
  };
}
