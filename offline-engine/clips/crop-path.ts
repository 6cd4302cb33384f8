/** Determines which part of the frame a clip shows, and how it follows faces. */

/** The size of the visible part as shares of the frame; on one side it is the whole frame. */
export interface CropSize {
  readonly width: number;
  readonly height: number;
}

/** The largest part of a frame with the given aspect ratio. */
export const cropSize = (frameRatio: number, ratio: number): CropSize =>
  ratio < frameRatio ? { width: ratio / frameRatio, height: 1 } : { width: 1, height: frameRatio / ratio };

/** A face's position along the cropped side, and its size, as shares of that side. */
export interface Sighting {
  readonly center: number;
  readonly size: number;
}

/** Faces smaller than this, relative to the largest, are in the background. */
const minRelativeSize = 0.5;

/** The center of what should be visible: all foreground faces if they fit, otherwise the one nearest to the last. */
const focusOf = (faces: readonly Sighting[], share: number, last: number | undefined): number | undefined => {
  const largest = Math.max(0, ...faces.map(({ size }) => size));
  const inFront = faces.filter(({ size }) => size >= largest * minRelativeSize);
  if (inFront.length === 0) return undefined;
  const left = Math.min(...inFront.map(({ center, size }) => center - size / 2));
  const right = Math.max(...inFront.map(({ center, size }) => center + size / 2));
  if (right - left <= share) return (left + right) / 2;
  const rank = ({ center, size }: Sighting) => (last === undefined ? -size : Math.abs(center - last));
  return inFront.toSorted((one, other) => rank(one) - rank(other))[0]?.center;
};

/**
 * A point on the path of the visible part: where it begins at a time, in seconds of the clip and as a share of the
 * side.
 */
export interface CropNode {
  readonly time: number;
  readonly offset: number;
  /** Whether this is the first point of a shot, at which the visible part may jump. */
  readonly isJump: boolean;
}

/** The visible part does not follow movements that are smaller than this share of its size. */
const restShare = 0.25;
const smoothingRadius = 3;

/** A face in a smaller share of a shot's samples is assumed to be a reflection or a pattern. */
const minSeenShare = 0.4;

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/**
 * The focus in each sample of a shot; a sample without faces has the focus of the last one, or else of the next one,
 * with faces.
 */
const focusesOf = (shot: readonly (readonly Sighting[])[], share: number): readonly number[] | undefined => {
  let last: number | undefined;
  const seen = shot.map((faces) => {
    const focus = focusOf(faces, share, last);
    last = focus ?? last;
    return focus;
  });
  const first = seen.find((focus) => focus !== undefined);
  const count = seen.filter((focus) => focus !== undefined).length;
  if (first === undefined || count < minSeenShare * seen.length) return undefined;
  let held = first;
  return seen.map((focus) => {
    held = focus ?? held;
    return held;
  });
};

const offsetOf = (focus: number, share: number): number => Math.min(1 - share, Math.max(0, focus - share / 2));

interface Shot {
  readonly from: number;
  readonly samples: readonly (readonly Sighting[])[];
}

const nodesOf = ({ from, samples }: Shot, share: number, stepSeconds: number, isFirst: boolean): CropNode[] => {
  const start = { time: from, isJump: !isFirst };
  const focuses = focusesOf(samples, share);
  if (!focuses) return [{ ...start, offset: (1 - share) / 2 }];
  const spread = Math.max(...focuses) - Math.min(...focuses);
  if (spread <= restShare * share) return [{ ...start, offset: offsetOf(mean(focuses), share) }];
  return focuses.map((_, index) => {
    const near = focuses.slice(Math.max(0, index - smoothingRadius), index + smoothingRadius + 1);
    const node = { offset: offsetOf(mean(near), share), time: from + index * stepSeconds };
    return { ...node, isJump: index === 0 && !isFirst };
  });
};

interface Shots {
  /** The faces in samples at a fixed rate, from the beginning of the clip. */
  readonly sightings: readonly (readonly Sighting[])[];
  readonly stepSeconds: number;
  /** The times of scene changes within the clip. */
  readonly scenes: readonly number[];
}

/**
 * The path of the visible part of the frame: it stays still within a shot unless a face leaves it, and is centered if
 * there are no faces.
 */
export const cropPath = ({ sightings, stepSeconds, scenes }: Shots, share: number): readonly CropNode[] =>
  [0, ...scenes].flatMap((from, index) => {
    const to = scenes[index] ?? Number.POSITIVE_INFINITY;
    const samples = sightings.filter((_, sample) => sample * stepSeconds >= from && sample * stepSeconds < to);
    return nodesOf({ from, samples }, share, stepSeconds, index === 0);
  });

/** How far the path may deviate, because movements smaller than this are not visible. */
const minStep = 0.003;

/** The path as an ffmpeg expression of `t`. */
export const offsetExpression = ([first, ...rest]: readonly CropNode[]): string => {
  if (!first) return '0';
  let last = first;
  const terms = [first.offset.toFixed(4)];
  for (const node of rest) {
    const change = node.offset - last.offset;
    if (Math.abs(change) < minStep && !node.isJump) continue;
    const step = node.isJump
      ? `gte(t,${node.time.toFixed(3)})`
      : `clip((t-${last.time.toFixed(3)})/${(node.time - last.time).toFixed(3)},0,1)`;
    terms.push(`${change.toFixed(4)}*${step}`);
    last = node;
  }
  return terms.join('+').replaceAll('+-', '-');
};
