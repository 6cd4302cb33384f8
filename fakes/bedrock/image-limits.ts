/** Decodes input images and checks them against a model's limits. */
import sharp, { type Sharp } from 'sharp';
import { InvalidInput } from './bedrock-faults.ts';

export interface ImageLimits {
  /** Limits of the width and height, in pixels. */
  readonly minSide: number;
  readonly maxSide: number;
  readonly maxPixels: number;
  /** The largest ratio of the longer side to the shorter one. */
  readonly maxRatio: number;
}

export interface GivenImage {
  readonly pixels: Sharp;
  readonly width: number;
  readonly height: number;
}

const formats: readonly string[] = ['jpeg', 'png', 'webp'];

const problemOf = (width: number, height: number, limits: ImageLimits): string | undefined => {
  const [shorter = 0, longer = 0] = [width, height].toSorted((a, b) => a - b);
  if (shorter < limits.minSide) return `Every side must be at least ${limits.minSide} pixels`;
  if (longer > limits.maxSide) return `No side may be more than ${limits.maxSide} pixels`;
  if (width * height > limits.maxPixels) return `The total pixel count cannot exceed ${limits.maxPixels}`;
  return longer / shorter > limits.maxRatio ? `The aspect ratio cannot exceed ${limits.maxRatio}` : undefined;
};

/** Decodes and validates an image. @throws InvalidInput */
export const givenImage = async (base64: string, limits: ImageLimits): Promise<GivenImage> => {
  const pixels = sharp(Buffer.from(base64, 'base64'));
  const { format, width, height } = await pixels.metadata().catch(() => {
    throw new InvalidInput('The image could not be decoded');
  });
  if (!formats.includes(format)) throw new InvalidInput('Supported formats: jpeg, png, webp');
  const problem = problemOf(width, height, limits);
  if (problem) throw new InvalidInput(problem);
  return { pixels, width, height };
};

/** Decodes all pixels, because the header may be valid when they are not. @throws InvalidInput */
export const encodedAs = (image: Sharp, format: 'png' | 'jpeg' | 'webp'): Promise<Uint8Array> =>
  image
    .toFormat(format)
    .toBuffer()
    .catch(() => {
      throw new InvalidInput('The image could not be decoded');
    });
