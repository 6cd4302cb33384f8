/** The planned clips, for any transcript and any answer of a ranker. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { choosePassages, type PlannedClip } from '../../../shared/domain/clips/choose-passages.ts';
import { boundedCutPoints, sentenceCuts } from '../../../shared/domain/clips/cut-points.ts';
import { sentencesOf } from '../../../shared/domain/clips/sentences.ts';
import type { Transcript } from '../../../shared/domain/clips/transcript.ts';
import type { RankedPassage } from '../../../shared/text-writers/text-writer.ts';
import { nonsenseTranscript, type SpokenVideo, spokenBy, spokenVideo } from './spoken-video.ts';

/** The number of clips according to the specification, typed from its text. */
const specifiedCount = (seconds: number) => Math.max(3, Math.min(20, Math.round((3 * Math.floor(seconds)) / 600)));

const anyId = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: -2, max: 90 }) },
  { weight: 1, arbitrary: fc.constantFrom(0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, -0) },
);
const anyScore = fc.oneof(
  fc.double({ min: 0, max: 1 }),
  fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -3, 99),
);
const anyRanking: fc.Arbitrary<readonly RankedPassage[]> = fc.array(
  fc.record({ firstSentence: anyId, lastSentence: anyId, score: anyScore }),
  { maxLength: 25 },
);

const plan = (transcript: Transcript, durationSec: number, ranked: readonly RankedPassage[]) =>
  choosePassages({
    sentences: sentencesOf(transcript, durationSec),
    durationSec,
    clipCount: specifiedCount(durationSec),
    ranked,
  });

const inOrder = (clips: readonly PlannedClip[]) => clips.toSorted((one, other) => one.startSec - other.startSec);

function expectPromised(clips: readonly PlannedClip[], durationSec: number): void {
  const count = specifiedCount(durationSec);
  expect(clips).toHaveLength(count);
  for (const [index, { startSec, endSec }] of inOrder(clips).entries()) {
    expect(startSec).toBeGreaterThanOrEqual(inOrder(clips)[index - 1]?.endSec ?? 0);
    expect(endSec).toBeLessThanOrEqual(durationSec);
    const lengthMs = Math.round((endSec - startSec) * 1000);
    expect(lengthMs).toBeGreaterThanOrEqual(durationSec >= 15 * count ? 15_000 : 1);
    expect(lengthMs).toBeLessThanOrEqual(90_000);
  }
  const scores = clips.map(({ score = -1 }) => score);
  expect(scores).toEqual(scores.toSorted((one, other) => other - one));
  for (const score of scores) expect(score === -1 || (score >= 0 && score <= 1)).toBe(true);
}

describe('whatever was said and however it was ranked,', () => {
  const video = fc.oneof(
    spokenVideo(0, 60),
    fc.record({
      transcript: nonsenseTranscript,
      durationSec: fc.oneof(
        fc.double({ min: 0.1, max: 400, noNaN: true }),
        fc.constantFrom(44.999, 45, 45.001, 60, 300, 10_800),
      ),
    }),
  );

  test('there are as many clips as promised, within the video, without overlap, of 15 to 90 seconds, best first', () => {
    fc.assert(
      fc.property(video, anyRanking, ({ transcript, durationSec }, ranked) => {
        fc.pre(durationSec >= 0.1);
        expectPromised(plan(transcript, durationSec, ranked), durationSec);
      }),
      { numRuns: 250 },
    );
  });
});

const distanceToPauseSec = (time: number, { transcript: { words }, durationSec }: SpokenVideo): number => {
  const ends = [0, ...words.map(({ endSec }) => endSec)];
  const starts = [...words.map(({ startSec }) => startSec), durationSec];
  const pauses = ends.map((start, index) => ({ start, end: starts[index] ?? start }));
  const distances = pauses
    .filter(({ start, end }) => end - start >= 0.299 || end === durationSec || start === 0)
    .map(({ start, end }) => Math.max(0, start - time, time - end));
  return Math.min(...distances);
};

test('every cut is in a pause if the video is long enough to have one', () => {
  fc.assert(
    fc.property(spokenVideo(30, 80), anyRanking, (video, ranked) => {
      const { transcript, durationSec } = video;
      fc.pre(durationSec >= 3 * 15 * specifiedCount(durationSec));
      for (const { startSec, endSec } of plan(transcript, durationSec, ranked)) {
        expect(distanceToPauseSec(startSec, video)).toBeLessThan(0.5);
        expect(distanceToPauseSec(endSec, video)).toBeLessThan(0.5);
      }
    }),
    { numRuns: 100 },
  );
});

describe('choosing clips from the ranked passages of a ten-minute video', () => {
  /** A hundred sentences of five seconds, each preceded by a pause of one second. */
  const { transcript, durationSec } = spokenBy(
    Array.from({ length: 100 }, () => ({ words: 10, wordSec: 0.5, pauseSec: 1 })),
  );
  const passage = (firstSentence: number, lastSentence: number, score: number, title: string): RankedPassage => ({
    firstSentence,
    lastSentence,
    score,
    title,
    hook: `${title}?`,
  });
  const startOf = (sentence: number) => 6 * sentence + 1;

  test('prefers the best passages that do not overlap, and keeps their texts', () => {
    const ranked = [
      passage(70, 74, 0.4, 'D'),
      passage(10, 14, 0.9, 'A'),
      passage(14, 19, 0.8, 'B'),
      passage(40, 44, 0.7, 'C'),
    ];
    expect(plan(transcript, durationSec, ranked)).toEqual([
      {
        startSec: expect.closeTo(startOf(10) - 0.2, 2),
        endSec: expect.closeTo(startOf(14) + 5.5, 2),
        score: 0.9,
        title: 'A',
        hook: 'A?',
      },
      {
        startSec: expect.closeTo(startOf(40) - 0.2, 2),
        endSec: expect.closeTo(startOf(44) + 5.5, 2),
        score: 0.7,
        title: 'C',
        hook: 'C?',
      },
      {
        startSec: expect.closeTo(startOf(70) - 0.2, 2),
        endSec: expect.closeTo(startOf(74) + 5.5, 2),
        score: 0.4,
        title: 'D',
        hook: 'D?',
      },
    ]);
  });

  test('prefers one excellent passage to two good ones that it overlaps', () => {
    const ranked = [passage(10, 14, 0.6, 'A'), passage(13, 18, 0.95, 'B'), passage(17, 21, 0.6, 'C')];
    expect(plan(transcript, durationSec, ranked)[0]).toMatchObject({ title: 'B', score: 0.95 });
  });

  test('extends a passage that is too short and shortens one that is too long', () => {
    const [short, long] = plan(transcript, durationSec, [passage(50, 50, 1, 'A'), passage(0, 40, 0.9, 'B')]);
    expect(short).toMatchObject({ title: 'A', startSec: expect.closeTo(startOf(50) - 0.2, 2) });
    expect(long).toMatchObject({ title: 'B', startSec: expect.closeTo(startOf(0) - 0.2, 2) });
  });

  test('adds passages from all over the video, without texts or a score, if there are too few', () => {
    const clips = plan(transcript, durationSec, [passage(10, 14, 0.9, 'A')]);
    expect(clips.map(({ title, score }) => [title, score])).toEqual([
      ['A', 0.9],
      [undefined, undefined],
      [undefined, undefined],
    ]);
    expect(clips.slice(1).map(({ startSec }) => Math.floor(startSec / (durationSec / 3)))).toEqual([1, 2]);
  });

  test('spreads the clips over the video if there are no passages', () => {
    const ranked = [passage(-1, 4, 1, 'A'), passage(98, 100, 1, 'B'), passage(9, 3, 1, 'C')];
    const thirds = plan(transcript, durationSec, ranked).map(({ startSec }) =>
      Math.floor(startSec / (durationSec / 3)),
    );
    expect(thirds).toEqual([0, 1, 2]);
  });
});

test('passages are chosen among a limited number of cut points, however many sentences a video contains', () => {
  const { transcript, durationSec } = spokenBy(
    Array.from({ length: 18_000 }, () => ({ words: 2, wordSec: 0.15, pauseSec: 0.3 })),
  );
  const sentences = sentencesOf(transcript, durationSec);
  expect(sentences.length).toBeGreaterThan(17_000);
  const ranked = Array.from({ length: 30 }, (_, index) => ({
    firstSentence: 600 * index,
    lastSentence: 600 * index + 60,
    score: 0.5 + index / 100,
    title: `${index}`,
  }));
  const clips = choosePassages({ sentences, durationSec, clipCount: 20, ranked });
  expect(clips.map(({ title }) => title)).toEqual(Array.from({ length: 20 }, (_, index) => `${29 - index}`));
  const durationMs = Math.floor(durationSec * 1000);
  const { cutPoints } = sentenceCuts(sentences, durationMs);
  const kept = cutPoints[1];
  const bounded = boundedCutPoints(cutPoints, durationMs, (cutPoint) => cutPoint === kept);
  expect(cutPoints.length).toBeGreaterThan(12_001);
  expect(bounded.length).toBeLessThanOrEqual(12_001);
  expect(bounded).toContain(kept);
});

test.for([
  [1, 500],
  [60, 500],
  [600, 2400],
  [10_800, 12_000],
])('a video of %d seconds has at most %d cut points to compare, however fast its speech', ([seconds = 0, most = 0]) => {
  const sentences = Array.from({ length: 30_000 }, (_, index) => ({
    text: 'Sim.',
    startSec: (index * seconds) / 30_000,
    endSec: ((index + 0.5) * seconds) / 30_000,
  }));
  const { cutPoints } = sentenceCuts(sentences, seconds * 1000);
  const bounded = boundedCutPoints(cutPoints, seconds * 1000, () => false);
  expect(bounded.length).toBeGreaterThan(most / 3);
  expect(bounded.length).toBeLessThanOrEqual(most + 2);
});

test('the clips of a video without speech are spread over it', () => {
  expect(plan({ words: [] }, 600, [])).toEqual([
    { startSec: 80, endSec: 120 },
    { startSec: 280, endSec: 320 },
    { startSec: 480, endSec: 520 },
  ]);
});
