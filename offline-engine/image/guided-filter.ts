/** Aligns a coarse mask with the edges of its image, with the guided filter (He, Sun and Tang, 2010). */
import type { Image } from './image.ts';
import { boxBlur, luma, type Plane, planeLike, sampler, smoothstep } from './plane.ts';

interface GuidedFilterOptions {
  /** The distance, in pixels of the mask, within which edges of the image attract edges of the mask. */
  readonly radius: number;
  /** Contrasts (from 0 to 1) below the square root of this value do not count as edges. */
  readonly epsilon: number;
}

/**
 * The coefficients of the filter: near each pixel, the result is a linear function of the guide. `guide` and `mask`
 * have the same size.
 */
const linearModel = (guide: Plane, mask: Plane, { radius, epsilon }: GuidedFilterOptions) => {
  const product = (one: Plane, other: Plane) =>
    planeLike(one, (index) => (one.values[index] ?? 0) * (other.values[index] ?? 0));
  const meanGuide = boxBlur(guide, radius);
  const meanMask = boxBlur(mask, radius);
  const meanProduct = boxBlur(product(guide, mask), radius);
  const meanSquare = boxBlur(product(guide, guide), radius);
  const slope = planeLike(guide, (index) => {
    const mean = meanGuide.values[index] ?? 0;
    const variance = (meanSquare.values[index] ?? 0) - mean * mean;
    return ((meanProduct.values[index] ?? 0) - mean * (meanMask.values[index] ?? 0)) / (variance + epsilon);
  });
  const offset = planeLike(
    guide,
    (index) => (meanMask.values[index] ?? 0) - (slope.values[index] ?? 0) * (meanGuide.values[index] ?? 0),
  );
  return { slope: boxBlur(slope, radius), offset: boxBlur(offset, radius) };
};

/**
 * Refines a mask to the image's size, from 0 (outside) to 255 (inside). `guide` is the image's brightness in the mask's
 * size.
 */
export const refineMask = (image: Image, guide: Plane, mask: Plane, options: GuidedFilterOptions): Uint8Array => {
  const { slope, offset } = linearModel(guide, mask, options);
  const { width, height, pixels } = image;
  const [slopeAt, offsetAt] = [sampler(slope, image), sampler(offset, image)];
  const refined = new Uint8Array(width * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = (y * width + x) * 4;
      const brightness = luma(pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0) / 255;
      const value = slopeAt(x, y) * brightness + offsetAt(x, y);
      refined[y * width + x] = Math.round(255 * smoothstep(0.2, 0.8, value));
    }
  }
  return refined;
};
