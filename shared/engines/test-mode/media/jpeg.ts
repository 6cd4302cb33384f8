/** JPEG images in shades of gray, whose blocks of 8 × 8 pixels each have one shade. */
import { BitWriter } from './bit-writer.ts';
import type { Shades } from './shades.ts';
import { type Grid, wordOn } from './word.ts';

const side = 8;

/** The standard codes of differences by their number of bits, shortest first. */
const codeCounts = [0, 1, 5, 1, 1, 1, 1, 1, 1] as const;
const codes = (() => {
  const list: { readonly code: number; readonly bits: number }[] = [];
  let code = 0;
  for (const [index, count] of codeCounts.entries()) {
    for (let one = 0; one < count; one += 1, code += 1) list.push({ code, bits: index + 1 });
    code <<= 1;
  }
  return list;
})();

function segment(marker: number, ...data: readonly number[]): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(data.length + 2, 2);
  return Buffer.concat([head, Uint8Array.from(data)]);
}

const table = (kind: number, counts: readonly number[], values: readonly number[]) =>
  segment(0xc4, kind, ...Array.from({ length: 16 }, (_, index) => counts[index] ?? 0), ...values);

const bytesOf = (value: number) => [value >> 8, value & 255];

/** The difference between the shade of a block and that of the previous block; the block has no other coefficients. */
function putBlock(bits: BitWriter, difference: number): void {
  const size = 32 - Math.clz32(Math.abs(difference));
  const { code = 0, bits: length = 0 } = codes[size] ?? {};
  bits.put(code, length);
  bits.put(difference < 0 ? difference + 2 ** size - 1 : difference, size);
  bits.put(0, 1);
}

/** In the coded data, a byte of 255 is followed by 0. */
const escaped = (bytes: Uint8Array) =>
  Uint8Array.from([...bytes].flatMap((byte) => (byte === 255 ? [255, 0] : [byte])));

/** Draws the word as a JPEG. */
export function jpeg({ width, height }: Grid, shades: Shades): Uint8Array {
  const grid = { width: Math.ceil(width / side), height: Math.ceil(height / side) };
  const { covers } = wordOn(grid);
  const bits = new BitWriter();
  let before = 128;
  for (let y = 0; y < grid.height; y += 1) {
    for (let x = 0; x < grid.width; x += 1) {
      const shade = covers(x, y) ? shades.word : shades.paper;
      putBlock(bits, shade - before);
      before = shade;
    }
  }
  bits.fill(1);
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xe0, ...Buffer.from('JFIF\0', 'latin1'), 1, 1, 0, 0, 1, 0, 1, 0, 0),
    // With steps of 8, the mean of a block has the scale of its shade.
    segment(0xdb, 0, ...Array.from({ length: side * side }, () => side)),
    segment(0xc0, 8, ...bytesOf(height), ...bytesOf(width), 1, 1, 0x11, 0),
    table(
      0x00,
      codeCounts,
      codes.map((_, size) => size),
    ),
    table(0x10, [1], [0]),
    segment(0xda, 1, 1, 0, 0, side * side - 1, 0),
    escaped(bits.bytes()),
    Buffer.from([0xff, 0xd9]),
  ]);
}
