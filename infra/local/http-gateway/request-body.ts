/** Reads a request's body within the gateway's limit. */
import type { IncomingMessage } from 'node:http';
import { mostReceived } from '../../../shared/platform/bounded-body.ts';
import { CollectedBytes } from '../../../shared/platform/collected-bytes.ts';
import { TooManyBytes } from '../../../shared/platform/limit-bytes.ts';

/** API Gateway's limit for a body, in bytes. */
const bodyLimit = 10 * 1024 * 1024;

/**
 * `gone`: the client disconnected before the body was complete. `fragmented`: it comes in chunks of a few bytes, whose
 * parsing takes too long. Bytes beyond the limit are not stored.
 */
export type RequestBody = Buffer | 'too large' | 'fragmented' | 'gone';

/** Whether a body of which so many bytes have been read comes in chunks of a few bytes each. */
function fragmentation({ socket }: IncomingMessage): (size: number) => boolean {
  const before = socket.bytesRead;
  return (size) => socket.bytesRead - before > mostReceived(size);
}

/** The body as it is read. @throws {TooManyBytes} if it is fragmented */
export async function* unfragmentedBody(request: IncomingMessage): AsyncGenerator<Uint8Array, void> {
  const isFragmentedAt = fragmentation(request);
  let size = 0;
  for await (const chunk of request as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (isFragmentedAt(size)) throw new TooManyBytes();
    yield chunk;
  }
}

export function readBody(request: IncomingMessage): Promise<RequestBody> {
  if (Number(request.headers['content-length'] ?? 0) > bodyLimit) return Promise.resolve('too large');
  const { promise, resolve } = Promise.withResolvers<RequestBody>();
  let collected: CollectedBytes | undefined = new CollectedBytes();
  let size = 0;
  const isFragmentedAt = fragmentation(request);
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    const isFragmented = isFragmentedAt(size);
    if (size <= bodyLimit && !isFragmented) collected?.add(chunk);
    else {
      collected = undefined;
      if (isFragmented) request.pause();
      resolve(isFragmented ? 'fragmented' : 'too large');
    }
  });
  request.once('end', () => resolve(collected?.bytes() ?? 'too large'));
  request.once('error', () => resolve('gone'));
  request.once('close', () => resolve('gone'));
  return promise;
}
