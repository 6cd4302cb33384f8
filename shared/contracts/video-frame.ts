/** Frame sizes of videos: pixels for a resolution and an aspect ratio. */
import { type Ratio, ratioValue } from './media.ts';

const shortSides = { '480p': 480, '720p': 720, '1080p': 1080 } as const;

export type VideoResolution = keyof typeof shortSides;

export interface VideoFrame {
  readonly width: number;
  readonly height: number;
}

/** Rounds to an even number, which encoders require. */
const even = (side: number): number => 2 * Math.round(side / 2);

/** The frame size for a resolution, which names the length of the shorter side. */
export function videoFrame(resolution: VideoResolution, aspectRatio: Ratio): VideoFrame {
  const shortSide = shortSides[resolution];
  const value = ratioValue(aspectRatio);
  return { width: even(shortSide * Math.max(1, value)), height: even(shortSide / Math.min(1, value)) };
}

/** For descriptions: how a result may differ from {@link videoFrame} and from the requested duration. */
export const videoTolerances =
  'Engines round width and height to multiples of 8 or 16 and, for aspect ratios other than 16:9 and 9:16, choose a size with about as many pixels as 16:9; `results` contains the exact size. If the result has any other size, or is more than half a second too short or too long, the task fails.';
