/** Refuses requests to queues and storage whose reading takes fauxqs endless or quadratic time. */
import { Readable } from 'node:stream';

interface Asked {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** Completing an upload names at most 32 parts. */
const mostPartsBytes = 64 * 1024;
/** Smaller chunks are joined, because fauxqs keeps each. */
const pieceBytes = 64 * 1024;

const queryOf = (url: string): URLSearchParams => new URLSearchParams(url.slice(0, 8192).split('?')[1]);

/** Whether a request is none that the service or a page makes: forms are sent to `/uploads`. */
export function isStrange({ method, url, headers }: Asked): boolean {
  if (method !== 'POST') return false;
  if (String(headers['content-type']).startsWith('application/x-amz-json-')) return false;
  const query = queryOf(url);
  if (query.has('uploadId')) return !(Number(headers['content-length']) <= mostPartsBytes);
  return !query.has('uploads') && !query.has('delete');
}

/** Whether each chunk of a body with the encoding `aws-chunked` is within the body. */
function isChunked(body: Buffer): boolean {
  for (let at = 0; at < body.length; ) {
    const end = body.indexOf('\r\n', at);
    if (end === -1) return false;
    const [, size] = /^([0-9a-f]{1,8})(?:;|$)/i.exec(body.toString('latin1', at, Math.min(end, at + 200))) ?? [];
    if (size === undefined) return false;
    const bytes = Number.parseInt(size, 16);
    if (bytes === 0) return true;
    at = end + 2 + bytes + 2;
  }
  return false;
}

/** Whether a body can be read in linear time: after the last tag that opens a key, one closes it. */
export function isReadable({ method, headers }: Asked, body: unknown): boolean {
  if (!Buffer.isBuffer(body)) return true;
  if (String(headers['content-encoding']).includes('aws-chunked')) return isChunked(body);
  return method !== 'POST' || body.lastIndexOf('<Key>') <= body.lastIndexOf('</Key>');
}

/** A body with its small chunks joined. */
export function inPieces(body: AsyncIterable<Uint8Array>): Readable {
  async function* pieces() {
    let [chunks, bytes]: [Uint8Array[], number] = [[], 0];
    for await (const chunk of body) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes < pieceBytes) continue;
      yield Buffer.concat(chunks);
      [chunks, bytes] = [[], 0];
    }
    if (bytes > 0) yield Buffer.concat(chunks);
  }
  return Readable.from(pieces(), { objectMode: false });
}
