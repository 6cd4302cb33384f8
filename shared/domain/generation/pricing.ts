/** What a generation costs, in whole credits. */
import type { Prices } from '../../catalog/prices.ts';
import type { StudioMode } from '../../catalog/studio.ts';
import { countCodePoints } from '../../contracts/code-points.ts';
import type { MotionModel, MotionQuality } from '../../contracts/generate-videos.ts';
import { type StudioResolution, studioCostSeconds } from '../../contracts/studio-catalog.ts';
import type { VideoResolution } from '../../contracts/video-frame.ts';

/** The price by the number of Unicode code points; a started credit counts in full. */
export const voiceCost = (text: string, { charactersPerCredit }: Prices['voice']): number =>
  Math.ceil(countCodePoints(text) / charactersPerCredit);

/**
 * The price by duration; a started unit counts in full. The duration is an integer in tenths of a second, so that the
 * quotient is rounded up only if it has a fraction.
 */
export const voiceChangeCost = (durationSec: number, { creditsPerUnit, unitSeconds }: Prices['voiceChange']): number =>
  creditsPerUnit * Math.ceil(durationSec / unitSeconds);

export const upscaleCost = (scale: 2 | 4, { creditsAtTwice, creditsAtFourTimes }: Prices['imageUpscale']): number =>
  scale === 2 ? creditsAtTwice : creditsAtFourTimes;

interface CreativeVideo {
  readonly durationSec: number;
  readonly resolution: VideoResolution;
}

export function creativeVideoCost({ durationSec, resolution }: CreativeVideo, prices: Prices['videoCreative']): number {
  const creditsPerSecond = {
    '480p': prices.creditsPerSecondAt480p,
    '720p': prices.creditsPerSecondAt720p,
    '1080p': prices.creditsPerSecondAt1080p,
  };
  return Math.ceil(durationSec * creditsPerSecond[resolution]);
}

const imitationRates: Readonly<Record<MotionModel, Readonly<Record<MotionQuality, keyof Prices['videoImitate']>>>> = {
  'vendor-motion-2.6': { '720p': 'creditsPerSecond26At720p', '1080p': 'creditsPerSecond26At1080p' },
  'vendor-motion-3.0': { '720p': 'creditsPerSecond30At720p', '1080p': 'creditsPerSecond30At1080p' },
};

/** The price per second; a started second counts in full. */
export const imitationCost = (
  durationSec: number,
  { model, quality }: { readonly model: MotionModel; readonly quality: MotionQuality },
  prices: Prices['videoImitate'],
): number => Math.ceil(durationSec) * prices[imitationRates[model][quality]];

/** The price per minute and clip; a started minute counts in full. `seconds` is an integer. */
export const cortesCost = (
  { seconds, clipCount }: { readonly seconds: number; readonly clipCount: number },
  { creditsPerMinute, creditsPerClip }: Prices['cortes'],
): number => creditsPerMinute * Math.ceil(seconds / 60) + creditsPerClip * clipCount;

interface StudioVideo {
  readonly durationSec: number;
  readonly resolution: StudioResolution;
}

/** Both factors are integers, so the product is exact: the quotient is rounded up only if it has a fraction. */
export const studioVideoCost = (
  { durationSec, resolution }: StudioVideo,
  { costsByResolution }: Pick<StudioMode, 'costsByResolution'>,
): number => Math.ceil((costsByResolution[resolution] * durationSec) / studioCostSeconds);
