/** Where a video may be cut, by what is said in it: between sentences, in pauses, and at worst anywhere. In milliseconds. */
import type { Place } from './best-spans.ts';
import type { Sentence } from './sentences.ts';

/** A part of a video, in whole milliseconds. */
export interface Part {
  readonly start: number;
  readonly end: number;
}

/** Speech begins and ends softly. */
const leadMs = 200;
const trailMs = 700;
/** A shorter silence is part of speech. */
const pauseMs = 300;
/** Longer silences have places of their own, so often. */
const stepMs = 5000;

const qualities = { pause: 1, sentence: 0.7, silence: 0.8, edge: 0.6, any: 0.1 };

export interface SentenceCuts {
  /** Where a clip that begins or ends with each sentence is cut. A sentence ends before the next one begins. */
  readonly parts: readonly Part[];
  readonly places: readonly Place[];
}

const milliseconds = (seconds: number): number => Math.floor(seconds * 1000);

/** What lies between the sentences, from the beginning to the end of the video: one more than there are sentences. */
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

/** In the order of time, one for each time. */
const merged = (places: readonly Place[]): readonly Place[] => {
  const byTime = new Map<number, Place>();
  for (const place of places) {
    const { start, end } = byTime.get(place.time) ?? {};
    byTime.set(place.time, { ...(start !== undefined && { start }), ...(end !== undefined && { end }), ...place });
  }
  return [...byTime.values()].toSorted((one, other) => one.time - other.time);
};

/** The silences at both ends of the video have no sentence before or after them. */
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

/** With places at every second besides, for videos that are too short for the others. */
export const anyPlaces = (places: readonly Place[], durationMs: number): readonly Place[] => {
  const whole = Array.from({ length: Math.floor(durationMs / 1000) + 1 }, (_, second) => ({
    time: second * 1000,
    start: qualities.any,
    end: qualities.any,
  }));
  return merged([...whole, ...places]);
};

/** The time that choosing takes grows with their square. Three hours of usual speech have fewer. */
const mostPlaces = 12_000;

/** The best place for a start and the best one for an end in each stretch of time, and the places that must stay. */
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
