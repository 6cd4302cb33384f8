/** Times in a video as numbers of frames and as timecodes: exact to the frame, however long the video is. */

/** Frames per second as a fraction: 30000/1001. */
export interface FrameRate {
  readonly numerator: number;
  readonly denominator: number;
}

/** Seconds of a video, from the first frame shown to the last one's end. */
export interface TimeSpan {
  readonly startSec: number;
  readonly endSec: number;
}

/** The frames of a span; `end` is the first one after it. */
export interface FrameSpan {
  readonly first: number;
  readonly end: number;
}

const standardRates: readonly FrameRate[] = [
  [24_000, 1001],
  [24, 1],
  [25, 1],
  [30_000, 1001],
  [30, 1],
  [48, 1],
  [50, 1],
  [60_000, 1001],
  [60, 1],
].map(([numerator = 0, denominator = 1]) => ({ numerator, denominator }));

const perSecond = ({ numerator, denominator }: FrameRate): number => numerator / denominator;

/** Less than half of what is between 29.97 and 30: containers round the times of frames. */
const standardTolerance = 0.0004;

/** The rate of a video by the average that was measured; a variable rate remains an average. */
export function frameRateOf(framesPerSecond: number): FrameRate {
  const deviation = (rate: FrameRate) => Math.abs(perSecond(rate) / framesPerSecond - 1);
  const standard = standardRates.find((rate) => deviation(rate) < standardTolerance);
  return standard ?? { numerator: Math.round(framesPerSecond * 1000), denominator: 1000 };
}

/** The number of the frame that begins nearest to a time. */
export const frameAt = (seconds: number, rate: FrameRate): number =>
  Math.round((seconds * rate.numerator) / rate.denominator);

/** When a frame begins, in seconds. */
export const frameStart = (frame: number, rate: FrameRate): number => (frame * rate.denominator) / rate.numerator;

/** At least one frame. */
export function framesOf({ startSec, endSec }: TimeSpan, rate: FrameRate): FrameSpan {
  const first = frameAt(startSec, rate);
  return { first, end: Math.max(first + 1, frameAt(endSec, rate)) };
}

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/**
 * `HH:MM:SS:FF`, counted without dropped numbers: a second of timecode has 30 frames at 29.97, so that it is longer than
 * a second of time.
 */
export function timecodeOf(frame: number, rate: FrameRate): string {
  const base = Math.round(perSecond(rate));
  const seconds = Math.floor(frame / base);
  return [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60, frame % base]
    .map(twoDigits)
    .join(':');
}

/** A quarter of a frame: times are rounded to it on their way, and a frame begins at neither of its ends. */
const margin = 0.25;

/**
 * Times between which exactly the frames of a span begin, for tools that cut by seconds: a little before the first frame
 * and before the one after the last.
 */
export function timesAround({ first, end }: FrameSpan, rate: FrameRate): TimeSpan {
  return { startSec: frameStart(Math.max(0, first - margin), rate), endSec: frameStart(end - margin, rate) };
}
