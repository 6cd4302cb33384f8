/** PNG images of two colors. */
import { crc32, deflateSync } from 'node:zlib';
import { BitWriter } from './bit-writer.ts';
import type { TwoColors } from './two-colors.ts';
import { type Grid, wordOn } from './word.ts';

const signature = Buffer.from('89504e470d0a1a0a', 'hex');

function chunk(name: string, data: Uint8Array): Buffer {
  const content = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const framed = Buffer.alloc(content.length + 8);
  framed.writeUInt32BE(data.length, 0);
  framed.set(content, 4);
  framed.writeUInt32BE(crc32(content), content.length + 4);
  return framed;
}

/**
 * A row of pixels, with one bit per pixel that is 1 for the word. The row begins with the number of its filter: 0, for
 * no filter.
 */
function row(width: number, isWord: (x: number) => boolean): Buffer {
  const bits = new BitWriter();
  bits.put(0, 8);
  for (let x = 0; x < width; x += 1) bits.put(isWord(x) ? 1 : 0, 1);
  bits.fill(0);
  return Buffer.from(bits.bytes());
}

/** All rows; each line of the letters is drawn once. */
function pixels(size: Grid): Buffer {
  const { covers, lineAt } = wordOn(size);
  const rows = new Map<number, Buffer>();
  return Buffer.concat(
    Array.from({ length: size.height }, (_, y) => {
      const known = rows.get(lineAt(y)) ?? row(size.width, (x) => covers(x, y));
      rows.set(lineAt(y), known);
      return known;
    }),
  );
}

/** Draws the word as a PNG. */
export function png(size: Grid, { paper, word }: TwoColors): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size.width, 0);
  header.writeUInt32BE(size.height, 4);
  // One bit per pixel, which is an index into the palette.
  header.set([1, 3], 8);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('PLTE', Uint8Array.from([paper, word].flatMap(({ rgb }) => rgb))),
    chunk('tRNS', Uint8Array.of(paper.alpha, word.alpha)),
    chunk('IDAT', deflateSync(pixels(size))),
    chunk('IEND', new Uint8Array()),
  ]);
}
