/** Compares a recording with how it was measured for the price when its task was created. */
import { type MediaProblem, outOfLimits, tooLong } from '../media/media-problem.ts';
import type { MediaFacts } from '../media/probe-media.ts';

interface Measured {
  /** The duration measured when the task was created, if the cost depends on it. */
  readonly measuredSeconds: number | undefined;
}

/** Tolerates a tenth of a second between two measurements, because servers may repackage a file. */
const toleratedTenths = 1;

/** The problem of a file whose duration differs from the one that was charged and promised. */
export function otherDuration({ durationSec }: MediaFacts, { measuredSeconds }: Measured): MediaProblem | undefined {
  if (measuredSeconds === undefined) return undefined;
  if (Math.round(Math.abs(durationSec - measuredSeconds) * 10) <= toleratedTenths) return undefined;
  const problem = durationSec > measuredSeconds ? tooLong : outOfLimits;
  return problem(`is now ${durationSec} seconds long; it was ${measuredSeconds} when the task was created`);
}

/**
 * A file that was measured for the price and contradicts itself now was changed, or its contradiction was missed, because
 * of long sound a random part is examined: it counts like one that is too long now, so that an account cannot try again
 * and again.
 */
export const tooLongIfFalse = (problem: MediaProblem, { measuredSeconds }: Measured): MediaProblem =>
  problem.problem === 'contradictory' && measuredSeconds !== undefined ? { ...problem, isTooLong: true } : problem;
