/** A character in front of its own background, both in the size of the frame. */

import type { Sharp } from 'sharp';
import { type Box, boxOf } from '../image/box.ts';
import { findFaces, type Point } from '../image/face-finder.ts';
import type { FrameSize } from '../image/frame-size.ts';
import { type Image, imageOf, pipelineOf, shrinkImage } from '../image/image.ts';
import { paintOut } from '../image/paint-out.ts';
import { cutOut, subjectMask } from '../image/subject-mask.ts';
import { type Layer, still } from '../video/scene.ts';
import { type Sprite, spriteOf } from '../video/sprite.ts';
import { type Figure, posesWithin } from './figure-in-frame.ts';
import { type Movement, movementAt } from './pose-path.ts';

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
  /** The middle of the sprite in the frame. */
  readonly middle: Point;
  /** The point around which the sprite is rotated and scaled. */
  readonly center: Point;
  /** The part of the character that must stay in the frame: not where its image cuts it off. */
  readonly figure: Figure;
}

/**
 * How far above the lower edge of a bust its outline may be drawn, as a share of its height: this strip is replaced.
 */
const edge = 0.02;

/**
 * A bust that is extended downwards by copies of its last row. Elsewhere images are extended by reflection, which would
 * show a bust upside down.
 */
function longer(bust: Image, pixels: number): Sharp {
  const height = Math.max(1, Math.floor((1 - edge) * bust.height));
  const above = pipelineOf(bust).extract({ left: 0, top: 0, width: bust.width, height });
  return above.extend({ bottom: bust.height - height + pixels, extendWith: 'copy' });
}

/** The subject in its scale on the frame; where the image cuts it off, it is continued. */
async function characterOf({ image, box }: Subject, crop: Box, scale: number, center: Point): Promise<Character> {
  const cut = {
    left: box.left <= 1,
    top: box.top <= 1,
    right: box.left + box.width >= image.width - 1,
    bottom: box.top + box.height >= image.height - 1,
  };
  const reach = (isCutOff: boolean, length: number) => (isCutOff ? Math.floor((length * scale) / 2) : 0);
  const more = {
    left: reach(cut.left, box.width),
    top: reach(cut.top, box.height),
    right: reach(cut.right, box.width),
    bottom: reach(cut.bottom, cut.top ? box.height : image.height),
  };
  const [width, height] = [Math.max(1, Math.round(box.width * scale)), Math.max(1, Math.round(box.height * scale))];
  const part = await imageOf(pipelineOf(image).extract(box).resize(width, height, { fit: 'fill' }), true);
  const { bottom, ...others } = more;
  const wide = await imageOf(pipelineOf(part).extend({ ...others, extendWith: 'mirror' }), true);
  const sprite = await spriteOf(
    cut.bottom && !cut.top ? longer(wide, bottom) : pipelineOf(wide).extend({ bottom, extendWith: 'mirror' }),
  );
  const left = (box.left - crop.left) * scale;
  const top = (box.top - crop.top) * scale;
  return {
    sprite,
    middle: { x: left + (width + more.right - more.left) / 2, y: top + (height + more.bottom - more.top) / 2 },
    center: { x: (center.x - crop.left) * scale, y: (center.y - crop.top) * scale },
    figure: { middle: { x: left + width / 2, y: top + height / 2 }, width, height, cut },
  };
}

/** The layers of a character that moves in front of its background without leaving the frame. */
export const stageOf = async (
  given: Image,
  size: FrameSize,
  movements: readonly Movement[],
  movementsPerSecond: number,
): Promise<readonly Layer[]> => {
  const shrunk = await shrinkImage(given, workingSide);
  const image = await imageOf(pipelineOf(shrunk).flatten({ background: '#ffffff' }), false);
  const subject = await separated(image);
  const { background, box } = subject;
  const [face] = await findFaces(image);
  const middle = { x: box.left + box.width / 2, y: box.top + box.height / 2 };
  const crop = cropAround(image, size, middle);
  const { sprite, figure, ...at } = await characterOf(subject, crop, size.width / crop.width, face?.center ?? middle);
  const poses = posesWithin(size, figure, at.center, movements);
  const behind = pipelineOf(background).extract(crop).resize(size.width, size.height, { fit: 'fill' });
  // If the figure was made smaller to fit in the frame, it no longer covers the place where it was removed from the
  // background.
  const isSmaller = poses.some(({ scale }, index) => scale < (movements[index]?.scale ?? 1) - 0.02);
  const [across, down] = [at.middle.x - at.center.x, at.middle.y - at.center.y];
  return [
    still(await spriteOf(isSmaller ? behind.blur(0.06 * size.width) : behind), {
      x: size.width / 2,
      y: size.height / 2,
      isSoft: true,
    }),
    (seconds) => {
      const { x, y, scale, angle } = movementAt(poses, seconds * movementsPerSecond);
      const [cos, sin] = [scale * Math.cos(angle), scale * Math.sin(angle)];
      return [
        {
          sprite,
          place: { x: x + cos * across - sin * down, y: y + sin * across + cos * down, scale, radians: angle },
        },
      ];
    },
  ];
};
