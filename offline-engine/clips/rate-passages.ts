/** Rates how good a clip a passage of a video makes: much speech, loud for this video, lively, and of a good length. */
import { loudnessPerSecond, type SourceAnalysis } from './analyze-source.ts';

/** A rating from 0 to 1. */
export type RatePassage = (start: number, end: number) => number;

const usualSeconds = 40;

const sumsOf = (values: ArrayLike<number>): Float64Array => {
  const sums = new Float64Array(values.length + 1);
  for (let at = 0; at < values.length; at += 1) sums[at + 1] = (sums[at] ?? 0) + (values[at] ?? 0);
  return sums;
};

/** The mean of values between two times, given their cumulative sums. */
const meanBetween = (sums: Float64Array, start: number, end: number): number => {
  const last = sums.length - 1;
  const from = Math.min(last, Math.round(start * loudnessPerSecond));
  const to = Math.min(last, Math.max(from + 1, Math.round(end * loudnessPerSecond)));
  return to > from ? ((sums[to] ?? 0) - (sums[from] ?? 0)) / (to - from) : 0;
};

/** 1 for each tenth of a second that is not silent. */
const heardTenths = ({ loudness, pauses }: SourceAnalysis): Float32Array => {
  const heard = new Float32Array(loudness.length).fill(1);
  for (const { start, end } of pauses) {
    heard.fill(0, Math.round(start * loudnessPerSecond), Math.round(end * loudnessPerSecond));
  }
  return heard;
};

/** From 0 for the quiet moments of this video to 1 for its loud ones. */
const relativeLoudness = ({ loudness }: SourceAnalysis): Float32Array => {
  const sorted = loudness.toSorted();
  const [quiet = 0, loud = 0] = [0.1, 0.95].map((share) => sorted[Math.floor(share * (sorted.length - 1))]);
  return loudness.map((value) => Math.min(1, Math.max(0, (value - quiet) / Math.max(1, loud - quiet))));
};

/** The number of changes up to each tenth of a second. */
const changeCounts = ({ changes, seconds }: SourceAnalysis): Float64Array => {
  const tenths = new Float32Array(Math.ceil(seconds * loudnessPerSecond) + 1);
  for (const change of changes) {
    const at = Math.round(change * loudnessPerSecond);
    tenths[at] = (tenths[at] ?? 0) + 1;
  }
  return sumsOf(tenths);
};

/** The rate of changes that counts as lively: one every ten seconds. */
const livelyPerSecond = 0.1;

export const passageRater = (analysis: SourceAnalysis): RatePassage => {
  const [heard, loudness] = [sumsOf(heardTenths(analysis)), sumsOf(relativeLoudness(analysis))];
  const changes = changeCounts(analysis);
  return (start, end) => {
    const length = 1 - Math.min(1, Math.abs(end - start - usualSeconds) / usualSeconds);
    const changesPerSecond = meanBetween(changes, start, end) * loudnessPerSecond;
    const liveliness = Math.min(1, changesPerSecond / livelyPerSecond);
    return (
      0.5 * meanBetween(heard, start, end) + 0.25 * meanBetween(loudness, start, end) + 0.1 * liveliness + 0.15 * length
    );
  };
};
