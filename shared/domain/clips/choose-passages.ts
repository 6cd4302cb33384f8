/** Chooses the clips of a video from ranked passages of its transcript, even if the ranking is incomplete or wrong. */
import { clipSeconds } from '../../contracts/generate-cortes.ts';
import type { RankedPassage } from '../../text-writers/text-writer.ts';
import { bestSpans, type CutPoint, type Lengths } from './best-spans.ts';
import { anyCutPoints, boundedCutPoints, type SentenceCuts, type Span, sentenceCuts } from './cut-points.ts';
import type { Sentence } from './sentences.ts';

export interface PlannedClip {
  /** Times are whole milliseconds, expressed in seconds. */
  readonly startSec: number;
  readonly endSec: number;
  readonly title?: string;
  readonly hook?: string;
  /** The rating of the passage, from 0 to 1; absent if it was not ranked. */
  readonly score?: number;
}

interface Choice {
  readonly sentences: readonly Sentence[];
  readonly durationSec: number;
  readonly clipCount: number;
  /** Ranked passages in any order and of any quality. */
  readonly ranked: readonly RankedPassage[];
}

/** A passage adjusted to the length of a clip, and its weight in the choice. */
interface Proposal extends Span {
  readonly weight: number;
  readonly passage?: RankedPassage;
}

const usualMs = 40_000;

/** The shortest and longest clips; a video too short for its clips gets shorter ones. */
const lengthsFor = (durationMs: number, count: number): Lengths => {
  const min = clipSeconds.min * 1000;
  const max = clipSeconds.max * 1000;
  return { min: durationMs >= min * count ? min : durationMs / count / 2, max };
};

const lengthOf = ({ start, end }: Span): number => end - start;

/** Lengthens a span into the silence around it, when no sentence can be added. */
function lengthened({ start, end }: Span, cutPoints: readonly CutPoint[], min: number): Span {
  const later = cutPoints.find((cutPoint) => cutPoint.end !== undefined && cutPoint.time >= Math.max(end, start + min));
  const earlier = cutPoints.findLast(
    (cutPoint) => cutPoint.start !== undefined && cutPoint.time <= Math.min(start, end - min),
  );
  return later ? { start, end: later.time } : { start: earlier?.time ?? start, end };
}

/** The passage from one sentence to another, shortened at its end or lengthened by adjacent sentences to fit a clip. */
function fitted(
  { spans, cutPoints }: SentenceCuts,
  first: number,
  last: number,
  { min, max }: Lengths,
): Span | undefined {
  let [from, to] = [first, last];
  const spanned = (one = from, other = to): Span | undefined => {
    const [start, end] = [spans[one]?.start, spans[other]?.end];
    return start === undefined || end === undefined ? undefined : { start, end };
  };
  const isFitting = (span: Span | undefined): span is Span => span !== undefined && lengthOf(span) <= max;
  while (to > from && !isFitting(spanned())) to -= 1;
  for (let span = spanned(); span && lengthOf(span) < min; span = spanned()) {
    if (isFitting(spanned(from, to + 1))) to += 1;
    else if (isFitting(spanned(from - 1, to))) from -= 1;
    else return lengthened(span, cutPoints, min);
  }
  return spanned();
}

const isSentence = (id: number, sentences: readonly unknown[]): boolean =>
  Number.isInteger(id) && id >= 0 && id < sentences.length;

const clamped = (score: number): number => Math.min(1, Math.max(0, score));

/** Converts ranked passages to proposals; invalid ones are dropped. */
const proposed = ({ ranked, sentences }: Choice, cuts: SentenceCuts, lengths: Lengths): readonly Proposal[] =>
  ranked.flatMap((passage) => {
    const { firstSentence: first, lastSentence: last, score } = passage;
    if (!isSentence(first, sentences) || !isSentence(last, sentences) || first > last || Number.isNaN(score)) return [];
    const span = fitted(cuts, first, last, lengths);
    // Scores are squared, because one excellent passage is better than two that are half as good.
    return span ? [{ ...span, weight: 0.01 + clamped(score) ** 2, passage }] : [];
  });

const equalSpans = (durationMs: number, count: number): readonly Span[] =>
  Array.from({ length: count }, (_, index) => ({
    start: Math.floor((index * durationMs) / count),
    end: Math.floor(((index + 1) * durationMs) / count),
  }));

/**
 * One span in the middle of each equal part of the video: these complete the choice if too few passages were ranked.
 */
const spread = (durationMs: number, count: number, { min }: Lengths): readonly Span[] =>
  equalSpans(durationMs, count).map((span) => {
    const length = Math.min(lengthOf(span), Math.max(usualMs, Math.ceil(min)));
    const start = span.start + Math.floor((lengthOf(span) - length) / 2);
    return { start, end: start + length };
  });

/**
 * The minimum share of a passage that its clip must contain: all of it, unless the video is too short for its clips.
 */
type LeastShare = 1 | typeof commonShare;
const commonShare = 0.6;

/** The overlap of two spans divided by their union, from 0 to 1. */
const shareInCommon = (one: Span, other: Span): number => {
  const common = Math.min(one.end, other.end) - Math.max(one.start, other.start);
  return common <= 0 ? 0 : common / (Math.max(one.end, other.end) - Math.min(one.start, other.start));
};

/** The weight of a proposal for a clip: 0 if the clip does not contain enough of it. */
const wantedIn = (clip: Span, proposal: Proposal, minShare: LeastShare): number => {
  const share = shareInCommon(clip, proposal);
  return share < (proposal.passage ? minShare : commonShare) ? 0 : proposal.weight * share;
};

const spreadWeight = 0.005;
/** The weight of the clip's edges, which decides between otherwise equal spans. */
const edgeWeight = 0.001;

const rateFor = (proposals: readonly Proposal[], minShare: LeastShare) => (from: CutPoint, to: CutPoint) => {
  const clip = { start: from.time, end: to.time };
  let best = 0;
  for (const proposal of proposals) best = Math.max(best, wantedIn(clip, proposal, minShare));
  return best + edgeWeight * ((from.start ?? 0) + (to.end ?? 0));
};

function plannedClip(clip: Span, proposals: readonly Proposal[], minShare: LeastShare): PlannedClip {
  const wanted = (proposal: Proposal) => wantedIn(clip, proposal, minShare);
  const [shown] = proposals.filter((one) => wanted(one) > 0).toSorted((one, other) => wanted(other) - wanted(one));
  const times = { startSec: clip.start / 1000, endSec: clip.end / 1000 };
  if (!shown?.passage) return times;
  const { title, hook, score } = shown.passage;
  return {
    ...times,
    ...(title !== undefined && { title }),
    ...(hook !== undefined && { hook }),
    score: Math.round(clamped(score) * 1000) / 1000,
  };
}

/**
 * Chooses as many clips as requested, best first. They do not overlap, have the usual length unless the video is too
 * short, and are cut between sentences or in pauses unless there are too few of those.
 */
export function choosePassages(choice: Choice): readonly PlannedClip[] {
  const { sentences, durationSec, clipCount } = choice;
  const durationMs = Math.floor(durationSec * 1000);
  const lengths = lengthsFor(durationMs, clipCount);
  const evenly = spread(durationMs, clipCount, lengths);
  const cuts = sentenceCuts(sentences, durationMs);
  const ranked = proposed(choice, cuts, lengths);
  const proposals = [...ranked, ...evenly.map((span) => ({ ...span, weight: spreadWeight }))];
  const edges = new Set(ranked.flatMap(({ start, end }) => [start, end]));
  const cutPoints = boundedCutPoints(cuts.cutPoints, durationMs, ({ time }) => edges.has(time));
  const choose = (within: readonly CutPoint[], minShare: LeastShare) =>
    bestSpans(within, clipCount, lengths, rateFor(proposals, minShare))?.map(({ from, to }) =>
      plannedClip({ start: from.time, end: to.time }, proposals, minShare),
    );
  const spoken = () => choose(cutPoints, 1) ?? choose(anyCutPoints(cutPoints, durationMs), commonShare);
  const clips = (sentences.length > 0 && spoken()) || evenly.map((span) => plannedClip(span, [], 1));
  return clips.toSorted((one, other) => (other.score ?? -1) - (one.score ?? -1) || one.startSec - other.startSec);
}
