/** Finds a foreground other than people: everything that a flood fill from the borders does not reach. */

import { solid, withoutCutOff } from './connected-areas.ts';
import { type Image, imageOf, pipelineOf, shrinkImage } from './image.ts';
import { boxBlur, meanOf, type Plane, planeLike } from './plane.ts';

const workingSide = 512;

/**
 * How much a color may differ from that of the previous pixel, and from that of the border pixel where the flood began.
 */
interface Tolerance {
  readonly step: number;
  readonly whole: number;
}

const tolerances: readonly Tolerance[] = [
  ...[10, 13, 16, 20, 24, 34, 46, 60, 80].map((step) => ({ step, whole: 2.6 * step })),
  // Without a limit on the difference from the border pixel, many small steps can follow a sky from dark to bright.
  ...[3, 5, 8].map((step) => ({ step, whole: Number.POSITIVE_INFINITY })),
];
/**
 * The least share of border pixels that a background color has: a rarer color belongs to an object that extends beyond
 * the image.
 */
const commonShare = 0.04;
const sensibleShare: readonly [number, number] = [0.02, 0.9];

type Distance = (one: number, other: number) => number;

/** The difference of two pixels by index (0 to about 765); green has the highest weight, as for the eye. */
const distanceIn =
  ({ pixels }: Image): Distance =>
  (one, other) => {
    const difference = (channel: number) => (pixels[one * 4 + channel] ?? 0) - (pixels[other * 4 + channel] ?? 0);
    return Math.sqrt(2 * difference(0) ** 2 + 4 * difference(1) ** 2 + 3 * difference(2) ** 2) / 1.73;
  };

const borderOf = ({ width, height }: Image): readonly number[] => {
  const rows = Array.from({ length: width }, (_, x) => [x, (height - 1) * width + x]);
  const columns = Array.from({ length: height }, (_, y) => [y * width, y * width + width - 1]);
  return [...new Set([...rows, ...columns].flat())];
};

/** The border pixels with common colors, where the flood begins. */
const springs = (image: Image): readonly number[] => {
  const border = borderOf(image);
  const binOf = (index: number) => {
    const part = (channel: number) => (image.pixels[index * 4 + channel] ?? 0) >> 5;
    return (part(0) << 6) | (part(1) << 3) | part(2);
  };
  const counts = new Map<number, number>();
  for (const index of border) counts.set(binOf(index), (counts.get(binOf(index)) ?? 0) + 1);
  return border.filter((index) => (counts.get(binOf(index)) ?? 0) >= commonShare * border.length);
};

/** The mask after the flood fill: 0 where it arrived, 1 elsewhere. */
const flooded = (image: Image, distance: Distance, sources: readonly number[], { step, whole }: Tolerance): Plane => {
  const { width, height } = image;
  const values = new Float32Array(width * height).fill(1);
  const origins = new Int32Array(width * height);
  const reached = Int32Array.from({ length: width * height }, (_, index) => sources[index] ?? 0);
  let count = sources.length;
  for (const source of sources) {
    values[source] = 0;
    origins[source] = source;
  }
  for (let next = 0; next < count; next += 1) {
    const from = reached[next] ?? 0;
    const origin = origins[from] ?? 0;
    const column = from % width;
    const visit = (to: number) => {
      if (values[to] !== 1) return;
      if (distance(from, to) > step || distance(origin, to) > whole) return;
      values[to] = 0;
      origins[to] = origin;
      reached[count] = to;
      count += 1;
    };
    if (column > 0) visit(from - 1);
    if (column < width - 1) visit(from + 1);
    if (from >= width) visit(from - width);
    if (from < width * (height - 1)) visit(from + width);
  }
  return { width, height, values };
};

/** Smooths the edge, and removes specks and holes. */
const cleaned = (mask: Plane): Plane => {
  const blurred = boxBlur(mask, 3);
  return solid(planeLike(mask, (index) => ((blurred.values[index] ?? 0) > 0.5 ? 1 : 0)));
};

/** The least difference between two pixels with an edge between them. */
const minEdge = 14;

/** The share of the mask's outline that is on no edge of the image: there, the flood fill ended arbitrarily. */
const weakShare = ({ width, height, values }: Plane, distance: Distance): number => {
  let weak = 0;
  let count = 1;
  for (let y = 1; y < height - 2; y += 1) {
    for (let x = 1; x < width - 2; x += 1) {
      const index = y * width + x;
      for (const step of [1, width]) {
        if (values[index] === values[index + step]) continue;
        if (distance(index - step, index + 2 * step) < minEdge) weak += 1;
        count += 1;
      }
    }
  }
  return weak / count;
};

interface Candidate {
  readonly mask: Plane;
  readonly isSensible: boolean;
  readonly merit: number;
}

/** The penalty for weak edges in a mask's score; chosen by inspecting results. */
const weight = 4.5;

/** Of masks with a plausible size, the larger one with clear edges; otherwise the one nearest to half of the image. */
const candidateOf = (mask: Plane, distance: Distance): Candidate => {
  const share = meanOf(mask);
  const isSensible = share >= sensibleShare[0] && share <= sensibleShare[1];
  const merit = isSensible ? share * (1 - weight * weakShare(mask, distance)) : -Math.abs(share - 0.5);
  return { mask, isSensible, merit };
};

const isBetter = (one: Candidate, other: Candidate | undefined): boolean => {
  if (!other) return true;
  return one.isSensible === other.isSensible ? one.merit > other.merit : one.isSensible;
};

/** The window size of the median filter that removes noise. */
const medianSide = 3;
/** The least side of an image that is searched; smaller images count as having no background. */
const minSide = 8;

/** The best mask of several tolerances: 1 for foreground, 0 for background, at most 512 pixels per side. */
export const borderFlood = async (image: Image): Promise<Plane> => {
  const working = await shrinkImage(image, workingSide);
  if (Math.min(working.width, working.height) < minSide) return planeLike(working, () => 1);
  const calm = await imageOf(pipelineOf(working).median(medianSide).blur(0.8), false);
  const sources = springs(calm);
  const distance = distanceIn(calm);
  let best: Candidate | undefined;
  for (const tolerance of tolerances) {
    const candidate = candidateOf(cleaned(flooded(calm, distance, sources, tolerance)), distance);
    if (isBetter(candidate, best)) best = candidate;
  }
  return best ? withoutCutOff(best.mask) : planeLike(working, () => 1);
};
