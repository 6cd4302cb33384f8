/** Finds the subject of an image: people, or otherwise what stands out from the borders. */
import { borderFlood } from './border-flood.ts';
import { refineMask } from './guided-filter.ts';
import { type Image, resizeImage } from './image.ts';
import { personMask } from './person-mask.ts';
import { brightnessOf } from './plane.ts';

/**
 * The plausible range for the share of the image that people cover; outside of it, the network has detected something
 * else.
 */
const minPersonShare = 0.03;
const maxPersonShare = 0.97;
const minSureness = 0.65;

export interface SubjectMask {
  readonly subject: 'person' | 'object';
  /** A mask in the image's size: 0 is background, 255 is subject. */
  readonly values: Uint8Array;
}

export const subjectMask = async (image: Image): Promise<SubjectMask> => {
  const person = await personMask(image);
  const isSure = person.sureness >= minSureness;
  if (isSure && person.share >= minPersonShare && person.share <= maxPersonShare) {
    return { subject: 'person', values: await person.refine() };
  }
  const mask = await borderFlood(image);
  const guide = brightnessOf(await resizeImage(image, mask.width, mask.height));
  return { subject: 'object', values: refineMask(image, guide, mask, { radius: 3, epsilon: 1e-3 }) };
};

/** The image with everything but the subject transparent. */
export const cutOut = (image: Image, { values }: SubjectMask): Image => {
  const pixels = Uint8Array.from(image.pixels);
  for (let index = 0; index < values.length; index += 1) {
    pixels[index * 4 + 3] = Math.round(((pixels[index * 4 + 3] ?? 0) * (values[index] ?? 0)) / 255);
  }
  return { ...image, pixels, hasAlpha: true };
};
