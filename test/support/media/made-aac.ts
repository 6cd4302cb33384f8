/** Random blocks of AAC-LC in which every feature of the format occurs, and ADTS files of them. */
import { bandsAt } from '../../../shared/media-files/aac-bands.ts';
import { bookOf, type CodeBook, escapeBook } from '../../../shared/media-files/aac-codes.ts';
import { aacRates } from '../../../shared/media-files/aac-config.ts';
import type { Numbers } from '../seeded-numbers.ts';

interface Word {
  readonly word: number;
  readonly length: number;
  readonly digit: number;
}

/** All code words of a codebook, in ascending order. */
export function wordsOf(book: CodeBook): readonly Word[] {
  const words: Word[] = [];
  for (let at = 0; at < 2 ** 32; ) {
    const found = book.wordIn(at | 0);
    const [length, digit] = [found >> 4, found & 15];
    words.push({ word: at / 2 ** (32 - length), length, digit });
    at += 2 ** (32 - length);
  }
  return words;
}

/** Collects bits, from the highest of each byte. */
export class BitWriter {
  readonly #bits: number[] = [];

  add(value: number, count: number): this {
    for (let bit = count - 1; bit >= 0; bit -= 1) this.#bits.push(Math.floor(value / 2 ** bit) & 1);
    return this;
  }

  align(): void {
    while (this.#bits.length % 8 > 0) this.#bits.push(0);
  }

  bytes(): Buffer {
    this.align();
    const bytes = Buffer.alloc(this.#bits.length / 8);
    for (const [at, bit] of this.#bits.entries()) bytes[at >> 3] = (bytes[at >> 3] ?? 0) | (bit << (7 - (at & 7)));
    return bytes;
  }
}

interface Windows {
  readonly isShort: boolean;
  readonly bands: Uint16Array;
  readonly used: number;
  readonly groups: readonly number[];
}

const words = Array.from({ length: 11 }, (_, index) => wordsOf(index === 10 ? escapeBook : bookOf(index + 1)));
const noise = 13;
const intensity = [14, 15];

export class BlockMaker {
  readonly #numbers: Numbers;
  readonly #rateIndex: number;
  #bits = new BitWriter();

  constructor(numbers: Numbers, rateIndex: number) {
    this.#numbers = numbers;
    this.#rateIndex = rateIndex;
  }

  /** A block for one or two channels. */
  block(channels: 1 | 2): Buffer {
    this.#bits = new BitWriter();
    this.#extras();
    this.#bits.add(channels - 1, 3).add(0, 4);
    if (channels === 1) this.#channel(undefined, false);
    else this.#pair();
    this.#extras();
    return this.#bits.add(7, 3).bytes();
  }

  #add(bits: number): number {
    const value = this.#numbers(2 ** bits);
    this.#bits.add(value, bits);
    return value;
  }

  #pick<Item>(items: readonly Item[]): Item {
    return items[this.#numbers(items.length)] as Item;
  }

  #pair(): void {
    const common = this.#add(1) === 1 ? this.#windows() : undefined;
    if (common) {
      const mask = this.#numbers(3);
      this.#bits.add(mask, 2);
      const masked = mask === 1 ? common.groups.length * common.used : 0;
      for (let bit = 0; bit < masked; bit += 1) this.#add(1);
    }
    this.#channel(common, false);
    this.#channel(common, true);
  }

  #windows(): Windows {
    const sequence = this.#bits.add(0, 1) && this.#add(2);
    const isShort = sequence === 2;
    const tables = bandsAt(this.#rateIndex);
    const bands = (isShort ? tables?.short : tables?.long) ?? new Uint16Array();
    const used = this.#add(1) && this.#numbers(bands.length);
    this.#bits.add(used, isShort ? 4 : 6);
    const [groups, windows] = [[1], isShort ? 8 : 1];
    for (let window = 1; window < windows; window += 1) {
      if (this.#add(1)) groups.push((groups.pop() ?? 0) + 1);
      else groups.push(1);
    }
    if (!isShort) this.#bits.add(0, 1);
    return { isShort, bands, used, groups };
  }

  #channel(common: Windows | undefined, isRight: boolean): void {
    this.#bits.add(120 + this.#numbers(60), 8);
    const windows = common ?? this.#windows();
    const sections = this.#sections(windows, isRight);
    let hasNoise = false;
    for (const { type, count } of sections) {
      for (let left = type === 0 ? 0 : count; left > 0; left -= 1) {
        // The shortest code word, for a difference of 0, leaves the scale factor unchanged.
        if (type !== noise || hasNoise) this.#bits.add(0, 1);
        else this.#bits.add(256, 9);
        hasNoise ||= type === noise;
      }
    }
    this.#pulses(windows);
    this.#noiseShaping(windows);
    this.#bits.add(0, 1);
    for (const { type, coefficients } of sections) {
      const words = type === 0 || type >= noise ? 0 : coefficients / (type <= 4 ? 4 : 2);
      for (let word = 0; word < words; word += 1) this.#word(type);
    }
  }

  #sections({ isShort, bands, used, groups }: Windows, isRight: boolean) {
    const bits = isShort ? 3 : 5;
    const sections: { readonly type: number; readonly count: number; readonly coefficients: number }[] = [];
    for (const group of groups) {
      for (let band = 0; band < used; ) {
        const count = 1 + this.#numbers(used - band);
        const type = this.#pick([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, noise, ...(isRight ? intensity : [])]);
        this.#bits.add(type, 4);
        let left = count;
        for (; left >= 2 ** bits - 1; left -= 2 ** bits - 1) this.#bits.add(2 ** bits - 1, bits);
        this.#bits.add(left, bits);
        const coefficients = group * ((bands[band + count] ?? 0) - (bands[band] ?? 0));
        sections.push({ type, count, coefficients });
        band += count;
      }
    }
    return sections;
  }

  #pulses({ isShort }: Windows): void {
    const isPresent = !isShort && this.#numbers(3) === 0;
    this.#bits.add(isPresent ? 1 : 0, 1);
    if (!isPresent) return;
    const count = this.#add(2) + 1;
    this.#bits.add(this.#numbers(8), 6);
    for (let pulse = 0; pulse < count; pulse += 1) this.#add(9);
  }

  #noiseShaping({ isShort }: Windows): void {
    if (this.#add(1) === 0) return;
    const [countBits, lengthBits, orderBits, highest] = isShort ? [1, 4, 3, 7] : [2, 6, 5, 12];
    for (let window = isShort ? 8 : 1; window > 0; window -= 1) {
      const filters = this.#add(countBits);
      const resolution = filters > 0 ? 3 + this.#add(1) : 0;
      for (let filter = 0; filter < filters; filter += 1) {
        this.#add(lengthBits);
        const order = this.#numbers(highest + 1);
        this.#bits.add(order, orderBits);
        if (order === 0) continue;
        this.#add(1);
        const bits = resolution - this.#add(1);
        for (let coefficient = 0; coefficient < order; coefficient += 1) this.#add(bits);
      }
    }
  }

  /** Writes a random codeword, usually a short one, so that the block does not become too large. */
  #word(type: number): void {
    const all = words[type - 1] ?? [];
    const { word, length, digit } = this.#pick(this.#numbers(20) === 0 ? all : all.slice(0, 3));
    this.#bits.add(word, length);
    for (let sign = type === 11 ? digit % 3 : digit; sign > 0; sign -= 1) this.#add(1);
    for (let left = type === 11 ? Math.floor(digit / 3) : 0; left > 0; left -= 1) {
      const ones = this.#numbers(9);
      this.#bits.add(2 ** (ones + 1) - 2, ones + 1);
      this.#add(ones + 4);
    }
  }

  /** Elements without audio: data, padding, and padding that contains dynamic range control. */
  #extras(): void {
    for (let left = this.#numbers(3); left > 0; left -= 1) {
      if (this.#numbers(2)) this.#data(this.#pick([0, 1, 9, 255, 300]));
      else this.#fill(this.#pick([0, 1, 5, 14, 15, 16, 40]));
    }
  }

  #data(bytes: number): void {
    this.#bits.add(4, 3).add(0, 4);
    const isAligned = this.#add(1);
    this.#bits.add(Math.min(bytes, 255), 8);
    if (bytes >= 255) this.#bits.add(bytes - 255, 8);
    if (isAligned) this.#bits.align();
    for (let left = bytes; left > 0; left -= 1) this.#add(8);
  }

  #fill(bytes: number): void {
    this.#bits.add(6, 3).add(Math.min(bytes, 15), 4);
    if (bytes >= 15) this.#bits.add(bytes - 14, 8);
    let left = bytes;
    if (bytes >= 5 && this.#numbers(2)) {
      // Dynamic range control for one program, with a reference level and without excluded channels or bands.
      this.#bits.add(11, 4).add(0b1, 1).add(0x30, 8).add(0b001, 3).add(0x12, 8).add(77, 8);
      left -= 4;
    }
    if (left === 0) return;
    this.#bits.add(this.#numbers(3), 4);
    for (let bits = 8 * left - 4; bits > 0; bits -= 4) this.#add(4);
  }
}

/** The longest frame of ADTS. */
const longestFrame = 8191;

/** Blocks as frames of ADTS, without those that are too long. */
export function adtsOf(blocks: readonly Buffer[], rate: (typeof aacRates)[number], channels: number): Buffer {
  return Buffer.concat(
    blocks.flatMap((block) => {
      const length = block.length + 7;
      if (length > longestFrame) return [];
      const head = new BitWriter().add(0xfff1, 16).add(1, 2).add(aacRates.indexOf(rate), 4).add(0, 1).add(channels, 3);
      return [head.add(0, 4).add(length, 13).add(0x7ff, 11).add(0, 2).bytes(), block];
    }),
  );
}
