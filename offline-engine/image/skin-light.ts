/** Evens out the light on skin by reducing differences from the surrounding mean. */
import type { Image } from './image.ts';
import { shrinkImage } from './image.ts';
import { brightnessOf, type Plane, planeLike, resizePlane, sampler, softBlur } from './plane.ts';
import type { Relief } from './skin-texture.ts';

const workingSide = 512;
/** The share of unevenness that is removed. */
const evenness = 0.32;
const mostChange = 22;
/** Additional contrast of fine detail, because evening out flattens the image. */
const detailGain = 0.08;

const times = (one: Plane, other: Plane): Plane =>
  planeLike(one, (index) => (one.values[index] ?? 0) * (other.values[index] ?? 0));

const sumOf = ({ values }: Plane) => values.reduce((sum, value) => sum + value, 0);

/** The mean of the skin around each pixel, if there is any. */
const meanAround = (brightness: Plane, mask: Plane, sigma: number, otherwise: number): Plane => {
  const weights = softBlur(mask, sigma);
  const sums = softBlur(times(brightness, mask), sigma);
  return planeLike(mask, (index) => {
    const weight = weights.values[index] ?? 0;
    return weight > 1e-4 ? (sums.values[index] ?? 0) / weight : otherwise;
  });
};

/** Evens out light; `skin` is a mask of any size, outside of which nothing changes. */
export const evenLight = async (image: Image, skin: Plane): Promise<Relief> => {
  const working = await shrinkImage(image, workingSide);
  const mask = resizePlane(skin, working.width, working.height);
  const area = sumOf(mask);
  if (area < 1) return () => 0;
  const brightness = brightnessOf(working);
  const mean = sumOf(times(brightness, mask)) / area;
  const side = Math.sqrt(area);
  const wide = meanAround(brightness, mask, side / 6, mean);
  const near = meanAround(brightness, mask, side / 20, mean);
  const change = planeLike(mask, (index) => {
    const evened = (mean - (wide.values[index] ?? mean)) * evenness;
    const detail = ((near.values[index] ?? mean) - (wide.values[index] ?? mean)) * detailGain;
    return Math.min(mostChange, Math.max(-mostChange, (evened + detail) * 255));
  });
  return sampler(change, image);
};
