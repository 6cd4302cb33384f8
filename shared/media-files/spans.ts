/** Parts of a file, from its beginning to its end, and whether a range is in one of them. */

export class Spans {
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  /**
   * The index of the part that contained the last position: it is tried first, because most positions follow each
   * other.
   */
  #last = 0;

  add(start: number, end: number): void {
    this.#starts.push(start);
    this.#ends.push(end);
  }

  #isIn(span: number, at: number, size: number): boolean {
    return (this.#starts[span] ?? at + 1) <= at && at + size <= (this.#ends[span] ?? 0);
  }

  /** Whether a range is in a single part. The end of a part counts for an empty range. */
  has(at: number, size: number): boolean {
    if (this.#isIn(this.#last, at, size)) return true;
    let [low, high] = [0, this.#starts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#starts[middle] ?? 0) <= at) low = middle + 1;
      else high = middle;
    }
    this.#last = Math.max(0, low - 1);
    return this.#isIn(this.#last, at, size);
  }
}
