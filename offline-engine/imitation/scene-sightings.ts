/**
 * Tracks whatever moves in a video: a subject in front of a still background, or the whole picture of a moving camera.
 */
import type { Image } from '../image/image.ts';
import { type BlockShift, blockShifts, smallPlane } from './block-shifts.ts';
import type { Pose, Sightings } from './pose-path.ts';

/** In pixels of the small frame; smaller shifts are noise. */
const leastShift = 0.3;
/** How many blocks are needed to determine a rotation or a change of size. */
const leastBlocks = 6;

/** The movement of a part of the frame: the shift of its center, its growth and its rotation. */
interface Motion {
  readonly shiftX: number;
  readonly shiftY: number;
  readonly growth: number;
  readonly turn: number;
}

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** The similarity transform that fits the shifts best. */
const fit = (shifts: readonly BlockShift[]): Motion => {
  const [x, y] = [meanOf(shifts.map((one) => one.x)), meanOf(shifts.map((one) => one.y))];
  const shiftX = meanOf(shifts.map((one) => one.shiftX));
  const shiftY = meanOf(shifts.map((one) => one.shiftY));
  if (shifts.length < leastBlocks) return { shiftX, shiftY, growth: 0, turn: 0 };
  let [spread, along, across] = [0, 0, 0];
  for (const one of shifts) {
    const [dx, dy, moveX, moveY] = [one.x - x, one.y - y, one.shiftX - shiftX, one.shiftY - shiftY];
    spread += dx * dx + dy * dy;
    along += dx * moveX + dy * moveY;
    across += dx * moveY - dy * moveX;
  }
  return spread > 0
    ? { shiftX, shiftY, growth: along / spread, turn: across / spread }
    : { shiftX, shiftY, growth: 0, turn: 0 };
};

/** The blocks that move like the majority of the moving ones. */
const agreeing = (shifts: readonly BlockShift[]): readonly BlockShift[] => {
  const middle = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
  const [shiftX, shiftY] = [middle(shifts.map((one) => one.shiftX)), middle(shifts.map((one) => one.shiftY))];
  const distance = (one: BlockShift) => Math.hypot(one.shiftX - shiftX, one.shiftY - shiftY);
  const limit = 2 * middle(shifts.map(distance)) + 0.5;
  return shifts.filter((one) => distance(one) <= limit);
};

const motionBetween = (shifts: readonly BlockShift[]): Motion => {
  const moving = shifts.filter(({ shiftX, shiftY }) => Math.hypot(shiftX, shiftY) >= leastShift);
  return moving.length === 0 ? { shiftX: 0, shiftY: 0, growth: 0, turn: 0 } : fit(agreeing(moving));
};

/** The path of the movement, starting in the middle of the frame; known in every frame. */
export const sceneSightings = (frames: readonly Image[]): Sightings => {
  const planes = frames.map(smallPlane);
  const [first] = planes;
  if (!first) return [];
  const factor = (frames[0]?.width ?? 1) / first.width;
  let pose: Pose = { x: (first.width * factor) / 2, y: (first.height * factor) / 2, size: 100, angle: 0 };
  const path = [pose];
  for (const [index, plane] of planes.entries()) {
    const before = planes[index - 1];
    if (!before) continue;
    const { shiftX, shiftY, growth, turn } = motionBetween(blockShifts(before, plane));
    pose = {
      x: pose.x + shiftX * factor,
      y: pose.y + shiftY * factor,
      size: pose.size * Math.exp(growth),
      angle: pose.angle + turn,
    };
    path.push(pose);
  }
  return path;
};
