/** Tracks whatever moves in a video without people: the middle of what changes around each frame. */
import type { Image } from '../image/image.ts';
import { brightnessOf, type Plane, resizePlane } from '../image/plane.ts';
import type { Pose, Sightings } from './pose-path.ts';

const longestSide = 96;
/** A smaller change of brightness, from 0 to 1, is noise. */
const minChange = 0.04;
/** The least share of changed pixels that counts as a movement. */
const minShare = 0.005;

const smallPlane = (image: Image): Plane => {
  const factor = longestSide / Math.max(image.width, image.height);
  const side = (length: number) => Math.max(1, Math.round(length * factor));
  return resizePlane(brightnessOf(image), side(image.width), side(image.height));
};

/** The middle of the changed pixels; undefined if nothing moves. */
const changeBetween = (before: Plane, { width, values }: Plane, factor: number): Pose | undefined => {
  let [count, x, y] = [0, 0, 0];
  for (const [index, value] of values.entries()) {
    if (Math.abs(value - (before.values[index] ?? 0)) < minChange) continue;
    count += 1;
    x += index % width;
    y += Math.floor(index / width);
  }
  if (count < minShare * values.length) return undefined;
  return { x: (x / count) * factor, y: (y / count) * factor, size: longestSide * factor, angle: 0 };
};

export const sceneSightings = (frames: readonly Image[]): Sightings => {
  const planes = frames.map(smallPlane);
  return planes.map((plane, index) => {
    const [before, after] = [planes[index - 1] ?? plane, planes[index + 1] ?? plane];
    return changeBetween(before, after, (frames[0]?.width ?? 1) / plane.width);
  });
};
