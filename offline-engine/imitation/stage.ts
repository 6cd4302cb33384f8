/** A character in front of its own background, both in the size of the frame. */
import { type Box, boxOf } from '../image/box.ts';
import { findFaces, type Point } from '../image/face-finder.ts';
import { holeAround } from '../image/hole-around.ts';
import { type Image, imageOf, pipelineOf, resizeImage, shrinkImage } from '../image/image.ts';
import { paintOut } from '../image/paint-out.ts';
import { cutOut, subjectMask } from '../image/subject-mask.ts';
import type { FrameSize } from '../video/frame.ts';

export interface Stage {
  /** The image without the character, in the size of the frame. */
  readonly background: Image;
  /** The character in its scale on the frame, with a transparent surrounding. */
  readonly character: Image;
  /** The initial position of the character's image, which may extend beyond the frame. */
  readonly left: number;
  readonly top: number;
  /** The part of its image that the character fills. */
  readonly box: Box;
  /** The point that the character rotates and grows around: the face, or else the middle. */
  readonly center: Point;
}

const workingSide = 2048;
/** The plausible share of a subject; outside of this range, the whole image is moved instead. */
const leastShare = 0.01;
const mostShare = 0.9;

/** The largest part with the frame's proportions, with a point as close to its middle as possible. */
const cropAround = (image: Image, { width, height }: FrameSize, middle: Point): Box => {
  const factor = Math.min(image.width / width, image.height / height);
  const size = { width: Math.max(1, Math.round(width * factor)), height: Math.max(1, Math.round(height * factor)) };
  const place = (at: number, length: number, all: number) =>
    Math.round(Math.min(all - length, Math.max(0, at - length / 2)));
  return {
    ...size,
    left: place(middle.x, size.width, image.width),
    top: place(middle.y, size.height, image.height),
  };
};

/** The crop with a margin for the character's movements. */
const widened = (image: Image, { left, top, width, height }: Box): Box => {
  const from = { x: Math.max(0, left - width), y: Math.max(0, top - Math.round(height / 2)) };
  const to = {
    x: Math.min(image.width, left + 2 * width),
    y: Math.min(image.height, top + Math.round(height * 1.5)),
  };
  return { left: from.x, top: from.y, width: to.x - from.x, height: to.y - from.y };
};

const cropped = (image: Image, { left, top, width, height }: Box): Promise<Image> =>
  imageOf(pipelineOf(image).extract({ left, top, width, height }), image.hasAlpha);

const alphaOf = ({ pixels }: Image): Uint8Array =>
  Uint8Array.from({ length: pixels.length / 4 }, (_, at) => pixels[at * 4 + 3] ?? 0);

const opaque = async (image: Image): Promise<Image> =>
  image.hasAlpha ? imageOf(pipelineOf(image).flatten({ background: '#ffffff' }), false) : image;

interface Subject {
  readonly image: Image;
  readonly background: Image;
  readonly middle: Point;
}

/** The character cut out, and the image without it; or the whole image twice. */
const separated = async (image: Image): Promise<Subject> => {
  const mask = await subjectMask(image);
  const box = boxOf(mask.values, image.width);
  const share = mask.values.reduce((sum, value) => sum + value, 0) / 255 / mask.values.length;
  const whole = { image, background: image, middle: { x: image.width / 2, y: image.height / 2 } };
  if (!box || share < leastShare || share > mostShare) return whole;
  return {
    image: cutOut(image, mask),
    background: await paintOut(image, await holeAround(mask.values, image)),
    middle: { x: box.left + box.width / 2, y: box.top + box.height / 2 },
  };
};

export const stageOf = async (given: Image, size: FrameSize): Promise<Stage> => {
  const image = await opaque(await shrinkImage(given, workingSide));
  const { image: subject, background, middle } = await separated(image);
  const [face] = await findFaces(image);
  const turning = face?.centre ?? middle;
  const crop = cropAround(image, size, { x: middle.x, y: middle.y });
  const wide = widened(image, crop);
  const scale = size.width / crop.width;
  const part = await cropped(subject, wide);
  const character = await resizeImage(part, Math.round(wide.width * scale), Math.round(wide.height * scale));
  return {
    background: await resizeImage(await cropped(background, crop), size.width, size.height),
    character,
    left: (wide.left - crop.left) * scale,
    top: (wide.top - crop.top) * scale,
    box: boxOf(alphaOf(character), character.width) ?? { left: 0, top: 0, ...size },
    center: { x: (turning.x - crop.left) * scale, y: (turning.y - crop.top) * scale },
  };
};
