/** An image in memory (upright, sRGB, four bytes per pixel): reads, resizes and writes it. */
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp, { type OverlayOptions, type Sharp } from 'sharp';
import type { OutputFile, WorkContext } from '../operation.ts';

export interface Image {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue and alpha of each pixel, row by row. */
  readonly pixels: Uint8Array;
  /** Whether any pixel is transparent; if not, alpha is 255 everywhere. */
  readonly hasAlpha: boolean;
}

export const pipelineOf = ({ width, height, pixels }: Image): Sharp =>
  sharp(pixels, { raw: { width, height, channels: 4 }, limitInputPixels: false });

const rawPixelsOf = (pipeline: Sharp) =>
  pipeline.toColorspace('srgb').ensureAlpha().raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true });

export const imageOf = async (pipeline: Sharp, hasAlpha: boolean): Promise<Image> => {
  let { data, info } = await rawPixelsOf(pipeline);
  // Raw output of a gray pipeline has a single channel; a PNG of it keeps its alpha and is read as four.
  if (info.channels !== 4) {
    const png = await pipeline.png({ compressionLevel: 0 }).toBuffer();
    ({ data, info } = await rawPixelsOf(sharp(png, { limitInputPixels: false })));
  }
  return { width: info.width, height: info.height, pixels: data, hasAlpha };
};

/** Stretches an image to exactly this size. */
export const resizeImage = (
  image: Image,
  width: number,
  height: number,
  kernel: 'lanczos3' | 'cubic' = 'lanczos3',
): Promise<Image> => imageOf(pipelineOf(image).resize(width, height, { fit: 'fill', kernel }), image.hasAlpha);

/** Scales down proportionally until no side exceeds the limit; smaller images are unchanged. */
export const shrinkImage = async (image: Image, longestSide: number): Promise<Image> => {
  const factor = longestSide / Math.max(image.width, image.height);
  if (factor >= 1) return image;
  const side = (length: number) => Math.max(1, Math.round(length * factor));
  return resizeImage(image, side(image.width), side(image.height));
};

export const composedWith = async (image: Image, layers: readonly OverlayOptions[]): Promise<Image> =>
  layers.length === 0 ? image : imageOf(pipelineOf(image).composite([...layers]), image.hasAlpha);

/** An image as a layer for {@link composedWith}. */
export const asLayer = ({ pixels, width, height }: Image, left: number, top: number): OverlayOptions => ({
  input: Buffer.from(pixels.buffer, pixels.byteOffset, pixels.byteLength),
  raw: { width, height, channels: 4 },
  left,
  top,
});

const formats = {
  png: { ending: 'png', contentType: 'image/png', encode: (pipeline: Sharp) => pipeline.png({ compressionLevel: 6 }) },
  webp: { ending: 'webp', contentType: 'image/webp', encode: (pipeline: Sharp) => pipeline.webp({ quality: 92 }) },
  jpeg: {
    ending: 'jpg',
    contentType: 'image/jpeg',
    encode: (pipeline: Sharp) => pipeline.jpeg({ quality: 95, chromaSubsampling: '4:4:4' }),
  },
} as const;

interface SaveOptions {
  readonly format?: keyof typeof formats;
  /** A description for the file's metadata, in ASCII without brackets, which would truncate the EXIF text. */
  readonly remark: string;
  /** The number of the file, from 1, if the job has several. */
  readonly number?: number;
}

/** Writes a result of the job atomically. */
export const saveImage = async (
  image: Image,
  { filesDir, fileStem }: WorkContext,
  { format = 'png', remark, number }: SaveOptions,
): Promise<OutputFile> => {
  const { ending, contentType, encode } = formats[format];
  const pipeline = image.hasAlpha ? pipelineOf(image) : pipelineOf(image).removeAlpha();
  const exif = { IFD0: { Software: 'Offline engine, sandbox', ImageDescription: remark } };
  const fileName = `${fileStem}${number === undefined ? '' : `-${number}`}.${ending}`;
  const path = join(filesDir, fileName);
  await writeFile(`${path}.part`, await encode(pipeline.withExif(exif)).toBuffer());
  await rename(`${path}.part`, path);
  return { fileName, contentType, width: image.width, height: image.height };
};
