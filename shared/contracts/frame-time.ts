/** Times in a video as frame numbers and timecodes: exact to the frame, however long the video is. */

/** Frames per second as a fraction, such as 30000/1001. */
export interface FrameRate {
  readonly numerator: number;
  readonly denominator: number;
}

/** A span of a video in seconds, from the start of its first frame to the end of its last. */
export interface TimeSpan {
  readonly startSec: number;
  readonly endSec: number;
}

/** A span of a video in frames; `end` is exclusive. */
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

/**
 * Tolerance when a measured rate is matched to a standard one: less than half the difference between 29.97 and 30,
 * because containers round frame times.
 */
const standardTolerance = 0.0004;

/** The standard rate nearest to a measured average; the average of a variable rate is returned unchanged. */
export function frameRateOf(framesPerSecond: number): FrameRate {
  const deviation = (rate: FrameRate) => Math.abs(perSecond(rate) / framesPerSecond - 1);
  const standard = standardRates.find((rate) => deviation(rate) < standardTolerance);
  return standard ?? { numerator: Math.round(framesPerSecond * 1000), denominator: 1000 };
}

/** The frame that begins nearest to a time. */
export const frameAt = (seconds: number, rate: FrameRate): number =>
  Math.round((seconds * rate.numerator) / rate.denominator);

/** The start of a frame, in seconds. */
export const frameStart = (frame: number, rate: FrameRate): number => (frame * rate.denominator) / rate.numerator;

/** Converts seconds to frames; a span has at least one frame. */
export function framesOf({ startSec, endSec }: TimeSpan, rate: FrameRate): FrameSpan {
  const first = frameAt(startSec, rate);
  return { first, end: Math.max(first + 1, frameAt(endSec, rate)) };
}

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/**
 * `HH:MM:SS:FF` without drop-frame counting: at 29.97 frames per second, a second of timecode has 30 frames and so is
 * longer than a real second.
 */
export function timecodeOf(frame: number, rate: FrameRate): string {
  const base = Math.round(perSecond(rate));
  const seconds = Math.floor(frame / base);
  return [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60, frame % base]
    .map(twoDigits)
    .join(':');
}

/** A margin of a quarter of a frame: times are rounded in transit, and no frame begins within it. */
const margin = 0.25;

/**
 * Cut times, in seconds, that select exactly the frames of a span: slightly before its first frame and slightly before
 * the frame after its last.
 */
export function timesAround({ first, end }: FrameSpan, rate: FrameRate): TimeSpan {
  return { startSec: frameStart(Math.max(0, first - margin), rate), endSec: frameStart(end - margin, rate) };
}
