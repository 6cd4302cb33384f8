/** Writes values of any number of bits, the most significant bit first. */
export class BitWriter {
  readonly #bytes: number[] = [];
  #current = 0;
  #free = 8;

  /** Writes the lowest bits of a value. */
  put(value: number, bits: number): void {
    for (let bit = bits - 1; bit >= 0; bit -= 1) {
      this.#free -= 1;
      this.#current |= ((value >> bit) & 1) << this.#free;
      if (this.#free > 0) continue;
      this.#bytes.push(this.#current);
      this.#current = 0;
      this.#free = 8;
    }
  }

  /** Fills up the last byte with copies of a bit. */
  fill(bit: 0 | 1): void {
    while (this.#free < 8) this.put(bit, 1);
  }

  /** The whole bytes written so far. */
  bytes(): Uint8Array {
    return Uint8Array.from(this.#bytes);
  }
}
