/** Chooses non-overlapping clips of a video: as many as requested, with the highest total rating. */
import { clipSeconds } from '../../shared/contracts/generate-cortes.ts';
import { bestSpans, type Lengths, type CutPoint as RatedCutPoint } from '../../shared/domain/clips/best-spans.ts';
import type { SourceAnalysis } from './analyze-source.ts';
import { allPoints, type CutPoint, type CutPoints, naturalPoints } from './cut-points.ts';
import type { Span } from './frame-values.ts';
import { passageRater, type RatePassage } from './rate-passages.ts';

export interface ChosenClip extends Span {
  /** From 0 to 1. */
  readonly score: number;
}

const ratedPointsOf = ({ starts, ends }: CutPoints): readonly RatedCutPoint[] => {
  const rated = new Map<number, { readonly time: number; start?: number; end?: number }>();
  const add = (role: 'start' | 'end') => (point: CutPoint) => {
    const known = rated.get(point.time) ?? { time: point.time };
    known[role] = point.quality;
    rated.set(point.time, known);
  };
  starts.forEach(add('start'));
  ends.forEach(add('end'));
  return [...rated.values()].toSorted((one, other) => one.time - other.time);
};

const edgeWeight = 0.2;

const scoreOf = (rate: RatePassage, from: RatedCutPoint, to: RatedCutPoint): number =>
  (1 - edgeWeight) * rate(from.time, to.time) + edgeWeight * (((from.start ?? 0) + (to.end ?? 0)) / 2);

/** The best clips; undefined if that many do not fit between the points. */
const bestClips = (
  points: CutPoints,
  count: number,
  lengths: Lengths,
  rate: RatePassage,
): readonly ChosenClip[] | undefined => {
  const score = (from: RatedCutPoint, to: RatedCutPoint) => scoreOf(rate, from, to);
  return bestSpans(ratedPointsOf(points), count, lengths, score)?.map(({ from, to }) => ({
    start: from.time,
    end: to.time,
    score: score(from, to),
  }));
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
 * Chooses clips, best first. They begin and end at natural points unless there are too few, and have the usual length
 * unless the video is too short.
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
