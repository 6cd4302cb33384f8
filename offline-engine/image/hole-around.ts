/** Determines the area to fill when an object is painted out. */
import sharp from 'sharp';
import type { Image } from './image.ts';
import { boxBlur, type Plane, planeLike } from './plane.ts';

const holeSide = 640;

/** A small mask, slightly larger than the given one to include hair and shadows. */
export const holeAround = async (
  mask: Uint8Array,
  { width, height }: Pick<Image, 'width' | 'height'>,
): Promise<Plane> => {
  const factor = Math.min(1, holeSide / Math.max(width, height));
  const size = { width: Math.max(1, Math.round(width * factor)), height: Math.max(1, Math.round(height * factor)) };
  const small = await sharp(mask, { raw: { width, height, channels: 1 }, limitInputPixels: false })
    .resize(size.width, size.height, { fit: 'fill' })
    .toColourspace('b-w')
    .raw()
    .toBuffer();
  const near = boxBlur(
    planeLike(size, (index) => (small[index] ?? 0) / 255),
    Math.max(3, Math.max(size.width, size.height) / 60),
  );
  return boxBlur(
    planeLike(size, (index) => ((near.values[index] ?? 0) > 0.06 ? 1 : 0)),
    2,
  );
};
