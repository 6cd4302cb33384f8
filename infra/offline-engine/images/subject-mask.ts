/** What a picture is of: its people, or else what stands out from its borders. */
import { borderFlood } from './border-flood.ts';
import { refineMask } from './guided-filter.ts';
import { personMask } from './person-mask.ts';
import { type Picture, resizePicture } from './picture.ts';
import { brightnessOf } from './plane.ts';

/** A person covers at least and at most so much of a picture; beyond, the network has seen something else. */
const leastPersonShare = 0.03;
const mostPersonShare = 0.97;

export interface SubjectMask {
  readonly subject: 'person' | 'object';
  /** Of the picture's own size: 0 is background, 255 is subject. */
  readonly values: Uint8Array;
}

export const subjectMask = async (picture: Picture): Promise<SubjectMask> => {
  const person = await personMask(picture);
  if (person.share >= leastPersonShare && person.share <= mostPersonShare) {
    return { subject: 'person', values: await person.refine() };
  }
  const mask = await borderFlood(picture);
  const guide = brightnessOf(await resizePicture(picture, mask.width, mask.height));
  return { subject: 'object', values: refineMask(picture, guide, mask, { radius: 3, epsilon: 1e-3 }) };
};

/** The picture with everything but the subject transparent. */
export const cutOut = (picture: Picture, { values }: SubjectMask): Picture => {
  const pixels = Uint8Array.from(picture.pixels);
  for (let index = 0; index < values.length; index += 1) {
    pixels[index * 4 + 3] = Math.round(((pixels[index * 4 + 3] ?? 0) * (values[index] ?? 0)) / 255);
  }
  return { ...picture, pixels, hasAlpha: true };
};
