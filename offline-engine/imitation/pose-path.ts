/** The path of a subject through a video: gaps are filled, it is smoothed, and it can be read at any time. */

import { between } from '../video/motion.ts';

/** The position of the subject, in pixels of the frame and radians. */
export interface Pose {
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly angle: number;
}

/** The subject in each frame, at a fixed rate; undefined where it was not found. */
export type Sightings = readonly (Pose | undefined)[];

/** How the subject has moved since the beginning. */
export interface Movement {
  /** The shift, as shares of the width and height of the frame. */
  readonly x: number;
  readonly y: number;
  /** The factor by which the size has changed. */
  readonly scale: number;
  readonly angle: number;
}

/** Interpolates gaps, and extends the first and last value. */
const filled = (values: readonly (number | undefined)[]): readonly number[] => {
  const known = values.flatMap((value, index) => (value === undefined ? [] : [{ value, index }]));
  let next = 0;
  return values.map((_, index) => {
    while ((known[next]?.index ?? Number.POSITIVE_INFINITY) < index) next += 1;
    const [before, after] = [known[next - 1] ?? known[next], known[next] ?? known[next - 1]];
    if (!before || !after) return 0;
    const share = after.index === before.index ? 0 : (index - before.index) / (after.index - before.index);
    return before.value + (after.value - before.value) * share;
  });
};

/** Unwraps angles that are known only up to whole periods. */
const continued = (values: readonly (number | undefined)[], period: number): readonly (number | undefined)[] => {
  let last: number | undefined;
  return values.map((value) => {
    if (value === undefined) return undefined;
    last = last === undefined ? value : value - Math.round((value - last) / period) * period;
    return last;
  });
};

const weights = [1, 4, 6, 4, 1];

/** Removes single outliers, then noise. */
const smoothed = (values: readonly number[]): readonly number[] => {
  const at = (list: readonly number[], index: number) => list[Math.min(list.length - 1, Math.max(0, index))] ?? 0;
  const steady = values.map((value, index) => {
    const [, middle = value] = [at(values, index - 1), value, at(values, index + 1)].toSorted((a, b) => a - b);
    return middle;
  });
  return steady.map((_, index) =>
    weights.reduce((sum, weight, offset) => sum + (weight / 16) * at(steady, index + offset - 2), 0),
  );
};

/** Values relative to the first, scaled down and shifted as little as necessary to stay in a range. */
const fitted = (values: readonly number[], reach: number): readonly number[] => {
  const first = values[0] ?? 0;
  const min = Math.min(...values) - first;
  const max = Math.max(...values) - first;
  const gain = Math.min(1, (2 * reach) / Math.max(1e-9, max - min));
  const shift = Math.max(0, -reach - gain * min) - Math.max(0, gain * max - reach);
  return values.map((value) => (value - first) * gain + shift);
};

/** The largest movements of a character, so that it stays recognizable and in the frame. */
const reach = { x: 0.3, y: 0.22, scale: Math.log(1.5), angle: Math.PI / 6 };

/**
 * The movements along a path, without jitter. `turn` is the angle of rotation after which the subject looks the same
 * again.
 */
export const movementsOf = (
  sightings: Sightings,
  frame: { readonly width: number; readonly height: number },
  turn = 2 * Math.PI,
): readonly Movement[] => {
  const values = (read: (pose: Pose) => number) => sightings.map((pose) => pose && read(pose));
  const x = fitted(smoothed(filled(values((pose) => pose.x / frame.width))), reach.x);
  const y = fitted(smoothed(filled(values((pose) => pose.y / frame.height))), reach.y);
  const scale = fitted(smoothed(filled(values((pose) => Math.log(pose.size)))), reach.scale);
  const angle = fitted(
    smoothed(
      filled(
        continued(
          values((pose) => pose.angle),
          turn,
        ),
      ),
    ),
    reach.angle,
  );
  return sightings.map((_, index) => ({
    x: x[index] ?? 0,
    y: y[index] ?? 0,
    scale: Math.exp(scale[index] ?? 0),
    angle: angle[index] ?? 0,
  }));
};

/** The movement at a fractional position in the list; beyond the end, the last one. */
export const movementAt = (movements: readonly Movement[], position: number): Movement => {
  const before = movements[Math.min(movements.length - 1, Math.floor(position))];
  const after = movements[Math.min(movements.length - 1, Math.floor(position) + 1)];
  const read = (name: keyof Movement) => between(before?.[name] ?? 0, after?.[name] ?? 0, position % 1);
  return { x: read('x'), y: read('y'), scale: read('scale'), angle: read('angle') };
};
