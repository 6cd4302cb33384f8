/** Measures how the blocks of a frame have moved in the next one. */

import type { Image } from '../image/image.ts';
import { brightnessOf, type Plane, resizePlane } from '../image/plane.ts';

const longestSide = 96;
const blockSide = 16;
const blockStep = 12;
/** How far a block is searched, in pixels of the small frame: a tenth of its longest side. */
const reach = 10;
/** The least contrast (standard deviation of brightness, from 0 to 1) of a block: a flatter one matches everywhere. */
const leastContrast = 0.02;

/** The movement of a block, in pixels of the small frame. */
export interface BlockShift {
  readonly x: number;
  readonly y: number;
  readonly shiftX: number;
  readonly shiftY: number;
}

/** Small enough to be searched, and large enough to contain blocks. */
export const smallPlane = (image: Image): Plane => {
  const factor = longestSide / Math.max(image.width, image.height);
  const side = (length: number) => Math.max(blockSide + 2, Math.round(length * factor));
  return resizePlane(brightnessOf(image), side(image.width), side(image.height));
};

const contrastIn = ({ values, width }: Plane, left: number, top: number): number => {
  let [sum, squares] = [0, 0];
  for (let y = top; y < top + blockSide; y += 1) {
    for (let x = left; x < left + blockSide; x += 1) {
      const value = values[y * width + x] ?? 0;
      sum += value;
      squares += value * value;
    }
  }
  const mean = sum / blockSide ** 2;
  return Math.sqrt(Math.max(0, squares / blockSide ** 2 - mean * mean));
};

type Differ = (shiftX: number, shiftY: number, limit?: number) => number;

/** Compares a block with the other frame at a shift; infinite if that is outside the frame. */
const differOf =
  (from: Plane, to: Plane, left: number, top: number): Differ =>
  (shiftX, shiftY, limit = Number.POSITIVE_INFINITY) => {
    const [toLeft, toTop] = [left + shiftX, top + shiftY];
    const isInside = toLeft >= 0 && toTop >= 0 && toLeft + blockSide <= to.width && toTop + blockSide <= to.height;
    if (!isInside) return Number.POSITIVE_INFINITY;
    let sum = 0;
    for (let row = 0; row < blockSide && sum < limit; row += 1) {
      const [here, there] = [(top + row) * from.width + left, (toTop + row) * to.width + toLeft];
      for (let column = 0; column < blockSide; column += 1) {
        sum += Math.abs((from.values[here + column] ?? 0) - (to.values[there + column] ?? 0));
      }
    }
    return sum;
  };

/** The minimum of a parabola through three differences, relative to the middle one. */
const lowest = (before: number, middle: number, after: number): number => {
  const bend = before - 2 * middle + after;
  return Number.isFinite(bend) && bend > 1e-9 ? Math.min(0.5, Math.max(-0.5, (before - after) / (2 * bend))) : 0;
};

const shiftOf = (from: Plane, to: Plane, left: number, top: number): BlockShift => {
  const differ = differOf(from, to, left, top);
  let best = { x: 0, y: 0, difference: differ(0, 0) };
  for (let y = -reach; y <= reach; y += 1) {
    for (let x = -reach; x <= reach; x += 1) {
      // Prefers the nearest of equal matches.
      const penalty = 1 + 0.002 * Math.hypot(x, y);
      const difference = differ(x, y, best.difference) * penalty;
      if (difference < best.difference) best = { x, y, difference };
    }
  }
  const at = (x: number, y: number) => differ(best.x + x, best.y + y);
  return {
    x: left + blockSide / 2,
    y: top + blockSide / 2,
    shiftX: best.x + lowest(at(-1, 0), at(0, 0), at(1, 0)),
    shiftY: best.y + lowest(at(0, -1), at(0, 0), at(0, 1)),
  };
};

/** The shifts of all blocks with enough contrast. */
export const blockShifts = (from: Plane, to: Plane): readonly BlockShift[] => {
  const shifts: BlockShift[] = [];
  for (let top = 0; top + blockSide <= from.height; top += blockStep) {
    for (let left = 0; left + blockSide <= from.width; left += blockStep) {
      if (contrastIn(from, left, top) >= leastContrast) shifts.push(shiftOf(from, to, left, top));
    }
  }
  return shifts;
};
