/** Connected areas of a binary mask: drops small ones and fills holes. */
import { type Plane, planeLike } from './plane.ts';

interface Area {
  readonly value: number;
  readonly pixels: number;
  readonly touchesBorder: boolean;
  /** Whether the area touches a border other than the lower one, on which objects stand. */
  readonly isCutOff: boolean;
}

interface Areas {
  readonly areas: readonly Area[];
  /** The number of each pixel's area. */
  readonly areaOf: Int32Array;
}

/** Writes an area's number to all of its pixels, starting from one. */
const spread = ({ width, height, values }: Plane, start: number, number: number, areaOf: Int32Array): Area => {
  const value = values[start] ?? 0;
  const pixels = [start];
  areaOf[start] = number;
  let isCutOff = false;
  let standsBelow = false;
  const visit = (to: number) => {
    if (areaOf[to] !== -1 || values[to] !== value) return;
    areaOf[to] = number;
    pixels.push(to);
  };
  for (const at of pixels) {
    const [x, y] = [at % width, Math.floor(at / width)];
    isCutOff ||= x === 0 || y === 0 || x === width - 1;
    standsBelow ||= y === height - 1;
    if (x > 0) visit(at - 1);
    if (x < width - 1) visit(at + 1);
    if (y > 0) visit(at - width);
    if (y < height - 1) visit(at + width);
  }
  return { value, pixels: pixels.length, isCutOff, touchesBorder: isCutOff || standsBelow };
};

const areasOf = (mask: Plane): Areas => {
  const areaOf = new Int32Array(mask.values.length).fill(-1);
  const areas: Area[] = [];
  for (let index = 0; index < areaOf.length; index += 1) {
    if (areaOf[index] === -1) areas.push(spread(mask, index, areas.length, areaOf));
  }
  return { areas, areaOf };
};

/** The least size of an area, relative to the largest. */
const minShare = 0.05;

const kept = (mask: Plane, isKept: (area: Area, largest: number) => boolean): Plane => {
  const { areas, areaOf } = areasOf(mask);
  const largest = areas.reduce((max, { value, pixels }) => (value === 1 ? Math.max(max, pixels) : max), 0);
  const isSubject = areas.map((area) => isKept(area, largest));
  return planeLike(mask, (index) => (isSubject[areaOf[index] ?? 0] ? 1 : 0));
};

/** Removes specks and fills holes, because the background reaches the border. */
export const solid = (mask: Plane): Plane =>
  kept(mask, ({ value, pixels, touchesBorder }, largest) =>
    value === 1 ? pixels >= minShare * largest : !touchesBorder,
  );

const minShareCutOff = 0.6;

/** Removes smaller areas that the frame truncates, because they are more likely background. */
export const withoutCutOff = (mask: Plane): Plane =>
  kept(mask, ({ value, pixels, isCutOff }, largest) => value === 1 && !(isCutOff && pixels < minShareCutOff * largest));
