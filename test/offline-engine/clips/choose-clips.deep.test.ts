/** Which clips are chosen, for made-up videos of any kind. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SourceAnalysis } from '../../../offline-engine/clips/analyze-source.ts';
import { type ChosenClip, chooseClips } from '../../../offline-engine/clips/choose-clips.ts';
import type { Span } from '../../../offline-engine/clips/frame-values.ts';

/** The number of clips according to the specification, typed from its text. */
const specifiedCount = (seconds: number) => Math.max(3, Math.min(20, Math.round((3 * Math.floor(seconds)) / 600)));

interface Made {
  readonly seconds: number;
  readonly hasSound: boolean;
  /** The positions of pauses and scene changes, from 0 to 1, as shares of the duration. */
  readonly pauses: readonly (readonly [at: number, length: number])[];
  readonly scenes: readonly number[];
  readonly loudness: readonly number[];
}

const analysisOf = ({ seconds, hasSound, pauses, scenes, loudness }: Made): SourceAnalysis => {
  const spans: Span[] = [];
  for (const [at, length] of pauses.toSorted(([one], [other]) => one - other)) {
    const start = Math.max(at * seconds, spans.at(-1)?.end ?? 0);
    const end = Math.min(seconds, start + length);
    if (end - start >= 0.3) spans.push({ start, end });
  }
  const levels = new Float32Array(hasSound ? Math.ceil(seconds * 10) : 0);
  for (const index of levels.keys()) levels[index] = loudness[index % loudness.length] ?? -70;
  const cuts = scenes.map((share) => share * seconds).toSorted((one, other) => one - other);
  return {
    seconds,
    pauses: hasSound ? spans : [],
    scenes: cuts,
    loudness: levels,
  };
};

const share = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });
const madeVideo = (shortest: number, longest: number): fc.Arbitrary<Made> =>
  fc.record({
    seconds: fc.double({ min: shortest, max: longest, noNaN: true }),
    hasSound: fc.boolean(),
    pauses: fc.array(fc.tuple(share, fc.double({ min: 0.3, max: 8, noNaN: true })), { maxLength: 300 }),
    scenes: fc.array(share, { maxLength: 200 }),
    loudness: fc.array(fc.double({ min: -70, max: 0, noNaN: true }), { minLength: 1, maxLength: 40 }),
  });

const inOrder = (clips: readonly ChosenClip[]) => clips.toSorted((one, other) => one.start - other.start);

function expectSound(clips: readonly ChosenClip[], { seconds }: SourceAnalysis, count: number): void {
  expect(clips).toHaveLength(count);
  for (const { start, end, score } of clips) {
    expect(start).toBeGreaterThanOrEqual(0);
    expect(end).toBeGreaterThan(start);
    expect(end).toBeLessThanOrEqual(seconds);
    expect(score).toBeGreaterThanOrEqual(0);
    expect(score).toBeLessThanOrEqual(1);
  }
  for (const [index, { start }] of inOrder(clips).entries()) {
    expect(start).toBeGreaterThanOrEqual(inOrder(clips)[index - 1]?.end ?? 0);
  }
  const scores = clips.map(({ score }) => score);
  expect(scores).toEqual(scores.toSorted((one, other) => other - one));
}

/** The distance of a time from the nearest pause, scene change, beginning or end. */
const distance = (time: number, { pauses, scenes, seconds }: SourceAnalysis): number =>
  Math.min(
    time,
    Math.abs(seconds - time),
    ...scenes.map((scene) => Math.abs(scene - time)),
    ...pauses.map(({ start, end }) => Math.max(0, start - time, time - end)),
  );

describe('the clips of a video', () => {
  it('have the requested number, last 15 to 90 seconds if the video is long enough, never overlap and are ranked', () => {
    fc.assert(
      fc.property(madeVideo(0.3, 3000), (made) => {
        const analysis = analysisOf(made);
        const count = specifiedCount(made.seconds);
        const clips = chooseClips(analysis, count);
        expectSound(clips, analysis, count);
        for (const { start, end } of clips) {
          if (made.seconds >= 15 * count) expect(end - start).toBeGreaterThanOrEqual(15 - 0.002);
          expect(end - start).toBeLessThanOrEqual(90 + 0.002);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('begin and end within half a second of a pause or scene change if there is one every few seconds', () => {
    const everyFewSeconds = fc.record({
      seconds: fc.double({ min: 120, max: 2000, noNaN: true }),
      gaps: fc.array(fc.tuple(fc.double({ min: 1, max: 7, noNaN: true }), fc.boolean()), {
        minLength: 10,
        maxLength: 50,
      }),
    });
    fc.assert(
      fc.property(everyFewSeconds, ({ seconds, gaps }) => {
        const pauses: Span[] = [];
        const scenes: number[] = [];
        for (let time = 0, index = 0; time < seconds - 8; index += 1) {
          const [gap, isPause] = gaps[index % gaps.length] ?? [5, true];
          time += gap;
          if (isPause) pauses.push({ start: time, end: time + 0.4 });
          else scenes.push(time);
        }
        const analysis = {
          seconds,
          pauses,
          scenes,
          loudness: new Float32Array(Math.ceil(seconds * 10)).fill(-20),
        };
        for (const { start, end } of chooseClips(analysis, specifiedCount(seconds))) {
          expect(distance(start, analysis)).toBeLessThanOrEqual(0.5);
          expect(distance(end, analysis)).toBeLessThanOrEqual(0.5);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('prefer parts with much speech to parts with little', () => {
    const pauses = Array.from({ length: 60 }, (_, index) => {
      const isDense = index >= 20 && index < 40;
      return { start: index * 10 + (isDense ? 9.5 : 3), end: index * 10 + 10 };
    });
    const loudness = Float32Array.from({ length: 6000 }, (_, at) =>
      pauses.some(({ start, end }) => at / 10 >= start && at / 10 < end) ? -70 : -20,
    );
    const clips = chooseClips({ seconds: 600, pauses, scenes: [], loudness }, 3);
    for (const { start, end } of clips) {
      expect(start).toBeGreaterThanOrEqual(199);
      expect(end).toBeLessThanOrEqual(401);
    }
  });

  it('are found even in three hours with a pause every two seconds', () => {
    const pauses = Array.from({ length: 5400 }, (_, index) => ({ start: index * 2, end: index * 2 + 0.4 }));
    const analysis = {
      seconds: 10_800,
      pauses,
      scenes: [],
      loudness: new Float32Array(108_000).fill(-20),
    };
    expectSound(chooseClips(analysis, 20), analysis, 20);
  });
});
