/**
 * H.264 video in shades of gray, without a codec: still pictures of macroblocks that each have one shade, and frames
 * that repeat the picture before them.
 */
import { BitWriter } from './bit-writer.ts';
import type { Grid } from './word.ts';

const side = 16;

/** Writes the codes of the H.264 syntax. */
class SyntaxWriter extends BitWriter {
  /** An unsigned Exp-Golomb code. */
  unsigned(value: number): void {
    const bits = 32 - Math.clz32(value + 1);
    this.put(0, bits - 1);
    this.put(value + 1, bits);
  }

  /** Flags and short numbers, as they are written in the standard: `'100'`. */
  flags(text: string): void {
    this.put(Number.parseInt(text, 2), text.length);
  }
}

/** Wraps a syntax structure; a byte that would look like a start code is preceded by 3. */
function unit(header: number, bits: SyntaxWriter): Uint8Array {
  bits.put(1, 1);
  bits.fill(0);
  const bytes = [header];
  let zeros = 0;
  for (const byte of bits.bytes()) {
    if (zeros >= 2 && byte <= 3) {
      bytes.push(3);
      zeros = 0;
    }
    bytes.push(byte);
    zeros = byte === 0 ? zeros + 1 : 0;
  }
  return Uint8Array.from(bytes);
}

/** The number of macroblocks in each direction. */
export const macroblocks = ({ width, height }: Grid): Grid => ({
  width: Math.ceil(width / side),
  height: Math.ceil(height / side),
});

/** Constrained baseline profile, level 4: up to 1920 × 1080 at 30 frames per second. */
export const profile = { idc: 66, constraints: 0xc0, level: 40 } as const;

/** The sequence parameter set: the size of the frames. Both sides are even. */
export function sequenceParameters(size: Grid): Uint8Array {
  const grid = macroblocks(size);
  const bits = new SyntaxWriter();
  for (const value of [profile.idc, profile.constraints, profile.level]) bits.put(value, 8);
  // The id of the parameter set, 16 frame numbers, frames in the order of their numbers, and one reference frame.
  for (const value of [0, 0, 2, 1]) bits.unsigned(value);
  bits.flags('0');
  bits.unsigned(grid.width - 1);
  bits.unsigned(grid.height - 1);
  bits.flags('111');
  for (const value of [0, (grid.width * side - size.width) / 2, 0, (grid.height * side - size.height) / 2]) {
    bits.unsigned(value);
  }
  bits.flags('0');
  return unit(0x67, bits);
}

/** The picture parameter set. With the quantizer 28, a residual of a whole macroblock is coded as itself. */
export function pictureParameters(): Uint8Array {
  const bits = new SyntaxWriter();
  for (const value of [0, 0]) bits.unsigned(value);
  bits.flags('00');
  for (const value of [0, 0, 0]) bits.unsigned(value);
  bits.flags('000');
  // The differences of the quantizers from 26 (the code of 2 is 4), and the chroma offset.
  for (const value of [3, 0, 0]) bits.unsigned(value);
  bits.flags('100');
  return unit(0x68, bits);
}

/** A coefficient of at least 2 or at most -2. */
function putLevel(bits: SyntaxWriter, level: number): void {
  const code = 2 * Math.abs(level) - (level > 0 ? 4 : 3);
  const prefix = code < 14 ? code : code < 30 ? 14 : 15;
  bits.put(1, prefix + 1);
  if (prefix === 14) bits.put(code - 14, 4);
  if (prefix === 15) bits.put(code - 30, 12);
}

/** The residual of a macroblock with one shade: either one coefficient, without zeros before it, or no coefficient. */
function putResidual(bits: SyntaxWriter, residual: number): void {
  if (Math.abs(residual) === 1) bits.flags(residual > 0 ? '010' : '011');
  if (Math.abs(residual) > 1) {
    bits.flags('000101');
    putLevel(bits, residual);
  }
  bits.flags('1');
}

/** The shade that a decoder predicts for a macroblock from its left and upper neighbors. */
function predicted(left: number | undefined, above: number | undefined): number {
  if (left !== undefined && above !== undefined) return (left + above + 1) >> 1;
  return left ?? above ?? 128;
}

/** An IDR picture, which depends on no other; `position` counts these pictures. */
export function stillPicture(size: Grid, shadeAt: (x: number, y: number) => number, position: number): Uint8Array {
  const grid = macroblocks(size);
  const bits = new SyntaxWriter();
  // An intra slice from the first macroblock on.
  for (const value of [0, 7, 0]) bits.unsigned(value);
  bits.put(0, 4);
  // Two successive pictures have different ids.
  bits.unsigned(position % 2);
  bits.flags('00');
  // No change of the quantizer, and no deblocking.
  for (const value of [0, 1]) bits.unsigned(value);
  for (let y = 0; y < grid.height; y += 1) {
    for (let x = 0; x < grid.width; x += 1) {
      // Macroblock type: intra 16 × 16, predicted by the mean, without chroma; no change of the quantizer.
      for (const value of [3, 0, 0]) bits.unsigned(value);
      const left = x > 0 ? shadeAt(x - 1, y) : undefined;
      const above = y > 0 ? shadeAt(x, y - 1) : undefined;
      putResidual(bits, shadeAt(x, y) - predicted(left, above));
    }
  }
  return unit(0x65, bits);
}

/** A frame that repeats the one before it; `position` is the number of frames since the last still picture. */
export function repeatedPicture(size: Grid, position: number): Uint8Array {
  const grid = macroblocks(size);
  const bits = new SyntaxWriter();
  for (const value of [0, 5, 0]) bits.unsigned(value);
  bits.put(position % 16, 4);
  bits.flags('000');
  for (const value of [0, 1, grid.width * grid.height]) bits.unsigned(value);
  return unit(0x41, bits);
}
