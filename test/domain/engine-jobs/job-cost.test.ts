/** What a job costs by its price, and by what its provider says. */
import { expect, test } from 'vitest';
import { jobCost, openEnd, submissionCost } from '../../../shared/domain/engine-jobs/job-cost.ts';
import type { Task } from '../../../shared/domain/tasks/task.ts';
import { aTask } from '../../support/test-table.ts';

const price = (per: 'job' | 'output' | 'second' | 'character', micros: number) => ({
  per,
  micros,
  charged: ['rejected', 'canceled', 'lost'] as const,
});

const clips = aTask({
  taskType: 'cortes',
  input: { clipCount: 4 },
  derived: { seconds: 600, clipCount: 4 },
  enginePrices: {
    make: price('job', 0),
    transcribe: price('second', 400),
    cut: price('second', 250),
    crop: price('job', 2000),
  },
});
const priced = (given: Partial<Task>, per: 'job' | 'output' | 'second' | 'character', micros: number) =>
  aTask({ ...given, enginePrices: { make: price(per, micros) } });

const make = { name: 'make', isAccepted: true };
const done = (...durations: readonly (number | undefined)[]) => ({
  status: 'done' as const,
  outputs: durations.map((durationSec) => ({ url: 'u', contentType: 'video/mp4', durationSec })),
});

test.each([
  ['a character of the text', priced({ input: { text: 'Olá 👋' } }, 'character', 100), done(1), 500],
  [
    '1000 characters a minute of a recording',
    priced({ input: {}, derived: { durationSec: 30 } }, 'character', 100),
    done(1),
    50_000,
  ],
  [
    'a second of what was promised',
    priced({ promise: { width: 1, height: 1, durationSec: 8 } }, 'second', 150_000),
    done(undefined),
    1_200_000,
  ],
  ['a result', priced({ input: { numImages: 4 } }, 'output', 80_000), done(undefined, undefined), 160_000],
  ['a job', priced({}, 'job', 7), done(1), 7],
])('a job that is done costs its price for %s', (_, task, end, micros) => {
  expect(submissionCost(task, make, end)).toBe(micros);
});

test('a job costs the units that its provider states at the price of such a unit, rounded to a millionth of a dollar', () => {
  const task = aTask({
    input: { text: 'x'.repeat(1000) },
    enginePrices: { make: { ...price('character', 100), statedMicros: 100_001 } },
  });
  expect(submissionCost(task, make, { ...done(1), charge: { units: 1 } })).toBe(100_001);
  expect(submissionCost(task, make, { ...done(1), charge: { units: 2.5 } })).toBe(250_003);
  expect(submissionCost(task, make, { status: 'failed', code: 'PROVIDER_ERROR', charge: { units: 3 } })).toBe(300_003);
});

test('billed units without a known price are ignored, except that zero units cost nothing', () => {
  const task = priced({ input: { text: 'x'.repeat(1000) } }, 'character', 100);
  expect(submissionCost(task, make, { ...done(1), charge: { units: 1 } })).toBe(100_000);
  expect(submissionCost(task, make, { status: 'failed', code: 'PROVIDER_ERROR', charge: { units: 3 } })).toBe(0);
  expect(submissionCost(task, make, { status: 'failed', code: 'CONTENT_REJECTED', charge: { units: 0 } })).toBe(0);
});

test('a failed job costs what its price charges for that failure, and nothing if its engine never accepted it', () => {
  const task = priced({ input: { numImages: 2 } }, 'output', 10);
  const cost = (
    code: 'CONTENT_REJECTED' | 'INPUT_INVALID' | 'PROVIDER_ERROR' | 'PROVIDER_TIMEOUT' | 'CANCELED',
    isAccepted = true,
  ) => submissionCost(task, { name: 'make', isAccepted }, { status: 'failed', code });
  expect([cost('CONTENT_REJECTED'), cost('INPUT_INVALID'), cost('PROVIDER_TIMEOUT'), cost('CANCELED')]).toEqual([
    20, 20, 20, 20,
  ]);
  expect([cost('PROVIDER_ERROR'), cost('PROVIDER_TIMEOUT', false), cost('CANCELED', false)]).toEqual([0, 0, 0]);
  expect(submissionCost(task, make, { status: 'failed', code: 'PROVIDER_ERROR', charge: 'full' })).toBe(20);
  expect(submissionCost(task, make, { status: 'failed', code: 'CONTENT_REJECTED', isOwn: true })).toBe(0);
  expect(submissionCost(task, { name: 'make', isAccepted: false }, openEnd)).toBe(0);
  expect(jobCost(task, { name: 'make', reference: 'r' })).toBe(20);
  expect(jobCost(task, { name: 'make', reference: 'r', lostReferences: ['a', 'b'], costMicros: 1 })).toBe(41);
  expect(submissionCost(aTask(), make, done(1))).toBe(0);
});

test('each kind of job of the clips workflow has its own price', () => {
  expect(submissionCost(clips, { name: 'transcribe', isAccepted: true }, done(undefined))).toBe(240_000);
  expect(submissionCost(clips, { name: 'cut-01', isAccepted: true }, done(30))).toBe(7500);
  expect(submissionCost(clips, { name: 'cut-02', isAccepted: true }, openEnd)).toBe(37_500);
  expect(submissionCost(clips, { name: 'crop-02', isAccepted: true }, done(30))).toBe(2000);
  expect(submissionCost(clips, make, done(30, 30))).toBe(0);
});
