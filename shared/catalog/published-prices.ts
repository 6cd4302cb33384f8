/** The default prices as the contract publishes them: per operation, and per mode for Studio videos. */
import { defaultPrices } from './prices.ts';
import { defaultModes } from './studio-modes.ts';

/** `unboxing/720p/15s`: the price of 15 seconds of video in a mode and resolution. */
const studioPrices = Object.fromEntries(
  defaultModes.flatMap(({ slug, costsByResolution }) =>
    Object.entries(costsByResolution).map(([resolution, credits]) => [`${slug}/${resolution}/15s`, credits] as const),
  ),
);

export const publishedPrices: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  ...defaultPrices,
  videoStudio: studioPrices,
};
