/** Measuring a file is also limited in time: only the time of computing counts, by a given clock. */
import { expect, test } from 'vitest';
import { measureWalk } from '../../shared/media-files/measure-walk.ts';
import { Work, workLimits } from '../../shared/media-files/work.ts';
import { seededNumbers } from '../support/seeded-numbers.ts';

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

test('if sound would take too long to examine, an unpredictable part as large as the limit allows is examined', () => {
  const [limit, packet] = [workLimits.examined, 1000];
  const examined = (all: number, isKnown: boolean, random: () => number): number => {
    const work = new Work(() => 0, random);
    for (let bytes = 0; bytes < all; bytes += packet) work.examines(packet, isKnown ? all : 0);
    return work.examined / limit;
  };
  const numbers = seededNumbers(3);
  const random = () => numbers(2 ** 16) / 2 ** 16;
  expect(examined(limit - packet, false, () => 0.999)).toBeCloseTo(1, 2);
  expect(examined(5 * limit, true, random)).toBeCloseTo(1, 1);
  expect(examined(5 * limit, false, random)).toBeCloseTo(1 + Math.log(5), 1);
});

test('work on a media file that exceeds the limit is refused and not counted as done', () => {
  const work = new Work(() => 0);
  expect(() => work.visit(2 ** 32)).toThrow('too complex');
  expect(() => work.enter(2 ** 32)).toThrow('too complex');
  expect(() => work.scan(2 ** 32)).toThrow('too complex');
  expect([work.elements, work.entries, work.scanned]).toEqual([0, 0, 0]);
});
