/** Compares images by their pixels. */
import sharp from 'sharp';

export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue and alpha of each pixel, row by row. */
  readonly rgba: Uint8Array;
}

/** @throws {Error} if it is not an image, or a damaged one. */
export async function pixelsOf(file: Buffer): Promise<Pixels> {
  const { data, info } = await sharp(file, { failOn: 'warning' })
    .autoOrient()
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, rgba: data };
}

export const isSameSize = (one: Pixels, other: Pixels): boolean =>
  one.width === other.width && one.height === other.height;

/** The share of visibly different pixels, from 0 to 1, of two images of the same size. */
export function changedShare(one: Pixels, other: Pixels): number {
  // An image that was encoded again may differ slightly.
  const isUnlike = (place: number) => Math.abs((one.rgba[place] ?? 0) - (other.rgba[place] ?? 0)) > 2;
  let changed = 0;
  for (let place = 0; place < one.rgba.length; place += 4) {
    if (isUnlike(place) || isUnlike(place + 1) || isUnlike(place + 2) || isUnlike(place + 3)) changed += 1;
  }
  return changed / (one.width * one.height);
}

/** The share of pixels with alpha in an inclusive range. */
export function alphaShare({ width, height, rgba }: Pixels, least: number, most: number): number {
  let found = 0;
  for (let place = 3; place < rgba.length; place += 4) {
    const alpha = rgba[place] ?? 0;
    if (alpha >= least && alpha <= most) found += 1;
  }
  return found / (width * height);
}
