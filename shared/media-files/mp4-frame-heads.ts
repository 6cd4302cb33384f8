/**
 * Detects samples of AAC with headers of their own: decoders obey the sample rate in such a header, which no index
 * declares.
 */
import type { Walk } from './file-walk.ts';
import type { FileWindow } from './file-window.ts';
import type { Work } from './work.ts';

/**
 * The most bytes to search for headers: more than a recording of the largest allowed size has. The price of larger
 * files depends on the picture.
 */
const maxSearched = 28 * 2 ** 20;

export class FrameHeads {
  readonly #positions = new Set<number>();
  #searched = 0;

  has(at: number): boolean {
    return this.#positions.has(at);
  }

  /** Records where a header may begin between two positions. @throws {MediaFault} excessive */
  *search(file: FileWindow, from: number, to: number, work: Work): Walk<void> {
    const last = Math.min(to, from + maxSearched - this.#searched);
    for (let at = from; at < last; ) {
      if (!file.has(at, 2) && !(yield* file.load(at, 2))) return;
      // The second byte of a header at the end is not in view.
      const searched = Math.min(last, file.end - 1) - at;
      work.scan(searched);
      this.#searched += searched;
      const { bytes, start } = file;
      for (let next = at - start; next < at - start + searched; next += 1) {
        if (bytes[next] !== 0xff || (bytes[next + 1] ?? 0) < 0xf0) continue;
        work.visit();
        this.#positions.add(start + next);
      }
      at += searched;
    }
  }
}
