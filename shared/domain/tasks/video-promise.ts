/** The video that a task promises when it is created: what the account pays for, and what the result must match. */
import * as z from 'zod';
import { once } from '../../contracts/once.ts';
import type { EngineClip } from '../../engines/engine.ts';

/**
 * Sizes are in pixels and durations in seconds. Without a duration, as for clips, only the shape and a minimum size are
 * promised.
 */
export const VideoPromise = once(() =>
  z.object({
    width: z.int().positive(),
    height: z.int().positive(),
    durationSec: z.exactOptional(z.number().positive()),
    /** The shortest permitted duration, if edits of the input hide a part that engines may leave out. */
    shownSec: z.exactOptional(z.number().positive()),
    /** Whether the audio may be longer than the video track, as in videos with the audio of an input. */
    soundMayOutlast: z.exactOptional(z.boolean()),
  }),
);
export type VideoPromise = Readonly<z.output<ReturnType<typeof VideoPromise>>>;

export interface MeasuredVideo {
  readonly width: number;
  readonly height: number;
  /** The duration of the whole file. */
  readonly durationSec: number;
  /** When the last frame ends, regardless of the audio. */
  readonly videoSec: number;
}

/** The tolerated difference in seconds: encoders add or drop a few frames, and audio has frames of another length. */
const toleratedSec = 0.5;
/** The tolerated deviation of the aspect ratio: engines round both sides to multiples of 8 or 16. */
const toleratedShape = 0.04;
/**
 * The tolerated deviation of the number of pixels: small enough to distinguish resolutions, because the next one has
 * more than twice as many.
 */
const toleratedPixels = 0.2;

const isAbout = (measured: number, expected: number, tolerance: number): boolean =>
  Math.abs(measured / expected - 1) <= tolerance;

/**
 * Whether the size matches. Engines name a resolution either by a frame's short side or by the number of pixels of a
 * 16:9 frame with that side.
 */
const hasSize = ({ width, height }: MeasuredVideo, promised: VideoPromise): boolean => {
  const wide = (Math.min(promised.width, promised.height) ** 2 * 16) / 9;
  return [promised.width * promised.height, wide].some((pixels) => isAbout(width * height, pixels, toleratedPixels));
};

const isLargeEnough = ({ width, height }: MeasuredVideo, promised: VideoPromise): boolean =>
  width * height >= promised.width * promised.height * (1 - toleratedPixels);

const lastsFor = (seconds: number, min: number, max = min): boolean =>
  seconds >= min - toleratedSec && seconds <= max + toleratedSec;

/** Whether a clip is as long as the span of the original video that it claims to show. */
export const lastsAsCut = ({ durationSec }: MeasuredVideo, { startTime, endTime }: EngineClip = {}): boolean =>
  startTime === undefined || endTime === undefined || lastsFor(durationSec, endTime - startTime);

export function keepsPromise(video: MeasuredVideo, promised: VideoPromise): boolean {
  if (!isAbout(video.width / video.height, promised.width / promised.height, toleratedShape)) return false;
  const { durationSec: expected, shownSec: min = expected } = promised;
  if (expected === undefined || min === undefined) return isLargeEnough(video, promised);
  const lengths = [video.videoSec, promised.soundMayOutlast ? video.videoSec : video.durationSec];
  return hasSize(video, promised) && lengths.every((seconds) => lastsFor(seconds, min, expected));
}
