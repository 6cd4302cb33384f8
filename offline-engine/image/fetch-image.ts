/** Downloads images by URL within limits, and checks their headers before decoding them. */
import { imageSize } from 'image-size';
import sharp from 'sharp';
import { download } from '../download.ts';
import { WorkFailure } from '../work-failure.ts';
import { type Image, imageOf } from './image.ts';

const limitBytes = 10 * 2 ** 20;
const limitSeconds = 20;
const longestSide = 16_384;
const maxPixels = 50_000_000;

const formats: Readonly<Record<string, string>> = { jpg: 'jpeg', png: 'png', webp: 'webp' };

export type ImageFormat = 'jpeg' | 'png' | 'webp';

export interface FetchedImage {
  readonly format: ImageFormat;
  readonly image: Image;
}

const invalid = (field: string, complaint: string) => new WorkFailure('INPUT_INVALID', `${field} ${complaint}.`);

const headOf = (bytes: Buffer) => {
  try {
    return imageSize(bytes);
  } catch {
    return undefined;
  }
};

/** Checks the header before decoding, because a few bytes can declare an image that exhausts the memory. */
const checkHead = (bytes: Buffer, field: string): ImageFormat => {
  const head = headOf(bytes);
  const format = head?.type && formats[head.type];
  if (!head || !format) throw invalid(field, 'is not a JPEG, PNG or WebP image');
  const { width, height } = head;
  if (!(width >= 1 && height >= 1)) throw invalid(field, 'has no dimensions');
  if (Math.max(width, height) > longestSide) throw invalid(field, `has a side of over ${longestSide} pixels`);
  if (width * height > maxPixels) throw invalid(field, `has over ${maxPixels} pixels`);
  return format as ImageFormat;
};

/** Decodes an image. @throws {WorkFailure} INPUT_INVALID if it is not a complete image within the limits */
const decode = async (bytes: Buffer, format: ImageFormat, field: string): Promise<Image> => {
  try {
    // For a damaged JPEG, the decoder only warns.
    const failOn = format === 'jpeg' ? 'warning' : 'error';
    const input = sharp(bytes, { limitInputPixels: maxPixels, failOn });
    const metadata = await input.metadata();
    if (metadata.format !== format) throw invalid(field, 'does not match its header');
    return await imageOf(input.autoOrient(), metadata.hasAlpha ?? false);
  } catch (error) {
    if (error instanceof WorkFailure) throw error;
    throw invalid(field, `cannot be read (${error instanceof Error ? error.message : String(error)})`);
  }
};

/**
 * Downloads an image; returns it with its original format. `field` names it in messages. @throws {WorkFailure}
 * DOWNLOAD_FAILED, or INPUT_INVALID for an image that is too large, damaged, or not a JPEG, PNG or WebP
 */
export const fetchImage = async (url: string, field: string): Promise<FetchedImage> => {
  const bytes = Buffer.concat(await Array.fromAsync(download({ url, field, maxBytes: limitBytes, limitSeconds })));
  const format = checkHead(bytes, field);
  return { format, image: await decode(bytes, format, field) };
};
