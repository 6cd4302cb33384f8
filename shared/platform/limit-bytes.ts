/** A byte budget on a stream. */

export class TooManyBytes extends Error {
  override readonly name = 'TooManyBytes';
  constructor() {
    super('the stream is longer than its byte budget');
  }
}

/** The same stream, but it throws {@link TooManyBytes} instead of the chunk that exceeds the budget. */
export async function* limitBytes(
  stream: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<Uint8Array, void> {
  let remaining = maxBytes;
  for await (const chunk of stream) {
    remaining -= chunk.length;
    // Leaving the loop closes the stream and its connection.
    if (remaining < 0) throw new TooManyBytes();
    yield chunk;
  }
}

/** All bytes of a small stream. */
export const collectBytes = async (stream: Parameters<typeof limitBytes>[0], maxBytes: number): Promise<Buffer> =>
  Buffer.concat(await Array.fromAsync(limitBytes(stream, maxBytes)));
