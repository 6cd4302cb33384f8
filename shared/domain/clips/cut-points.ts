/**
 * Determines where a video may be cut, in milliseconds: between sentences, in pauses, and as a last resort anywhere.
 */
import type { CutPoint } from './best-spans.ts';
import type { Sentence } from './sentences.ts';

/** A span of a video, in whole milliseconds. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A margin before speech, which begins and ends softly. */
const leadMs = 200;
const trailMs = 700;
/** The shortest silence that counts as a pause. */
const pauseMs = 300;
/** The distance between cut points within a long silence. */
const stepMs = 5000;

const qualities = { pause: 1, sentence: 0.7, silence: 0.8, edge: 0.6, any: 0.1 };

export interface SentenceCuts {
  /** The span of each sentence; it ends before the next one begins. */
  readonly spans: readonly Span[];
  readonly cutPoints: readonly CutPoint[];
}

const milliseconds = (seconds: number): number => Math.floor(seconds * 1000);

/** The silences before, between and after the sentences: one more silence than there are sentences. */
const silencesOf = (sentences: readonly Sentence[], durationMs: number): readonly Span[] => {
  const silences: Span[] = [];
  let start = 0;
  for (const { startSec, endSec } of sentences) {
    silences.push({ start, end: milliseconds(startSec) });
    start = milliseconds(endSec);
  }
  return [...silences, { start, end: durationMs }];
};

const endIn = ({ start, end }: Span): number => Math.min(start + trailMs, Math.floor((start + end) / 2));
const startIn = ({ start, end }: Span): number => Math.max(end - leadMs, Math.floor((start + end) / 2));

const qualityOf = ({ start, end }: Span): number => (end - start >= pauseMs ? qualities.pause : qualities.sentence);

const cutPointsWithin = ({ start, end }: Span): readonly CutPoint[] => {
  const cutPoints: CutPoint[] = [];
  for (let time = start + stepMs; time <= end - stepMs; time += stepMs)
    cutPoints.push({ time, start: qualities.silence, end: qualities.silence });
  return cutPoints;
};

/** Sorts cut points by time and merges those at the same time. */
const merged = (cutPoints: readonly CutPoint[]): readonly CutPoint[] => {
  const byTime = new Map<number, CutPoint>();
  for (const cutPoint of cutPoints) {
    const known = byTime.get(cutPoint.time);
    byTime.set(cutPoint.time, known ? { ...known, ...cutPoint } : cutPoint);
  }
  return [...byTime.values()].toSorted((one, other) => one.time - other.time);
};

/**
 * Finds the cut points around and within sentences. At the ends of the video, a silence has a sentence on one side
 * only.
 */
export function sentenceCuts(sentences: readonly Sentence[], durationMs: number): SentenceCuts {
  const silences = silencesOf(sentences, durationMs);
  const [opening, ...following] = silences;
  const openingEnd = opening?.end ?? 0;
  const spans = following.map((after, index) => ({
    start: index === 0 ? Math.max(0, openingEnd - leadMs) : startIn(silences[index] ?? after),
    end: index === following.length - 1 ? Math.min(durationMs, after.start + trailMs) : endIn(after),
  }));
  const boundaries = spans.flatMap(({ start, end }, index) => [
    { time: start, start: qualityOf(silences[index] ?? { start, end }) },
    { time: end, end: qualityOf(silences[index + 1] ?? { start, end }) },
  ]);
  const edges = [
    { time: 0, start: qualities.edge },
    { time: durationMs, end: qualities.edge },
  ];
  return { spans, cutPoints: merged([...edges, ...silences.flatMap(cutPointsWithin), ...boundaries]) };
}

/** Adds a cut point every second, for videos that are too short for clips between the other cut points. */
export const anyCutPoints = (cutPoints: readonly CutPoint[], durationMs: number): readonly CutPoint[] => {
  const whole = Array.from({ length: Math.floor(durationMs / 1000) + 1 }, (_, second) => ({
    time: second * 1000,
    start: qualities.any,
    end: qualities.any,
  }));
  return merged([...whole, ...cutPoints]);
};

/**
 * A limit, because the time for choosing grows with the square of the number. Three hours of normal speech have fewer.
 */
/** How many cut points are considered: comparing all that are within the length of a clip of each other takes time. */
const cutPointLimits = { least: 500, most: 12_000, perSecond: 4 } as const;

const maxCutPoints = (durationMs: number): number =>
  Math.min(
    cutPointLimits.most,
    Math.max(cutPointLimits.least, Math.floor((durationMs / 1000) * cutPointLimits.perSecond)),
  );

/** Thins out cut points: keeps the best start and the best end in each interval, and those that are required. */
export function boundedCutPoints(
  cutPoints: readonly CutPoint[],
  durationMs: number,
  mustStay: (cutPoint: CutPoint) => boolean,
): readonly CutPoint[] {
  const most = maxCutPoints(durationMs);
  if (cutPoints.length <= most) return cutPoints;
  const intervalMs = durationMs / (most / 2);
  const starts = new Map<number, CutPoint>();
  const ends = new Map<number, CutPoint>();
  for (const cutPoint of cutPoints) {
    const interval = Math.floor(cutPoint.time / intervalMs);
    if ((cutPoint.start ?? -1) > (starts.get(interval)?.start ?? -1)) starts.set(interval, cutPoint);
    if ((cutPoint.end ?? -1) > (ends.get(interval)?.end ?? -1)) ends.set(interval, cutPoint);
  }
  const best = new Set([...starts.values(), ...ends.values()]);
  return cutPoints.filter((cutPoint) => best.has(cutPoint) || mustStay(cutPoint));
}
