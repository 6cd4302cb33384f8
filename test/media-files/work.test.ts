/** Measuring a file is also limited in time: only the time of computing counts, by a given clock. */
import { describe, expect, test } from 'vitest';
import { measureWalk } from '../../shared/media-files/measure-walk.ts';
import { Work, workLimits } from '../../shared/media-files/work.ts';
import { measurementOf } from '../support/media/measured.ts';
import { seededNumbers } from '../support/seeded-numbers.ts';
import { tinyMp4 } from '../support/tiny-video.ts';

const film = await tinyMp4(6);

/** Eight frames, and ten thousand tags that do not directly follow each other. */
const tagged = Buffer.from(
  `${`\xff\xfb\x90\x64${'\0'.repeat(413)}`.repeat(8)}${'xID3\x04\0\0\0\0\0\0'.repeat(10_000)}`,
  'latin1',
);

/** Measures a file with a clock that advances with each reading, and while the file is read. */
function measured(bytes: Buffer, eachLookMs: number, eachReadMs: number) {
  let now = 0;
  const walk = measureWalk({ size: bytes.length }, () => {
    now += eachLookMs;
    return now;
  });
  for (let step = walk.next(); ; ) {
    if (step.done) return step.value;
    now += eachReadMs;
    step = walk.next(bytes.subarray(step.value.start, step.value.end));
  }
}

test('a media file that takes too long to measure is refused as too complex', () => {
  const { milliseconds } = workLimits;
  expect(measured(tagged, 1, 0)).toMatchObject({ fault: 'unreadable' });
  expect(measured(tagged, milliseconds / 10, 0)).toEqual({
    fault: 'excessive',
    reason: expect.stringMatching(/^is too complex to be measured: /),
  });
});

test('the time spent reading a media file does not count towards the time limit of measuring it', () => {
  expect(measured(tagged, 0, workLimits.milliseconds)).toMatchObject({ fault: 'unreadable' });
});

test.each([
  { kind: 'elements', take: (work: Work) => work.visit(1000) },
  { kind: 'entries of tables', take: (work: Work) => work.enter(100_000) },
  { kind: 'bytes that are searched', take: (work: Work) => work.scan(100_000) },
])('measuring a media file stops at its time limit while it reads $kind', ({ take }) => {
  let now = 0;
  const work = new Work(() => now);
  take(work);
  now = workLimits.milliseconds + 1;
  expect(() => take(work)).toThrow('too complex');
});

test('empty fragments of a video take as much of the limit as full ones, because reading them takes as long', () => {
  const empty = Buffer.from('\0\0\0\x08moof', 'latin1');
  const file = (count: number) => [film, ...Array.from({ length: count }, () => empty)];
  expect(measurementOf(Buffer.concat(file(100))).found).toMatchObject({ durationSec: 6 });
  expect(measurementOf(Buffer.concat(file(50_000))).found).toMatchObject({ fault: 'excessive' });
});

describe('the random sample of a long audio file that is examined', () => {
  const [limit, packet] = [workLimits.examined, 1000];
  const numbers = seededNumbers(3);
  const random = () => numbers(2 ** 16) / 2 ** 16;
  /** How much of the audio is examined if it has this size, as a multiple of the limit. */
  const examined = (bytes: number, { ofBytes, fileBytes }: { ofBytes?: number; fileBytes?: number }): number => {
    const work = new Work(() => 0, random);
    work.fileBytes = fileBytes;
    for (let at = 0; at < bytes; at += packet) work.examines(packet, ofBytes);
    return work.examined / limit;
  };

  test('is as large as the limit allows if the total size of the audio is known', () => {
    expect(examined(limit - packet, { ofBytes: limit - packet })).toBeCloseTo(1, 2);
    expect(examined(5 * limit, { ofBytes: 5 * limit })).toBeCloseTo(1, 1);
  });

  test('follows a beginning that is examined completely, if it is unknown how much of the file is audio', () => {
    const fileBytes = 5 * limit;
    expect(examined(limit - packet, { fileBytes })).toBeCloseTo(1, 2);
    expect(examined(3 * limit, { fileBytes })).toBeCloseTo(1.25, 1);
    expect(examined(5 * limit, { fileBytes })).toBeCloseTo(1.5, 1);
  });

  test('follows a beginning that is examined completely, if the size of the file is unknown', () => {
    expect(examined(7 * limit, {})).toBeCloseTo(1 + 6 / 14, 1);
    expect(examined(25 * limit, {})).toBeLessThan(2.2);
  });

  test('is more likely to contain a large packet than a small one', () => {
    const work = new Work(() => 0, random);
    const shareOf = (bytes: number): number =>
      Array.from({ length: 1000 }, () => work.examines(bytes, 5 * limit, 100)).filter(Boolean).length / 1000;
    expect(shareOf(100)).toBeCloseTo(1 / 5, 1);
    expect(shareOf(300)).toBeCloseTo(3 / 5, 1);
    expect(shareOf(500)).toBe(1);
  });

  test('is limited for all tracks together, even if they share their bytes', () => {
    expect(examined(20 * limit, { ofBytes: limit })).toBeLessThan(4.5);
  });
});

test('work on a media file that would exceed the limit is refused and not counted', () => {
  const work = new Work(() => 0);
  expect(() => work.visit(2 ** 32)).toThrow('too complex');
  expect(() => work.enter(2 ** 32)).toThrow('too complex');
  expect(() => work.scan(2 ** 32)).toThrow('too complex');
  expect([work.elements, work.entries, work.scanned]).toEqual([0, 0, 0]);
});
