/** Images as pixels, and how much of them differs. */
import sharp from 'sharp';

export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue and alpha of each pixel, row by row. */
  readonly rgba: Uint8Array;
}

/** @throws {Error} when it is no image, or a broken one. */
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

/** The share of pixels that are visibly unlike, from 0 to 1; of two images of one size. */
export function changedShare(one: Pixels, other: Pixels): number {
  // An image that was saved anew may differ by a trifle.
  const isUnlike = (place: number) => Math.abs((one.rgba[place] ?? 0) - (other.rgba[place] ?? 0)) > 2;
  let changed = 0;
  for (let place = 0; place < one.rgba.length; place += 4) {
    if (isUnlike(place) || isUnlike(place + 1) || isUnlike(place + 2) || isUnlike(place + 3)) changed += 1;
  }
  return changed / (one.width * one.height);
}

/** The share of pixels whose alpha is in a range, ends included. */
export function alphaShare({ width, height, rgba }: Pixels, least: number, most: number): number {
  let found = 0;
  for (let place = 3; place < rgba.length; place += 4) {
    const alpha = rgba[place] ?? 0;
    if (alpha >= least && alpha <= most) found += 1;
  }
  return found / (width * height);
}
