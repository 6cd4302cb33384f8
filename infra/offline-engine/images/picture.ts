/** A picture in memory: upright, sRGB, four bytes a pixel; how one is read, resized and written. */
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp, { type OverlayOptions, type Sharp } from 'sharp';
import type { MadeFile } from '../ability.ts';
import type { ImageContext } from './image-order.ts';

export interface Picture {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue and alpha of each pixel, row by row. */
  readonly pixels: Uint8Array;
  /** False when the picture has no transparency to keep: alpha is then 255 everywhere. */
  readonly hasAlpha: boolean;
}

export const pipelineOf = ({ width, height, pixels }: Picture): Sharp =>
  sharp(pixels, { raw: { width, height, channels: 4 }, limitInputPixels: false });

export const pictureOf = async (pipeline: Sharp, hasAlpha: boolean): Promise<Picture> => {
  const { data, info } = await pipeline
    .toColourspace('srgb')
    .ensureAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, pixels: data, hasAlpha };
};

/** Stretched to exactly this size. */
export const resizePicture = (
  picture: Picture,
  width: number,
  height: number,
  kernel: 'lanczos3' | 'cubic' = 'lanczos3',
): Promise<Picture> => pictureOf(pipelineOf(picture).resize(width, height, { fit: 'fill', kernel }), picture.hasAlpha);

/** Proportionate, with no side longer than the limit; a smaller picture stays as it is. */
export const shrinkPicture = async (picture: Picture, longestSide: number): Promise<Picture> => {
  const factor = longestSide / Math.max(picture.width, picture.height);
  if (factor >= 1) return picture;
  const side = (length: number) => Math.max(1, Math.round(length * factor));
  return resizePicture(picture, side(picture.width), side(picture.height));
};

export const layOver = async (picture: Picture, layers: readonly OverlayOptions[]): Promise<Picture> =>
  layers.length === 0 ? picture : pictureOf(pipelineOf(picture).composite([...layers]), picture.hasAlpha);

/** A picture as a layer for {@link layOver}. */
export const asLayer = ({ pixels, width, height }: Picture, left: number, top: number): OverlayOptions => ({
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
  /** What was done, in ASCII and without brackets, at which EXIF would end: it goes into the file's metadata. */
  readonly remark: string;
  /** Tells several files of one job apart, from 1. */
  readonly number?: number;
}

/** Writes a result of the job; it is there whole or not at all. */
export const savePicture = async (
  picture: Picture,
  { filesDir, fileStem }: ImageContext,
  { format = 'png', remark, number }: SaveOptions,
): Promise<MadeFile> => {
  const { ending, contentType, encode } = formats[format];
  const pipeline = picture.hasAlpha ? pipelineOf(picture) : pipelineOf(picture).removeAlpha();
  const exif = { IFD0: { Software: 'Offline engine, sandbox', ImageDescription: remark } };
  const fileName = `${fileStem}${number === undefined ? '' : `-${number}`}.${ending}`;
  const path = join(filesDir, fileName);
  await writeFile(`${path}.part`, await encode(pipeline.withExif(exif)).toBuffer());
  await rename(`${path}.part`, path);
  return { fileName, contentType, width: picture.width, height: picture.height };
};
