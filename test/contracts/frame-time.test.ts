/** The arithmetic of cut points: exact to the frame for every usual rate, up to the longest video. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type FrameRate,
  frameAt,
  frameRateOf,
  frameStart,
  framesOf,
  timecodeOf,
  timesAround,
} from '../../shared/contracts/frame-time.ts';
import { clipSource } from '../../shared/contracts/generate-cortes.ts';

/** Frame rates, with the number of frames in each second of timecode. */
const rates: readonly (readonly [name: string, FrameRate, base: number])[] = [
  ['24', { numerator: 24, denominator: 1 }, 24],
  ['25', { numerator: 25, denominator: 1 }, 25],
  ['30', { numerator: 30, denominator: 1 }, 30],
  ['29.97', { numerator: 30_000, denominator: 1001 }, 30],
  ['23.976', { numerator: 24_000, denominator: 1001 }, 24],
  ['50', { numerator: 50, denominator: 1 }, 50],
  ['59.94', { numerator: 60_000, denominator: 1001 }, 60],
  ['60', { numerator: 60, denominator: 1 }, 60],
];

/** The frame that a timecode denotes, calculated independently. */
const frameIn = (timecode: string, base: number): number => {
  const [, ...digits] = /^(\d\d):([0-5]\d):([0-5]\d):(\d\d)$/.exec(timecode) ?? [];
  const [hours = Number.NaN, minutes = 0, seconds = 0, frame = 0] = digits.map(Number);
  expect(frame).toBeLessThan(base);
  return ((hours * 60 + minutes) * 60 + seconds) * base + frame;
};

const time = fc.double({ min: 0, max: clipSource.maxSeconds, noNaN: true });

describe.for(rates)('at %s frames per second,', ([name, rate, base]) => {
  const perSecond = rate.numerator / rate.denominator;

  test('every time up to three hours is within half a frame of the frame that its timecode names', () => {
    fc.assert(
      fc.property(time, (seconds) => {
        const frame = frameIn(timecodeOf(frameAt(seconds, rate), rate), base);
        expect(Math.abs((frame * rate.denominator) / rate.numerator - seconds)).toBeLessThanOrEqual(
          0.5 / perSecond + 1e-9,
        );
      }),
    );
  });

  test('every frame up to three hours can be found by its time and by its timecode', () => {
    fc.assert(
      fc.property(fc.nat({ max: Math.floor(clipSource.maxSeconds * perSecond) }), (frame) => {
        expect(frameAt(frameStart(frame, rate), rate)).toBe(frame);
        expect(frameIn(timecodeOf(frame, rate), base)).toBe(frame);
      }),
    );
  });

  test('the time range of a span of frames contains the start of exactly those frames, even in whole milliseconds', () => {
    fc.assert(
      fc.property(time, fc.double({ min: 0, max: 90, noNaN: true }), (startSec, seconds) => {
        const { first, end } = framesOf({ startSec, endSec: startSec + seconds }, rate);
        expect(end - first).toBe(Math.max(1, frameAt(startSec + seconds, rate) - frameAt(startSec, rate)));
        const around = timesAround({ first, end }, rate);
        const [start, stop] = [around.startSec, around.endSec].map((at) => Number(at.toFixed(3)));
        const isIn = (frame: number) =>
          frameStart(frame, rate) >= (start ?? 0) && frameStart(frame, rate) < (stop ?? 0);
        expect([first - 1, first, end - 1, end].map(isIn)).toEqual([false, true, true, false]);
      }),
    );
  });

  test('the frame rate is recognized from a rounded average, as containers state it', () => {
    expect(frameRateOf(Number(name))).toEqual(rate);
    expect(frameRateOf(perSecond * 1.0003)).toEqual(rate);
    expect(frameRateOf(perSecond * 0.9997)).toEqual(rate);
  });
});

test('the timecode after three hours at 29.97 frames per second is ten seconds behind the clock', () => {
  expect(
    timecodeOf(frameAt(10_800, { numerator: 30_000, denominator: 1001 }), { numerator: 30_000, denominator: 1001 }),
  ).toBe('02:59:49:06');
});

test('an average frame rate that is not a standard rate is kept to three decimal places', () => {
  expect(frameRateOf(17.3214)).toEqual({ numerator: 17_321, denominator: 1000 });
});
