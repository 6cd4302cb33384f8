/** A character in front of its own background, both in the size of the frame. */
import { type Box, boxOf } from '../image/box.ts';
import { findFaces, type Point } from '../image/face-finder.ts';
import type { FrameSize } from '../image/frame-size.ts';
import { type Image, imageOf, pipelineOf, shrinkImage } from '../image/image.ts';
import { paintOut } from '../image/paint-out.ts';
import { cutOut, subjectMask } from '../image/subject-mask.ts';
import { type Layer, still } from '../video/scene.ts';
import { type Sprite, spriteOf } from '../video/sprite.ts';
import type { Movement } from './pose-path.ts';

const workingSide = 2048;
/** The plausible share of the image that a subject covers; outside of this range, the whole image is moved instead. */
const minShare = 0.01;
const maxShare = 0.9;

/** The largest part of the image with the frame's proportions whose middle is as close to a point as possible. */
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

interface Subject {
  readonly image: Image;
  readonly background: Image;
  /** The part of the image that the subject fills. */
  readonly box: Box;
}

/** The character cut out, and the image without it; or the whole image twice. */
const separated = async (image: Image): Promise<Subject> => {
  const mask = await subjectMask(image);
  const box = boxOf(mask.values, image.width);
  const share = mask.values.reduce((sum, value) => sum + value, 0) / 255 / mask.values.length;
  const whole = { left: 0, top: 0, width: image.width, height: image.height };
  if (!box || share < minShare || share > maxShare) return { image, background: image, box: whole };
  return {
    image: cutOut(image, mask),
    background: await paintOut(image, mask.values),
    box,
  };
};

interface Character {
  readonly sprite: Sprite;
  /** The position of the sprite's center in the frame. */
  readonly middle: Point;
  /** The point around which the sprite rotates and grows. */
  readonly center: Point;
}

/** The subject in its scale on the frame; where the image cuts it off, it is continued by its mirror image. */
const characterOf = async ({ image, box }: Subject, crop: Box, scale: number, center: Point): Promise<Character> => {
  const reach = (isCutOff: boolean, length: number) => (isCutOff ? Math.floor((length * scale) / 2) : 0);
  const more = {
    left: reach(box.left <= 1, box.width),
    top: reach(box.top <= 1, box.height),
    right: reach(box.left + box.width >= image.width - 1, box.width),
    bottom: reach(box.top + box.height >= image.height - 1, box.height),
  };
  const [width, height] = [Math.max(1, Math.round(box.width * scale)), Math.max(1, Math.round(box.height * scale))];
  const part = await imageOf(pipelineOf(image).extract(box).resize(width, height, { fit: 'fill' }), true);
  return {
    sprite: await spriteOf(pipelineOf(part).extend({ ...more, extendWith: 'mirror' })),
    middle: {
      x: (box.left - crop.left) * scale + (width + more.right - more.left) / 2,
      y: (box.top - crop.top) * scale + (height + more.bottom - more.top) / 2,
    },
    center: { x: (center.x - crop.left) * scale, y: (center.y - crop.top) * scale },
  };
};

/** The layers of a character that moves in front of its background. */
export const stageOf = async (
  given: Image,
  size: FrameSize,
  movementAt: (seconds: number) => Movement,
): Promise<readonly Layer[]> => {
  const shrunk = await shrinkImage(given, workingSide);
  const image = await imageOf(pipelineOf(shrunk).flatten({ background: '#ffffff' }), false);
  const subject = await separated(image);
  const { background, box } = subject;
  const [face] = await findFaces(image);
  const middle = { x: box.left + box.width / 2, y: box.top + box.height / 2 };
  const crop = cropAround(image, size, middle);
  const behind = pipelineOf(background).extract(crop).resize(size.width, size.height, { fit: 'fill' });
  const character = await characterOf(subject, crop, size.width / crop.width, face?.center ?? middle);
  const { sprite, center } = character;
  const [across, down] = [character.middle.x - center.x, character.middle.y - center.y];
  return [
    still(await spriteOf(behind), { x: size.width / 2, y: size.height / 2, isSoft: true }),
    (seconds) => {
      const { x, y, scale, angle } = movementAt(seconds);
      const [cos, sin] = [scale * Math.cos(angle), scale * Math.sin(angle)];
      const place = {
        x: center.x + x * size.width + cos * across - sin * down,
        y: center.y + y * size.height + sin * across + cos * down,
        scale,
        radians: angle,
      };
      return [{ sprite, place }];
    },
  ];
};
