/**
 * The Huffman codebooks of AAC (ISO/IEC 14496-3, annex 4.A), reduced to how many bits each code word takes, with the
 * signs and escapes after it.
 */

/**
 * The code words of each codebook in ascending order, grouped by their length in bits. Each digit stands for a code
 * word: the number of sign bits that follow it. Code words of equal length are consecutive numbers.
 */
const bookWords = [
  '1:0 5:00000000 7:000000000000000000000000 9:000000000000000000000000 10:00000000 11:0000000000000000',
  '3:0 4:0 5:0000000 6:000000000000000000000000 7:000000000000000 8:0000000000000000000 9:00000000000000',
  `1:0 4:1111 5:22 6:222323 7:433 8:11223 9:232331221224334 10:323244332333223 11:24334423 12:333334444 13:223
    14:343 15:44432 16:33`,
  '4:4333312022 5:221211 7:444433333 8:333333322222222222211 9:11444444 10:33333333343334 11:44222222433 12:33',
  `1:0 4:0000 5:0000 7:0000 8:000000000000 9:000000000000 10:000000000000 11:000000000000000000 12:0000000000
    13:0000`,
  '4:000000000 6:0000000000000000 7:0000000000000 8:00000000 9:00000000000000000000000 10:00000000 11:0000',
  '1:0 3:11 4:2 6:2211 7:22211 8:2222222211 9:22212122222222 10:211222222222222 11:11222222 12:2222',
  '3:2 4:21212 5:0112222 6:2222211222 7:22222221212222 8:222121222222222 9:22121222 10:2112',
  `1:0 3:11 4:2 6:2211 7:222 8:11222222 9:22112222222 10:12122222222122222222 11:1222122221222211222222222222212
    12:22122222222222222222222122122222221222 13:22222222222212212222122222222222 14:22222222222222 15:2222`,
  `4:222 5:21122222 6:11222202211222 7:22222222212122222 8:2222222121222222222222222
    9:2221222221222222222222222221212 10:22222212222221222222222222222221212122222 11:2222222222121222122212
    12:22222122`,
] as const;

/**
 * The code words of the codebook with escapes: 4 stands for one sign and one escape, 5 for two signs and one escape, 8
 * for two of each.
 */
const escapeWords = `
  4:02 5:811222 6:2221212 7:2222221122222222 8:22222225555525121525555222225522555225255525225522215522221
    9:2552252522222225221222222122222222222222122222222222422
    10:22224212222222222222222222222222222221222222222222222222122222222222222222222222222211222222222
    11:2222222222222222212212122212222211222212212 12:112112`;

/** The code words of differences between scale factors, which neither signs nor escapes follow. */
const scaleWords = `
    1:0 3:0 4:000 5:00 6:0000 7:000 8:00000 9:0000 10:000000 11:000000 12:000000 13:00000 14:00000000 15:0000
    16:0000000 17:000 18:0000000 19:0000000000000000000000000000000000000000000000`;

/** The most bits of code words that are looked up in a table. */
export const shortBits = 10;
const longestWord = 19;

export class CodeBook {
  /**
   * For each value of the next bits, how many bits the code word takes with its signs; 0 if the code word is longer
   * than the table's index or has escapes.
   */
  readonly short = new Uint8Array(2 ** shortBits);
  /** For each code length: the first code word, the number of code words, and how many code words are shorter. */
  readonly #first = new Uint32Array(longestWord + 1);
  readonly #count = new Uint8Array(longestWord + 1);
  readonly #shorter = new Uint16Array(longestWord + 1);
  readonly #digits: Uint8Array;

  constructor(words: string) {
    const digits: number[] = [];
    let [word, lastLength] = [0, 0];
    for (const [, length, ofLength = ''] of words.matchAll(/(\d+):(\d+)/g)) {
      const bits = Number(length);
      word *= 2 ** (bits - lastLength);
      lastLength = bits;
      this.#first[bits] = word;
      this.#count[bits] = ofLength.length;
      this.#shorter[bits] = digits.length;
      for (const digit of Array.from(ofLength, Number)) {
        const isShort = bits <= shortBits && (digit <= 2 || !words.includes('8:'));
        if (isShort)
          this.short.fill(bits + digit, word * 2 ** (shortBits - bits), (word + 1) * 2 ** (shortBits - bits));
        digits.push(digit);
        word += 1;
      }
    }
    this.#digits = Uint8Array.from(digits);
  }

  /**
   * For the code word with which 32 bits begin: its length times 16, plus its digit. Every sequence of bits begins with
   * a code word.
   */
  wordIn(bits: number): number {
    for (let length = 1; length <= longestWord; length += 1) {
      const index = (bits >>> (32 - length)) - (this.#first[length] ?? 0);
      if (index >= 0 && index < (this.#count[length] ?? 0)) {
        return length * 16 + (this.#digits[(this.#shorter[length] ?? 0) + index] ?? 0);
      }
    }
    return 0;
  }
}

const books = bookWords.map((words) => new CodeBook(words));
export const escapeBook = new CodeBook(escapeWords);
export const scaleBook = new CodeBook(scaleWords);

/** The Huffman codebook of a section type from 1 to 11. */
export const bookOf = (type: number): CodeBook => books[type - 1] ?? escapeBook;
