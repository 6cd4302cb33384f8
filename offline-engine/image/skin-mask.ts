/** Finds skin in an image: on people, in the tone of their own faces. */
import { findFaces } from './face-finder.ts';
import { type Image, shrinkImage } from './image.ts';
import { personMask } from './person-mask.ts';
import { boxBlur, type Plane, planeLike, resizePlane } from './plane.ts';
import { type SkinTone, skinTones, strictSkinTones, toneOfFace } from './skin-tone.ts';

const workingSide = 1024;
const leastPersonShare = 0.01;

/** Rises from 0 at the edge to 1 inside, and never extends beyond the edge. */
const feather = (mask: Plane, radius: number): Plane => {
  const blurred = boxBlur(mask, radius);
  return planeLike(mask, (index) =>
    (mask.values[index] ?? 0) > 0 ? Math.min(1, Math.max(0, ((blurred.values[index] ?? 0) - 0.5) * 2)) : 0,
  );
};

/** Removes specks and pinholes. */
const cleaned = (mask: Plane): Plane => {
  const blurred = boxBlur(mask, Math.max(1, Math.max(mask.width, mask.height) / 250));
  return planeLike(mask, (index) => ((blurred.values[index] ?? 0) > 0.5 ? 1 : 0));
};

interface Surroundings {
  /** Whether a pixel of the working image can be skin at all. */
  readonly admits: (index: number) => boolean;
  readonly tones: readonly SkinTone[];
}

/**
 * With faces: pixels on people in a face's tone, except eyes and mouths. With people whose faces are not visible: all
 * possible skin tones on them. Without people, as in a close-up of a hand: only very likely skin tones.
 */
const surroundingsOf = async (working: Image): Promise<Surroundings> => {
  const { share, coarse } = await personMask(working);
  if (share < leastPersonShare) return { admits: () => true, tones: [strictSkinTones] };
  const people = resizePlane(coarse, working.width, working.height);
  const faces = (await findFaces(working)).map((face) => toneOfFace(working, face));
  return {
    admits: (index) =>
      (people.values[index] ?? 0) >= 0.5 &&
      !faces.some(({ isFeature }) => isFeature(index % working.width, Math.floor(index / working.width))),
    tones: faces.length > 0 ? faces.map(({ tone }) => tone) : [skinTones],
  };
};

/** A mask from 0 (no skin) to 1, with at most 1024 pixels per side, feathered inwards. */
export const skinMask = async (image: Image): Promise<Plane> => {
  const working = await shrinkImage(image, workingSide);
  const { admits, tones } = await surroundingsOf(working);
  const skin = planeLike(working, (index) =>
    admits(index) && tones.some((tone) => tone.holds(working, index)) ? 1 : 0,
  );
  return feather(cleaned(skin), Math.max(2, Math.max(working.width, working.height) / 128));
};
