/**
 * Collects the first bytes of a stream in one block that grows: an array of one-byte chunks would take a hundred times
 * their size.
 */
export interface GrowingBlock {
  /** Appends what fits and returns the rest. */
  add(chunk: Uint8Array): Uint8Array;
  /** The bytes so far; adding more can make this view stale. */
  bytes(): Uint8Array;
}

const INITIAL_BYTES = 16_384;

export function growingBlock(maxBytes: number): GrowingBlock {
  let block = new Uint8Array(Math.min(maxBytes, INITIAL_BYTES));
  let length = 0;
  return {
    add(chunk) {
      const part = chunk.subarray(0, maxBytes - length);
      if (length + part.length > block.length) {
        const larger = new Uint8Array(Math.min(maxBytes, Math.max(block.length * 2, length + part.length)));
        larger.set(block);
        block = larger;
      }
      block.set(part, length);
      length += part.length;
      return chunk.subarray(part.length);
    },
    bytes: () => block.subarray(0, length),
  };
}
