/** Which videos fulfill a task's promise. */
import { describe, expect, test } from 'vitest';
import { keepsPromise, lastsAsCut } from '../../../shared/domain/tasks/video-promise.ts';

type Size = readonly [width: number, height: number];

const kept = ([width, height]: Size, [promisedWidth, promisedHeight]: Size, [durationSec, videoSec] = [5, 5]) =>
  keepsPromise(
    { width, height, durationSec, videoSec },
    { width: promisedWidth, height: promisedHeight, durationSec: 5 },
  );

describe('the size of a promised video', () => {
  test.for<[Size, Size]>([
    [
      [720, 1280],
      [720, 1280],
    ],
    [
      [704, 1248],
      [720, 1280],
    ],
    [
      [768, 1344],
      [720, 1280],
    ],
    [
      [1920, 1088],
      [1920, 1080],
    ],
    [
      [864, 496],
      [854, 480],
    ],
    [
      [720, 720],
      [720, 720],
    ],
    [
      [960, 960],
      [720, 720],
    ],
    [
      [1440, 1440],
      [1080, 1080],
    ],
    [
      [640, 640],
      [480, 480],
    ],
    [
      [1112, 834],
      [960, 720],
    ],
    [
      [1504, 640],
      [1680, 720],
    ],
    [
      [544, 736],
      [480, 640],
    ],
  ])('may be rounded, or have as many pixels as its resolution: %j for %j', ([found, promised]) => {
    expect(kept(found, promised)).toBe(true);
  });

  test.for<[string, Size, Size]>([
    ['the next lower resolution', [480, 854], [720, 1280]],
    ['the next higher resolution', [1080, 1920], [720, 1280]],
    ['rotated', [1280, 720], [720, 1280]],
    ['a square', [960, 960], [720, 1280]],
    ['4:3 instead of 1:1', [960, 720], [720, 720]],
    ['stretched by a twentieth', [756, 1280], [720, 1280]],
  ])('must not differ otherwise: %s', ([, found, promised]) => {
    expect(kept(found, promised)).toBe(false);
  });
});

describe('the duration of a promised video', () => {
  test.for([
    [4.5, 4.5],
    [5.5, 5.5],
    [5.2, 4.9],
  ])('may differ by half a second (file: %f s, frames: %f s, promised: 5 s)', (seconds) => {
    expect(kept([720, 1280], [720, 1280], seconds as [number, number])).toBe(true);
  });

  test.for([
    [4.49, 4.49],
    [5.51, 5.51],
    [5, 4.4],
    [5.6, 5],
  ])('must not differ by more than half a second (file: %f s, frames: %f s, promised: 5 s)', (seconds) => {
    expect(kept([720, 1280], [720, 1280], seconds as [number, number])).toBe(false);
  });

  test.for([
    [5.2, 5.2, true],
    [20, 5, true],
    [20, 5.6, false],
    [5, 4.4, false],
  ] as const)(
    'is that of its frames if the sound may be longer (file: %f s, frames: %f s, accepted: %s)',
    ([durationSec, videoSec, isKept]) => {
      const size = { width: 720, height: 1280 };
      const promised = { ...size, durationSec: 5, soundMayOutlast: true };
      expect(keepsPromise({ ...size, durationSec, videoSec }, promised)).toBe(isKept);
    },
  );

  test.for([
    [12, true],
    [8, true],
    [4.6, true],
    [4.4, false],
    [12.6, false],
  ] as const)(
    'may be between what the input shows and what it contains, if an edit hides its beginning: %d s (accepted: %s)',
    ([seconds, isKept]) => {
      const size = { width: 720, height: 1280 };
      const promised = { ...size, durationSec: 12, shownSec: 5 };
      expect(keepsPromise({ ...size, durationSec: seconds, videoSec: seconds }, promised)).toBe(isKept);
    },
  );
});

describe('a promised clip', () => {
  const clip = (width: number, height: number) =>
    keepsPromise({ width, height, durationSec: 40, videoSec: 40 }, { width: 720, height: 1280 });

  test.for([
    [720, 1280, true],
    [1440, 2560, true],
    [576, 1280, false],
    [640, 1152, true],
    [640, 1138, false],
    [360, 640, false],
    [1280, 720, false],
  ] as const)(
    'may be larger, but not smaller by more than a fifth or of another shape: %i × %i (accepted: %s)',
    ([width, height, isKept]) => {
      expect(clip(width, height)).toBe(isKept);
    },
  );

  test.for([
    [{ startTime: 10, endTime: 40 }, 30, true],
    [{ startTime: 10, endTime: 40 }, 30.5, true],
    [{ startTime: 10, endTime: 40 }, 30.6, false],
    [{ startTime: 10, endTime: 40 }, 29.4, false],
    [{ startTime: 10 }, 30, true],
    [{ endTime: 40 }, 30, true],
    [undefined, 30, true],
  ] as const)(
    'must last as long as the part that it was cut from, within half a second: %j and %f seconds (accepted: %s)',
    ([cut, durationSec, isKept]) => {
      expect(lastsAsCut({ width: 720, height: 1280, durationSec, videoSec: durationSec }, cut)).toBe(isKept);
    },
  );
});
