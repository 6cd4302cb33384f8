/** Collects the chunks of a stream. */

/** Each chunk takes about 200 bytes beside its content, so that chunks of a byte are joined after so many. */
const joinedAfter = 1024;

export class CollectedBytes {
  readonly #joined: Buffer[] = [];
  #chunks: Uint8Array[] = [];

  add(chunk: Uint8Array): void {
    this.#chunks.push(chunk);
    if (this.#chunks.length < joinedAfter) return;
    this.#joined.push(Buffer.concat(this.#chunks));
    this.#chunks = [];
  }

  /** All bytes so far. */
  bytes(): Buffer {
    return Buffer.concat([...this.#joined, ...this.#chunks]);
  }
}
