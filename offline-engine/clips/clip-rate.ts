/** The frame rate of clips. */
import { open } from 'node:fs/promises';
import { readContainer } from '../../shared/media-files/read-container.ts';
import { rangesOf } from '../fetch-file.ts';

const max = 30;
const tolerance = 0.005;

export interface ClipRate {
  /** Frames per second, as a number or a fraction for ffmpeg. */
  readonly rate: string;
  /** Whether the source has exactly this rate, so that all of its frames are kept. */
  readonly isOfSource: boolean;
}

/**
 * The rate of the source or, if it is above 30, an integer fraction of it, so that motion stays even: 50 becomes 25. A
 * source with a variable rate gets 30.
 */
export function clipRate(sourceRate: number | undefined): ClipRate {
  if (sourceRate === undefined) return { rate: String(max), isOfSource: false };
  for (const divisor of [1, 1.001]) {
    const whole = Math.round(sourceRate * divisor);
    if (whole < 1 || Math.abs(sourceRate * divisor - whole) > tolerance) continue;
    const part = Math.ceil(whole / max);
    const rate = divisor === 1 ? `${whole}/${part}` : `${whole * 1000}/${1001 * part}`;
    return { rate, isOfSource: part === 1 };
  }
  return { rate: String(max), isOfSource: false };
}

/** The rate of a file; undefined without a readable index. */
export async function fileRate(path: string): Promise<number | undefined> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    return (await readContainer(rangesOf(file, size)))?.framesPerSecond;
  } finally {
    await file.close();
  }
}
