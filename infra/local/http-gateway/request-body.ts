/** Reads a request's body within the gateway's limit. */
import type { IncomingMessage } from 'node:http';

/** API Gateway's limit for a body, in bytes. */
const bodyLimit = 10 * 1024 * 1024;

/** `gone`: the client disconnected before the body was complete. Bytes beyond the limit are not stored. */
export type RequestBody = Buffer | 'too large' | 'gone';

export function readBody(request: IncomingMessage): Promise<RequestBody> {
  if (Number(request.headers['content-length'] ?? 0) > bodyLimit) return Promise.resolve('too large');
  const { promise, resolve } = Promise.withResolvers<RequestBody>();
  let chunks: Buffer[] = [];
  let size = 0;
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= bodyLimit) chunks.push(chunk);
    else {
      chunks = [];
      resolve('too large');
    }
  });
  request.once('end', () => resolve(Buffer.concat(chunks)));
  request.once('error', () => resolve('gone'));
  request.once('close', () => resolve('gone'));
  return promise;
}
