/** The part of a file that is in memory while a walk moves from its beginning to its end. */
import type { Walk } from './file-walk.ts';
import { excessive } from './media-fault.ts';

/** The size of the first block, which is that of the first request for a remote file. */
const firstBlock = 64 * 1024;
/** The largest block: blocks grow up to this size while a file is read without gaps. */
const largestBlock = 2 ** 20;
/** The most loaded bytes that are read again rather than moved in memory: reading them again costs less. */
const littleKept = 64 * 1024;
/**
 * The largest gap that counts as sequential reading: it is shorter than an audio frame, or reading it takes no longer
 * than another request.
 */
const smallGap = { usual: 16 * 1024, thorough: 512 * 1024 } as const;
/** The most bytes to load at once: enough for the index of an hours-long video, which has a few megabytes. */
const largestLoad = 32 * 2 ** 20;

export class FileWindow {
  /** The file position of the first byte in view. */
  start = 0;
  bytes: Buffer = Buffer.alloc(0);
  /** The file's size; undefined until its end has been seen. */
  size: number | undefined;
  #block = firstBlock / 2;
  /** The least number of bytes that the file is known to have. */
  #reached = 0;

  readonly #isSeekable: boolean;

  readonly #smallGap: number;

  /**
   * `size` is passed only if the file can be read in any order. With `isThorough`, fewer and larger blocks are read.
   */
  constructor(size?: number, isThorough = false) {
    this.size = size;
    this.#smallGap = smallGap[isThorough ? 'thorough' : 'usual'];
    this.#isSeekable = size !== undefined;
  }

  /** The file position after the last byte in view. */
  get end(): number {
    return this.start + this.bytes.length;
  }

  has(at: number, length: number): boolean {
    return at >= this.start && at + length <= this.start + this.bytes.length;
  }

  /**
   * Moves the window to these bytes and discards those before them; returns whether all of them exist.
   * @throws {MediaFault} excessive
   */
  *load(at: number, length: number): Walk<boolean> {
    if (this.has(at, length)) return true;
    // At the end of the file, returns without reading or copying the same bytes again.
    if (at >= this.start && this.end === this.size) return false;
    if (length > largestLoad) throw excessive();
    if (at < this.start && !this.#isSeekable) throw new Error('a walk went back in a stream');
    const isSoon = at >= this.start && at <= this.end;
    const isNext = isSoon && !(this.#isSeekable && this.end - at < Math.min(littleKept, this.#block / 8));
    const from = isNext ? this.end : at;
    const kept = isNext ? this.bytes.subarray(at - this.start) : Buffer.alloc(0);
    const isNear = at >= this.start && at <= this.end + this.#smallGap;
    this.#block = isNear ? Math.min(this.#block * 2, largestBlock) : firstBlock;
    const to = Math.min(from + Math.max(at + length - from, this.#block), this.size ?? Number.POSITIVE_INFINITY);
    let read: Uint8Array = new Uint8Array();
    if (to > from) {
      const min = Math.min(at + length, to);
      read = yield { start: from, end: to, isRead: true, min };
      if (from + read.length < min) this.size = from + read.length;
    }
    this.start = at;
    this.bytes = kept.length > 0 ? Buffer.concat([kept, read]) : Buffer.from(read.buffer, read.byteOffset, read.length);
    return this.has(at, length);
  }

  /** Whether the file has at least `end` bytes. */
  *reaches(end: number): Walk<boolean> {
    if (end <= Math.max(this.end, this.#reached)) return true;
    if (this.size !== undefined) return end <= this.size;
    const last = yield { start: end - 1, end, isRead: false };
    if (last.length > 0) this.#reached = end;
    return last.length > 0;
  }

  /** The bytes of this range, which must have been loaded. */
  view(at: number, length: number): Buffer {
    return this.bytes.subarray(at - this.start, at - this.start + length);
  }

  u8(at: number): number {
    return this.bytes[at - this.start] ?? 0;
  }

  text(at: number, length: number): string {
    return this.bytes.toString('latin1', at - this.start, at - this.start + length);
  }
}
