/**
 * Determines where a video may be cut, in milliseconds: between sentences, in pauses, and as a last resort anywhere.
 */
import type { Place } from './best-spans.ts';
import type { Sentence } from './sentences.ts';

/** A span of a video, in whole milliseconds. */
export interface Part {
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
  readonly parts: readonly Part[];
  readonly places: readonly Place[];
}

const milliseconds = (seconds: number): number => Math.floor(seconds * 1000);

/** The silences before, between and after the sentences, so one more than there are sentences. */
const silencesOf = (sentences: readonly Sentence[], durationMs: number): readonly Part[] => {
  const silences: Part[] = [];
  let start = 0;
  for (const { startSec, endSec } of sentences) {
    silences.push({ start, end: milliseconds(startSec) });
    start = milliseconds(endSec);
  }
  return [...silences, { start, end: durationMs }];
};

const endIn = ({ start, end }: Part): number => Math.min(start + trailMs, Math.floor((start + end) / 2));
const startIn = ({ start, end }: Part): number => Math.max(end - leadMs, Math.floor((start + end) / 2));

const qualityOf = ({ start, end }: Part): number => (end - start >= pauseMs ? qualities.pause : qualities.sentence);

const placesWithin = ({ start, end }: Part): readonly Place[] =>
  Array.from({ length: Math.max(0, Math.floor((end - start) / stepMs) - 1) }, (_, step) => ({
    time: start + (step + 1) * stepMs,
    start: qualities.silence,
    end: qualities.silence,
  }));

/** Sorts cut points by time and merges those at the same time. */
const merged = (places: readonly Place[]): readonly Place[] => {
  const byTime = new Map<number, Place>();
  for (const place of places) {
    const { start, end } = byTime.get(place.time) ?? {};
    byTime.set(place.time, { ...(start !== undefined && { start }), ...(end !== undefined && { end }), ...place });
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
  const parts = following.map((after, index) => ({
    start: index === 0 ? Math.max(0, openingEnd - leadMs) : startIn(silences[index] ?? after),
    end: index === following.length - 1 ? Math.min(durationMs, after.start + trailMs) : endIn(after),
  }));
  const boundaries = parts.flatMap(({ start, end }, index) => [
    { time: start, start: qualityOf(silences[index] ?? { start, end }) },
    { time: end, end: qualityOf(silences[index + 1] ?? { start, end }) },
  ]);
  const edges = [
    { time: 0, start: qualities.edge },
    { time: durationMs, end: qualities.edge },
  ];
  return { parts, places: merged([...edges, ...silences.flatMap(placesWithin), ...boundaries]) };
}

/** Adds a cut point every second, for videos that are too short for clips between the other cut points. */
export const anyPlaces = (places: readonly Place[], durationMs: number): readonly Place[] => {
  const whole = Array.from({ length: Math.floor(durationMs / 1000) + 1 }, (_, second) => ({
    time: second * 1000,
    start: qualities.any,
    end: qualities.any,
  }));
  return merged([...whole, ...places]);
};

/**
 * A limit, because the time for choosing grows with the square of the number. Three hours of normal speech have fewer.
 */
const mostPlaces = 12_000;

/** Thins out cut points: keeps the best start and the best end in each interval, and those that are required. */
export function boundedPlaces(
  places: readonly Place[],
  durationMs: number,
  mustStay: (place: Place) => boolean,
): readonly Place[] {
  if (places.length <= mostPlaces) return places;
  const stretchMs = durationMs / (mostPlaces / 2);
  const starts = new Map<number, Place>();
  const ends = new Map<number, Place>();
  for (const place of places) {
    const stretch = Math.floor(place.time / stretchMs);
    if ((place.start ?? -1) > (starts.get(stretch)?.start ?? -1)) starts.set(stretch, place);
    if ((place.end ?? -1) > (ends.get(stretch)?.end ?? -1)) ends.set(stretch, place);
  }
  const best = new Set([...starts.values(), ...ends.values()]);
  return places.filter((place) => best.has(place) || mustStay(place));
}
