/** The widths of the scale factor bands of AAC (ISO/IEC 14496-3, 4.5.4), for frames of 1024 samples. */

/** Widths of bands in coefficients, from the lowest; `8x3` stands for three bands of 8. */
const longWidths = {
  96: '4x14 8x5 12x5 16x2 24 28 36 44 64x11',
  64: '4x14 8x4 12x3 16x3 20 24x2 28 36 40x18',
  48: '4x10 8x7 12x4 16x2 20x2 24x2 28x2 32x19 96',
  32: '4x10 8x7 12x4 16x2 20x2 24x2 28x2 32x22',
  24: '4x11 8x10 12x4 16x3 20x2 24x2 28x2 32 36x2 40 44 48 52x2 64x5',
  16: '8x11 12x9 16x4 20x3 24x2 28x2 32 36 40x2 44 48 52 56 60 64x3',
  8: '12x13 16x7 20x4 24x3 28x2 32 36x2 40 44 48 52 56 60 64 80',
} as const;
const shortWidths = {
  96: '4x6 8x3 16 28 36',
  48: '4x5 8x3 12x3 16x3',
  24: '4x7 8x3 12x2 16x2 20',
  16: '4x8 8x2 12x2 16 20x2',
  8: '4x7 8x4 12 16 20x2',
} as const;

/** The tables of each sample rate, by its index. */
const longTables = [96, 96, 64, 48, 48, 32, 24, 24, 16, 16, 16, 8, 8] as const;
const shortTables = [96, 96, 96, 48, 48, 48, 24, 24, 16, 16, 16, 8, 8] as const;

/** Where each band begins, and where the last one ends. */
export type Bands = Uint16Array;

function bandsOf(widths: string): Bands {
  const starts = [0];
  for (const [, width, times = 1] of widths.matchAll(/(\d+)(?:x(\d+))?/g)) {
    for (let left = Number(times); left > 0; left -= 1) starts.push((starts.at(-1) ?? 0) + Number(width));
  }
  return Uint16Array.from(starts);
}

export interface WindowBands {
  readonly long: Bands;
  readonly short: Bands;
}

/** The bands at the sample rate of an index in `aacRates`; undefined if there is no such rate. */
export function bandsAt(rateIndex: number): WindowBands | undefined {
  const [long, short] = [longTables[rateIndex], shortTables[rateIndex]];
  return long && short ? { long: bandsOf(longWidths[long]), short: bandsOf(shortWidths[short]) } : undefined;
}
