/** Lossless WebP images of two colors. */
import type { Color, TwoColors } from './two-colors.ts';
import { type Grid, wordOn } from './word.ts';

/** Writes bits, the least significant bit first. */
class BitWriter {
  readonly bytes: Buffer;
  #at = 0;

  constructor(bytes: number) {
    this.bytes = Buffer.alloc(bytes);
  }

  put(value: number, bits: number): void {
    for (let bit = 0; bit < bits; bit += 1, this.#at += 1) {
      const byte = this.#at >> 3;
      this.bytes.writeUInt8(this.bytes.readUInt8(byte) | (((value >> bit) & 1) << (this.#at & 7)), byte);
    }
  }

  get length(): number {
    return Math.ceil(this.#at / 8);
  }
}

/** A prefix code of one or two values; a single value takes no bits. */
function putCode(bits: BitWriter, values: readonly number[]): void {
  const [first = 0, second] = values.toSorted((one, other) => one - other);
  bits.put(1, 1);
  bits.put(second === undefined ? 0 : 1, 1);
  bits.put(1, 1);
  bits.put(first, 8);
  if (second !== undefined) bits.put(second, 8);
}

/** The channels in the order in which they are written. */
const channelsOf = ({ rgb: [red, green, blue], alpha }: Color) => [green, red, blue, alpha];

const headerBytes = 64;

/** Draws the word as a WebP. */
export function webp(size: Grid, { paper, word }: TwoColors): Uint8Array {
  const ofWord = channelsOf(word);
  const channels = channelsOf(paper).map((value, index) => [value, ofWord[index] ?? 0] as const);
  const bits = new BitWriter(headerBytes + Math.ceil((size.width * size.height * channels.length) / 8));
  bits.put(0x2f, 8);
  bits.put(size.width - 1, 14);
  bits.put(size.height - 1, 14);
  bits.put(paper.alpha < 255 || word.alpha < 255 ? 1 : 0, 1);
  // Version 0, without transforms, color cache and meta codes.
  bits.put(0, 3 + 3);
  for (const values of channels) putCode(bits, [...new Set(values)]);
  // The codes of distances, which are not used because nothing is repeated.
  putCode(bits, [0]);
  // The prefix code assigns 0 to the smaller of the two values of a channel.
  const different = channels.filter(([one, other]) => one !== other);
  const codeOf = (which: 0 | 1) =>
    different.reduce((code, pair, index) => code | ((pair[which] === Math.max(...pair) ? 1 : 0) << index), 0);
  const [codeOfPaper, codeOfWord] = [codeOf(0), codeOf(1)];
  const { covers } = wordOn(size);
  for (let y = 0; y < size.height; y += 1) {
    for (let x = 0; x < size.width; x += 1) bits.put(covers(x, y) ? codeOfWord : codeOfPaper, different.length);
  }
  const { length } = bits;
  const padded = length + (length % 2);
  const head = Buffer.from('RIFF____WEBPVP8L____', 'latin1');
  head.writeUInt32LE(padded + 12, 4);
  head.writeUInt32LE(length, 16);
  return Buffer.concat([head, bits.bytes.subarray(0, padded)]);
}
