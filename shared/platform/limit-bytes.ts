/** Limits how many bytes are read from a stream. */
import { CollectedBytes } from './collected-bytes.ts';

export class TooManyBytes extends Error {
  override readonly name = 'TooManyBytes';
  constructor() {
    super('the stream is longer than its byte budget');
  }
}

/** Passes the stream through until the limit is exceeded; then it throws {@link TooManyBytes}. */
export async function* limitBytes(
  stream: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<Uint8Array, void> {
  let remaining = maxBytes;
  for await (const chunk of stream) {
    remaining -= chunk.length;
    // Throwing ends the loop, which closes the stream and its connection.
    if (remaining < 0) throw new TooManyBytes();
    yield chunk;
  }
}

/** Reads a small stream completely. */
export async function collectBytes(stream: Parameters<typeof limitBytes>[0], maxBytes: number): Promise<Buffer> {
  const collected = new CollectedBytes();
  for await (const chunk of limitBytes(stream, maxBytes)) collected.add(chunk);
  return collected.bytes();
}
