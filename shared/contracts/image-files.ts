/** The images that operations accept and return. */
import { inputLimits, megabytes, typeNames } from './media.ts';

export const aspectRatios = ['1:1', '16:9', '9:16', '4:3', '3:4', '21:9'] as const;
export type AspectRatio = (typeof aspectRatios)[number];

/** The most pixels that an upscaled image may have. */
export const outputPixelsLimit = 64_000_000;

const { types, maxBytes, maxPixels, maxSidePixels } = inputLimits.image;
/** Accepted image files, for use in descriptions. */
export const acceptedImages = `${typeNames(types)} (by content, not by name), at most ${megabytes(maxBytes)}, ${maxPixels / 1e6} megapixels and ${maxSidePixels} pixels per side`;
export const fetchedLater =
  'Downloaded when the task is processed: if the download fails, the task fails with DOWNLOAD_FAILED; if the file is truncated, unusable or over a stricter limit of the engine, with INPUT_INVALID.';
