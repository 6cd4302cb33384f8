/** Chooses the clips of a video: as many as asked for, the best ones together, none overlapping another. */
import { clipSeconds } from '../../../shared/contracts/generate-cortes.ts';
import type { SourceAnalysis, Span } from './analyze-source.ts';
import { allPoints, type CutPoint, type CutPoints, naturalPoints } from './cut-points.ts';
import { passageRater, type RatePassage } from './rate-passages.ts';

export interface ChosenClip extends Span {
  /** From 0 to 1. */
  readonly score: number;
}

interface Lengths {
  readonly least: number;
  readonly most: number;
}

/** A place in the order of time, at which clips begin, end or both. */
interface Place {
  readonly time: number;
  start?: number;
  end?: number;
}

const placesOf = ({ starts, ends }: CutPoints): readonly Place[] => {
  const places = new Map<number, Place>();
  const add = (role: 'start' | 'end') => (point: CutPoint) => {
    const place: Place = places.get(point.time) ?? { time: point.time };
    place[role] = point.quality;
    places.set(point.time, place);
  };
  starts.forEach(add('start'));
  ends.forEach(add('end'));
  return [...places.values()].toSorted((one, other) => one.time - other.time);
};

const edgeWeight = 0.2;

const scoreOf = (rate: RatePassage, from: Place, to: Place): number =>
  (1 - edgeWeight) * rate(from.time, to.time) + edgeWeight * (((from.start ?? 0) + (to.end ?? 0)) / 2);

/** The best sums of the scores of 0, 1, … clips that end up to a place, and where the last of them begins. */
interface Table {
  readonly best: readonly Float64Array[];
  /** -1: the last clip ends earlier. */
  readonly begins: readonly Int32Array[];
}

const tabulate = (places: readonly Place[], count: number, lengths: Lengths, rate: RatePassage): Table => {
  const size = places.length;
  const best = Array.from({ length: count + 1 }, (_, clips) =>
    new Float64Array(size).fill(clips ? Number.NEGATIVE_INFINITY : 0),
  );
  const begins = Array.from({ length: count + 1 }, () => new Int32Array(size).fill(-1));
  for (const [at, to] of places.entries()) {
    for (const row of best) row[at] = Math.max(row[at] ?? 0, row[at - 1] ?? Number.NEGATIVE_INFINITY);
    if (to.end === undefined) continue;
    for (let first = at - 1; first >= 0; first -= 1) {
      const from = places[first];
      if (!from || to.time - from.time > lengths.most) break;
      if (from.start === undefined || to.time - from.time < lengths.least) continue;
      const score = scoreOf(rate, from, to);
      for (let clips = 1; clips <= count; clips += 1) {
        const sum = (best[clips - 1]?.[first] ?? 0) + score;
        const [sums, firsts] = [best[clips], begins[clips]];
        if (!sums || !firsts || sum <= (sums[at] ?? 0)) continue;
        sums[at] = sum;
        firsts[at] = first;
      }
    }
  }
  return { best, begins };
};

/** Undefined if there is no room for so many between the points. */
const bestClips = (
  points: CutPoints,
  count: number,
  lengths: Lengths,
  rate: RatePassage,
): readonly ChosenClip[] | undefined => {
  const places = placesOf(points);
  const { best, begins } = tabulate(places, count, lengths, rate);
  let at = places.length - 1;
  if (!((best[count]?.[at] ?? Number.NEGATIVE_INFINITY) > 0)) return undefined;
  const clips: ChosenClip[] = [];
  for (let left = count; left > 0; ) {
    const first = begins[left]?.[at] ?? -1;
    const [from, to] = [places[first], places[at]];
    if (!from || !to) {
      at -= 1;
      continue;
    }
    clips.push({ start: from.time, end: to.time, score: scoreOf(rate, from, to) });
    [left, at] = [left - 1, first];
  }
  return clips;
};

const equalParts = (seconds: number, count: number, rate: RatePassage): readonly ChosenClip[] =>
  Array.from({ length: count }, (_, index) => {
    const start = Math.floor((index * seconds * 1000) / count) / 1000;
    const next = Math.floor(((index + 1) * seconds * 1000) / count) / 1000;
    const end = Math.min(next, start + clipSeconds.most);
    return { start, end, score: rate(start, end) * (1 - edgeWeight) };
  });

const rounded = (score: number): number => Math.round(Math.min(1, Math.max(0, score)) * 1000) / 1000;

/**
 * Best first. Clips begin and end at natural points, unless there are too few for the count; they have the usual
 * length, unless the video is too short.
 */
export const chooseClips = (analysis: SourceAnalysis, count: number): readonly ChosenClip[] => {
  const { seconds } = analysis;
  const rate = passageRater(analysis);
  const least = Math.min(clipSeconds.least, seconds / count / 2);
  const isLongEnough = seconds >= clipSeconds.least * count;
  const lengths = { ...clipSeconds, ...(!isLongEnough && { least }) };
  const clips =
    bestClips(naturalPoints(analysis), count, lengths, rate) ??
    bestClips(allPoints(analysis), count, lengths, rate) ??
    equalParts(seconds, count, rate);
  return clips
    .map((clip) => ({ ...clip, score: rounded(clip.score) }))
    .toSorted((one, other) => other.score - one.score || one.start - other.start);
};
