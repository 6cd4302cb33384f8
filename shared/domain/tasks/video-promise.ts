/** The video that a task promises when it is created: what the account pays for, and what the result must match. */
import * as z from 'zod';
import { once } from '../../contracts/once.ts';
import type { EngineClip } from '../../engines/engine.ts';

/** In pixels and seconds. Without a duration it promises a shape and the least size: those of clips. */
export const VideoPromise = once(() =>
  z.object({
    width: z.int().positive(),
    height: z.int().positive(),
    durationSec: z.exactOptional(z.number().positive()),
    /** For videos with the sound of an input, which may be longer than its frames. */
    soundMayOutlast: z.exactOptional(z.boolean()),
  }),
);
export type VideoPromise = Readonly<z.output<ReturnType<typeof VideoPromise>>>;

/** A video as measured. */
export interface MeasuredVideo {
  readonly width: number;
  readonly height: number;
  /** The duration of the file. */
  readonly durationSec: number;
  /** When its last frame ends, whatever the sound does. */
  readonly videoSec: number;
}

/** Encoders add or drop a few frames, and sound has frames of its own. */
const toleratedSec = 0.5;
/** Engines round both sides to multiples of 8 or 16. */
const toleratedShape = 0.04;
/** The next resolution has more than twice as many pixels. */
const toleratedPixels = 0.2;

const isAbout = (measured: number, expected: number, tolerance: number): boolean =>
  Math.abs(measured / expected - 1) <= tolerance;

/** Engines name a resolution after the short side of a frame, or after the pixels of the 16:9 frame with that side. */
const hasSize = ({ width, height }: MeasuredVideo, promised: VideoPromise): boolean => {
  const wide = (Math.min(promised.width, promised.height) ** 2 * 16) / 9;
  return [promised.width * promised.height, wide].some((pixels) => isAbout(width * height, pixels, toleratedPixels));
};

const isLargeEnough = ({ width, height }: MeasuredVideo, promised: VideoPromise): boolean =>
  width * height >= promised.width * promised.height * (1 - toleratedPixels);

const lastsFor = (measuredSec: number, expectedSec: number): boolean =>
  Math.abs(measuredSec - expectedSec) <= toleratedSec;

/** Whether a clip lasts as long as the part of the original video that it is said to be. */
export const lastsAsCut = ({ durationSec }: MeasuredVideo, { startTime, endTime }: EngineClip = {}): boolean =>
  startTime === undefined || endTime === undefined || lastsFor(durationSec, endTime - startTime);

export function keepsPromise(video: MeasuredVideo, promised: VideoPromise): boolean {
  if (!isAbout(video.width / video.height, promised.width / promised.height, toleratedShape)) return false;
  const { durationSec: expected } = promised;
  if (expected === undefined) return isLargeEnough(video, promised);
  const lengths = [video.videoSec, promised.soundMayOutlast ? video.videoSec : video.durationSec];
  return hasSize(video, promised) && lengths.every((seconds) => lastsFor(seconds, expected));
}
