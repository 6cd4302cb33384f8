/** Measures audio and video files, in this thread or in another. */

import { type WorkLimit, workLimit } from '../platform/work-limit.ts';
import { driveFile, driveStream, type ReadLimits, type Steps } from './drive-walk.ts';
import type { FileShape } from './file-shape.ts';
import { measureWalk } from './measure-walk.ts';
import type { MeasuredFile, Unmeasurable } from './measured-file.ts';
import { MediaFault } from './media-fault.ts';
import type { ReadableFile } from './readable-file.ts';

/** Starts measuring a file, whose bytes are then passed to it. */
export type StartMeasuring = (shape: FileShape) => Steps<MeasuredFile | Unmeasurable>;

/** Measures on the calling thread. */
export const measureHere: StartMeasuring = (shape) => {
  const walk = measureWalk(shape);
  return { next: (bytes) => walk.next(bytes), close: () => undefined };
};

const unlimited: ReadLimits = { maxBytes: Number.POSITIVE_INFINITY, maxReads: Number.POSITIVE_INFINITY };

/** How a host measures files. */
export interface MeasuringHost {
  /** Starts measuring a file; by default, on the calling thread. */
  readonly start?: StartMeasuring | undefined;
  /** Called with the name of an error that no reader should throw; its file counts as unreadable. */
  readonly readerFailed?: ((errorName: string) => void) | undefined;
  /** Limits how many large parts of files are in memory at once while clients wait; by default, to two. */
  readonly largeReads?: WorkLimit | undefined;
}

const twoLargeReads = workLimit(2);

export interface Measuring extends MeasuringHost {
  /** Limits for a file that is read in parts. */
  readonly limits?: ReadLimits;
  /** Whether a client is waiting: a stream is read only until its beginning reveals the duration. */
  readonly isGlance?: boolean;
  readonly takesDeclaredSound?: boolean;
  /** Whether to examine all parts of a large file. */
  readonly isThorough?: boolean;
  readonly maxSeconds?: number | undefined;
  /** Whether the content is measured again before it is used, so that no sound has to be examined now. */
  readonly isReadAgain?: boolean;
}

const shapeOf = (
  file: ReadableFile,
  options: Pick<FileShape, 'isGlance' | 'isReadAgain' | 'isThorough' | 'maxSeconds' | 'takesDeclaredSound'>,
): FileShape =>
  file.access === 'ranges'
    ? { ...options, size: file.size }
    : { ...options, ...(file.size !== undefined && { announced: file.size }) };

const maxAttempts = 3;

/** Measures a file; a stream is closed afterwards. Rejects if the file cannot be read. */
export async function measureFile(
  file: ReadableFile,
  {
    start = measureHere,
    readerFailed,
    largeReads = twoLargeReads,
    limits = unlimited,
    isGlance = false,
    takesDeclaredSound = false,
    isThorough = false,
    isReadAgain = false,
    maxSeconds,
  }: Measuring = {},
): Promise<MeasuredFile | Unmeasurable> {
  // Copies are not limited in this way: a copy may be slow for minutes, and must not delay others.
  const limitOfLarge = isGlance ? largeReads : undefined;
  for (let attempt = 1; ; attempt += 1) {
    const steps = start(
      shapeOf(file, {
        isGlance: isGlance && file.access === 'stream',
        takesDeclaredSound,
        isThorough,
        isReadAgain,
        maxSeconds,
      }),
    );
    try {
      const found = await (file.access === 'ranges'
        ? driveFile(steps, file, limits, limitOfLarge)
        : driveStream(steps, file.body, limitOfLarge));
      if ('error' in found && found.error !== undefined) readerFailed?.(found.error);
      return found;
    } catch (error) {
      if (!(error instanceof MediaFault)) throw error;
      // A stream cannot be read again after an interruption.
      const isFinal = error.kind !== 'interrupted' || file.access === 'stream' || attempt === maxAttempts;
      if (isFinal) return { fault: error.kind, reason: error.message };
    } finally {
      steps.close();
      if (file.access === 'stream') file.close();
    }
  }
}
