/** Which videos fulfill a task's promise. */
import { describe, expect, test } from 'vitest';
import { keepsPromise, lastsAsCut } from '../../../shared/domain/tasks/video-promise.ts';

type Size = readonly [width: number, height: number];

const kept = ([width, height]: Size, [promisedWidth, promisedHeight]: Size, [durationSec, videoSec] = [5, 5]) =>
  keepsPromise(
    { width, height, durationSec, videoSec },
    { width: promisedWidth, height: promisedHeight, durationSec: 5 },
  );

describe('the size of a result video', () => {
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
  ])('may be rounded, or adjusted to the pixel count of its resolution: %j for %j', ([found, promised]) => {
    expect(kept(found, promised)).toBe(true);
  });

  test.for<[string, Size, Size]>([
    ['that of the next lower resolution', [480, 854], [720, 1280]],
    ['that of the next higher resolution', [1080, 1920], [720, 1280]],
    ['rotated', [1280, 720], [720, 1280]],
    ['that of a square', [960, 960], [720, 1280]],
    ['4:3 instead of 1:1', [960, 720], [720, 720]],
    ['stretched by a twentieth', [756, 1280], [720, 1280]],
  ])('must not be %s', ([, found, promised]) => {
    expect(kept(found, promised)).toBe(false);
  });
});

describe('the duration of a result video', () => {
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
    ['accepted', 5.2, 5.2],
    ['accepted', 20, 5],
    ['rejected', 20, 5.6],
    ['rejected', 5, 4.4],
  ] as const)(
    'is %s by its frames alone if the audio may be longer (file: %f s, frames: %f s, promised: 5 s)',
    ([outcome, durationSec, videoSec]) => {
      const size = { width: 720, height: 1280 };
      const promised = { ...size, durationSec: 5, soundMayOutlast: true };
      expect(keepsPromise({ ...size, durationSec, videoSec }, promised)).toBe(outcome === 'accepted');
    },
  );

  test.for([
    ['accepted', 12],
    ['accepted', 8],
    ['accepted', 4.6],
    ['rejected', 4.4],
    ['rejected', 12.6],
  ] as const)(
    'is %s at %d s if the input contains 12 s, of which an edit shows only the last 5 s',
    ([outcome, seconds]) => {
      const size = { width: 720, height: 1280 };
      const promised = { ...size, durationSec: 12, shownSec: 5 };
      expect(keepsPromise({ ...size, durationSec: seconds, videoSec: seconds }, promised)).toBe(outcome === 'accepted');
    },
  );
});

describe('a result clip', () => {
  const clip = (width: number, height: number) =>
    keepsPromise({ width, height, durationSec: 40, videoSec: 40 }, { width: 720, height: 1280 });

  test.for([
    ['accepted', 720, 1280],
    ['accepted', 1440, 2560],
    ['rejected', 576, 1280],
    ['accepted', 640, 1152],
    ['rejected', 640, 1138],
    ['rejected', 360, 640],
    ['rejected', 1280, 720],
  ] as const)('is %s at %i × %i pixels if 720 × 1280 pixels were promised', ([outcome, width, height]) => {
    expect(clip(width, height)).toBe(outcome === 'accepted');
  });

  test.for([
    ['accepted', 30, 'from 10 s to 40 s', { startTime: 10, endTime: 40 }],
    ['accepted', 30.5, 'from 10 s to 40 s', { startTime: 10, endTime: 40 }],
    ['rejected', 30.6, 'from 10 s to 40 s', { startTime: 10, endTime: 40 }],
    ['rejected', 29.4, 'from 10 s to 40 s', { startTime: 10, endTime: 40 }],
    ['accepted', 30, 'from 10 s to an unknown end', { startTime: 10 }],
    ['accepted', 30, 'from an unknown start to 40 s', { endTime: 40 }],
    ['accepted', 30, 'at unknown times', undefined],
  ] as const)('is %s with a duration of %f s if it was cut %s', ([outcome, durationSec, , cut]) => {
    expect(lastsAsCut({ width: 720, height: 1280, durationSec, videoSec: durationSec }, cut)).toBe(
      outcome === 'accepted',
    );
  });
});
