/** Pictures from addresses: downloaded within limits, measured by their heads, and only then decoded. */
import { imageSize } from 'image-size';
import sharp from 'sharp';
import { WorkFailure } from '../ability.ts';
import { type Picture, pictureOf } from './picture.ts';

const limitBytes = 10 * 2 ** 20;
const limitSeconds = 20;
const longestSide = 16_384;
const mostPixels = 50_000_000;

const formats: Readonly<Record<string, string>> = { jpg: 'jpeg', png: 'png', webp: 'webp' };

export type PictureFormat = 'jpeg' | 'png' | 'webp';

export interface FetchedPicture {
  readonly format: PictureFormat;
  readonly picture: Picture;
}

const invalid = (field: string, complaint: string) => new WorkFailure('INPUT_INVALID', `${field} ${complaint}.`);

const download = async (url: string, field: string): Promise<Buffer> => {
  const failed = (why: string) => new WorkFailure('DOWNLOAD_FAILED', `${field} could not be downloaded: ${why}.`);
  try {
    const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(limitSeconds * 1000) });
    if (!response.ok || !response.body) {
      await response.body?.cancel();
      throw failed(`the answer was ${response.status}`);
    }
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    // Leaving the loop cancels the stream: nothing is read beyond the limit.
    for await (const chunk of response.body) {
      bytes += chunk.length;
      if (bytes > limitBytes) throw invalid(field, `has over ${limitBytes} bytes`);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  } catch (error) {
    if (error instanceof WorkFailure) throw error;
    throw failed(error instanceof Error ? error.message : String(error));
  }
};

const headOf = (bytes: Buffer) => {
  try {
    return imageSize(bytes);
  } catch {
    return undefined;
  }
};

/** What the head says, before anything is decoded: a few bytes can claim a picture that fills the memory. */
const checkHead = (bytes: Buffer, field: string): PictureFormat => {
  const head = headOf(bytes);
  const format = head?.type && formats[head.type];
  if (!head || !format) throw invalid(field, 'is no JPEG, PNG or WebP picture');
  const { width, height } = head;
  if (!(width >= 1 && height >= 1)) throw invalid(field, 'has no size');
  if (Math.max(width, height) > longestSide) throw invalid(field, `has a side of over ${longestSide} pixels`);
  if (width * height > mostPixels) throw invalid(field, `has over ${mostPixels} pixels`);
  return format as PictureFormat;
};

/** Throws a WorkFailure: INPUT_INVALID when it is no whole picture within the limits. */
const decode = async (bytes: Buffer, format: PictureFormat, field: string): Promise<Picture> => {
  try {
    const input = sharp(bytes, { limitInputPixels: mostPixels, failOn: 'error' });
    const metadata = await input.metadata();
    if (metadata.format !== format) throw invalid(field, 'is not what its head says');
    return await pictureOf(input.autoOrient(), metadata.hasAlpha ?? false);
  } catch (error) {
    if (error instanceof WorkFailure) throw error;
    throw invalid(field, `can not be read (${error instanceof Error ? error.message : String(error)})`);
  }
};

/**
 * A picture and the format it came in. `field` names it in complaints. Throws a WorkFailure: DOWNLOAD_FAILED, or
 * INPUT_INVALID for a picture that is too large, broken, or of another kind than JPEG, PNG and WebP.
 */
export const fetchPicture = async (url: string, field: string): Promise<FetchedPicture> => {
  const bytes = await download(url, field);
  const format = checkHead(bytes, field);
  return { format, picture: await decode(bytes, format, field) };
};
