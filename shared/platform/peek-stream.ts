/** The beginning of a stream, without taking it away from who reads the stream. */

export interface PeekedStream {
  readonly head: Uint8Array;
  /** The whole stream, from its first byte. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Gives up the rest. */
  close(): Promise<void>;
}

/** The head has at least so many bytes, or all that there are. */
export async function peekStream(stream: AsyncIterable<Uint8Array>, bytes: number): Promise<PeekedStream> {
  const iterator = stream[Symbol.asyncIterator]();
  const parts: Uint8Array[] = [];
  let length = 0;
  while (length < bytes) {
    const { done, value } = await iterator.next();
    if (done) break;
    parts.push(value);
    length += value.length;
  }
  const head = Buffer.concat(parts);
  async function* body() {
    yield head;
    yield* { [Symbol.asyncIterator]: () => iterator };
  }
  return {
    head,
    body: body(),
    async close() {
      await iterator.return?.();
    },
  };
}
