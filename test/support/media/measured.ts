/** Measures the bytes of a file in the same way as the service, and returns how much work that took. */

import { measureAny, measureWalk } from '../../../shared/media-files/measure-walk.ts';
import type { MeasuredFile, Unmeasurable } from '../../../shared/media-files/measured-file.ts';
import { MediaFault } from '../../../shared/media-files/media-fault.ts';
import type { StartMeasuring } from '../../../shared/media-files/read-media.ts';
import { Work } from '../../../shared/media-files/work.ts';

export interface Measurement {
  readonly found: MeasuredFile | Unmeasurable;
  readonly work: Work;
}

/** A busy machine could exceed a limit of time, so tests have none. */
const timer = () => 0;

export const startUntimed: StartMeasuring = (shape) => {
  const walk = measureWalk(shape, timer);
  return { next: (bytes) => walk.next(bytes), close: () => undefined };
};

interface Measuring {
  readonly random?: () => number;
  readonly isThorough?: boolean;
}

/** Measures in parts, or as a stream with chunks of a given size. @throws errors that no reader should throw */
export function measurementOf(
  bytes: Buffer,
  chunk?: number,
  { random, isThorough = false }: Measuring = {},
): Measurement {
  const work = new Work(timer, random);
  const walk = measureAny(chunk === undefined ? { size: bytes.length, isThorough } : {}, work);
  try {
    for (let step = walk.next(); ; ) {
      if (step.done) return { found: step.value, work };
      const { start, end, isRead, min = end, parts } = step.value;
      if (parts) {
        step = walk.next(Buffer.concat(parts.map((part) => bytes.subarray(part.start, part.end))));
        continue;
      }
      const to = chunk === undefined ? end : Math.min(end, Math.ceil(min / chunk) * chunk);
      step = walk.next(isRead ? bytes.subarray(start, to) : bytes.subarray(start, start + 1));
    }
  } catch (error) {
    if (error instanceof MediaFault) return { found: { fault: error.kind, reason: error.message }, work };
    throw error;
  }
}
