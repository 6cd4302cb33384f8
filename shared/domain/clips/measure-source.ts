/** Measures the copied video and compares it with what the account pays for. */
import type { ClipSource } from '../../contracts/cut-clips.ts';
import type { InputLimits } from '../../contracts/media.ts';
import { isMeasured } from '../../media-files/measured-file.ts';
import { type MeasuringHost, measureFile } from '../../media-files/read-media.ts';
import type { StoredFile } from '../../platform/work-storage.ts';
import { invalid, isProblem, type MediaProblem, tooLong, unreadable } from '../media/media-problem.ts';
import { factsOf, problemOfFault, thoroughReadLimits } from '../media/probe-media.ts';
import { type ClipOrder, toleratedSeconds } from './clip-task.ts';

/** The shortest video per clip: a few frames. */
const minClipSeconds = 0.1;

interface Options {
  readonly measuring?: MeasuringHost | undefined;
  /** How much longer the video may be than what was paid for, in seconds. */
  readonly tolerance?: number;
}

/** Measures the copy. @throws what the storage throws */
export async function measureSource(
  file: StoredFile,
  limits: InputLimits,
  { seconds, clipCount }: ClipOrder,
  { measuring, tolerance = toleratedSeconds }: Options = {},
): Promise<ClipSource | MediaProblem> {
  const measured = await measureFile(file, { ...measuring, limits: thoroughReadLimits, isThorough: true });
  if (!isMeasured(measured)) return problemOfFault(measured, limits);
  const { durationSec: longestSec, framesPerSecond = 0, hasAudio: hasSound } = measured;
  if (longestSec >= seconds + tolerance) {
    return tooLong(`is ${Math.floor(longestSec)} seconds long, and was ${seconds} when the task was created`);
  }
  const facts = factsOf(measured, { kind: 'video', limits });
  if (isProblem(facts)) return facts;
  const { durationSec, width, height } = facts;
  if (durationSec < clipCount * minClipSeconds) return invalid('is too short');
  if (width === undefined || height === undefined || !(framesPerSecond > 0)) return unreadable(limits.types);
  return { bytes: file.size, durationSec, width, height, framesPerSecond, hasSound };
}
