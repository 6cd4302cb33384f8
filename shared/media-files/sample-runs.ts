/** Keeps the positions and sizes of consecutive samples as runs, because a file may have very many of them. */

/** The sizes of samples, or the size of each. */
export type SampleSizes = Uint32Array | number;

/** Fields of a run: its position in the file, the number of its samples, and their size; {@link listed} if they differ. */
const fields = 3;
const listed = -1;

const fewest = 1024;

/** An array with room for more numbers: when it is full, its numbers are copied to one of twice the size. */
function withRoom<Numbers extends Float64Array | Uint32Array>(numbers: Numbers, needed: number): Numbers {
  if (needed <= numbers.length) return numbers;
  const larger = new (numbers.constructor as new (length: number) => Numbers)(Math.max(needed, 2 * numbers.length));
  larger.set(numbers);
  return larger;
}

export class SampleRuns {
  #runs = new Float64Array(0);
  #count = 0;
  #sizes = new Uint32Array(0);
  #listed = 0;

  add(at: number, count: number, sizes: SampleSizes): void {
    this.#runs = withRoom(this.#runs, Math.max(fewest, (this.#count + 1) * fields));
    const isListed = typeof sizes !== 'number';
    this.#runs.set([at, count, isListed ? listed : sizes], this.#count * fields);
    this.#count += 1;
    if (!isListed) return;
    this.#sizes = withRoom(this.#sizes, Math.max(fewest, this.#listed + count));
    this.#sizes.set(sizes, this.#listed);
    this.#listed += count;
  }

  /** Visits all samples; `begin` is called with the number of samples before each run. */
  each(begin: (count: number) => void, visit: (at: number, size: number) => void): void {
    for (let run = 0, next = 0; run < this.#count; run += 1) {
      const [at = 0, count = 0, size = 0] = this.#runs.subarray(run * fields, (run + 1) * fields);
      begin(count);
      for (let sample = 0, place = at; sample < count; sample += 1) {
        const own = size === listed ? (this.#sizes[next + sample] ?? 0) : size;
        visit(place, own);
        place += own;
      }
      if (size === listed) next += count;
    }
  }
}
