/**
 * Keeps the media data of an MP4 that is read as a stream: where the samples are is only known from the index, which
 * comes after it.
 */
import type { Walk } from './file-walk.ts';
import type { FileWindow } from './file-window.ts';

/**
 * The most bytes to keep: more than a recording of the largest allowed size has. The price of a larger file depends on
 * its video track, whose samples are not examined, or only those that are kept.
 */
const maxKept = 28 * 2 ** 20;

interface Part {
  readonly start: number;
  readonly bytes: Buffer;
}

export class KeptBytes {
  readonly #parts: Part[] = [];
  #kept = 0;
  /** The part that was read last: it is tried first, because most samples follow each other. */
  #last = 0;

  /** Keeps the bytes between two positions, as far as they exist. */
  *keep(file: FileWindow, from: number, to: number): Walk<void> {
    const last = Math.min(to, from + maxKept - this.#kept);
    for (let at = from; at < last; ) {
      if (!file.has(at, 1) && !(yield* file.load(at, 1))) return;
      const bytes = file.view(at, Math.min(last, file.end) - at);
      this.#parts.push({ start: at, bytes });
      this.#kept += bytes.length;
      at += bytes.length;
    }
  }

  /** The last part that begins at a position or before it. */
  #partAt(at: number): number {
    const parts = this.#parts;
    let [low, high] = [0, parts.length];
    const isAfter = (part: number) => (parts[part]?.start ?? Number.POSITIVE_INFINITY) > at;
    if (!isAfter(this.#last) && isAfter(this.#last + 1)) return this.#last;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (isAfter(middle)) high = middle;
      else low = middle + 1;
    }
    return Math.max(0, low - 1);
  }

  /** The kept bytes of this range; fewer if not all of them were kept. */
  read(at: number, length: number): Buffer {
    this.#last = this.#partAt(at);
    const first = this.#parts[this.#last];
    // Most samples lie within a single part of the stored bytes, which is returned without a copy.
    if (first && first.start <= at && at + length <= first.start + first.bytes.length) {
      return first.bytes.subarray(at - first.start, at - first.start + length);
    }
    const found: Buffer[] = [];
    for (let [part, next] = [this.#last, at]; next < at + length; part += 1) {
      const { start, bytes } = this.#parts[part] ?? { start: Number.POSITIVE_INFINITY, bytes: Buffer.alloc(0) };
      if (start > next || next >= start + bytes.length) break;
      const piece = bytes.subarray(next - start, at + length - start);
      found.push(piece);
      next += piece.length;
    }
    return Buffer.concat(found);
  }
}
