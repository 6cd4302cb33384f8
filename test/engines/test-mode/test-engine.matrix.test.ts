/** The engine of test mode: how a job ends follows from the test case and the clock alone. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { TaskType } from '../../../shared/contracts/task-types.ts';
import { testCases } from '../../../shared/contracts/test-cases.ts';
import { copyResults } from '../../../shared/domain/task-lifecycle/copy-results.ts';
import type { EngineAcceptance } from '../../../shared/engines/engine.ts';
import { makeTestMedia } from '../../../shared/engines/test-mode/media/test-media.ts';
import { testEngine, testInput } from '../../../shared/engines/test-mode/test-engine.ts';
import type { Bucket } from '../../../shared/platform/bucket.ts';
import { task as taskOf } from '../../domain/task-lifecycle/copied-results.ts';
import { matrixRows } from '../../support/matrix-rows.ts';
import { recordedMetrics } from '../../support/recorded-metrics.ts';
import { unmarkedResultNeeds } from '../../support/result-needs.ts';
import { type SteppedClock, stillClock } from '../../support/stepped-clock.ts';
import { oneOfEach, type TestRequest, testRequests } from './test-requests.ts';

const job = {
  taskId: 'task-1',
  callbackUrl: 'https://api.example/inbound',
  keep: () => Promise.reject(new Error('nothing is kept')),
};

/** Submits a request whose test case is in its client reference, or in its text if it has one. */
async function submitted({ taskType, input, derived }: TestRequest, testCase = '', clock: SteppedClock = stillClock()) {
  const engine = testEngine({ clock, makeMedia: makeTestMedia });
  const texts = Object.keys(input).filter((name) => ['prompt', 'text', 'name', 'userPrompt'].includes(name));
  const marked = Object.fromEntries(texts.map((name) => [name, `${String(input[name])} ${testCase}`]));
  const body = testCase ? { ...input, ...marked } : input;
  const whole = testInput({ input: body, ...(derived && { derived }), clientReference: `mine ${testCase}` });
  const acceptance = (await engine.submit({ ...job, taskType, input: whole })) as EngineAcceptance;
  return { engine, clock, acceptance, check: () => engine.check(acceptance.reference) };
}

/** The outcome, and how many whole seconds after the submission it was first seen by a poll every second. */
async function ended(request: TestRequest, testCase = '') {
  const { acceptance, check, clock } = await submitted(request, testCase);
  for (let seconds = 0; seconds <= 200; seconds += 1) {
    const report = await check();
    if (report.status === 'done' || report.status === 'failed') return { acceptance, outcome: report, seconds };
    clock.advance(1000);
  }
  throw new Error('the job never ended');
}

/** How each test case ends, and after how many seconds. */
const endings = {
  '': ['done', 2],
  '[test:content_rejected]': ['CONTENT_REJECTED', 2],
  '[test:provider_error]': ['PROVIDER_ERROR', 2],
  '[test:provider_timeout]': ['PROVIDER_TIMEOUT', 5],
  '[test:download_failed]': ['DOWNLOAD_FAILED', 2],
  '[test:input_invalid]': ['INPUT_INVALID', 2],
  '[test:slow=1]': ['done', 1],
  '[test:slow=20]': ['done', 20],
  '[test:slow=120]': ['done', 120],
  '[test:progress]': ['done', 20],
  '[test:late_callback]': ['done', 2],
  '[test:webhook_refused]': ['done', 2],
} as const;

describe.each(matrixRows(oneOfEach.map((request) => [request.taskType, request] as const)))(
  'a test task of the type %s',
  (_, request) => {
    test.each(Object.entries(endings))(
      'with the test case "%s" has the outcome and the duration in seconds %j',
      async (testCase, [end, after]) => {
        const { acceptance, outcome, seconds } = await ended(request, testCase);
        expect([outcome.status === 'failed' ? outcome.code : outcome.status, seconds]).toEqual([end, after]);
        expect(acceptance.completion).toBe(testCase === '[test:late_callback]' ? 'callback' : 'polling');
        if (outcome.status === 'done') expect(outcome.outputs).toHaveLength(request.results.length);
      },
    );
  },
);

test('the list of expected outcomes covers every test case that does not reject the request', () => {
  const covered = Object.keys(endings).map((text) => /test:(\w+)/.exec(text)?.[1]);
  expect(new Set(covered.filter(Boolean))).toEqual(
    new Set(Object.keys(testCases).filter((name) => name !== 'unavailable')),
  );
});

test.each([
  ['image-edit', '[test:download_failed]', 'names its field', 'imageUrl could not be downloaded (a test)'],
  ['video-ugc', '[test:input_invalid]', 'names its field', 'combinedImages[0] cannot be used (a test)'],
  ['voice', '[test:input_invalid]', 'has no detail', undefined],
  ['video-ugc', '[test:provider_error]', 'has no detail', undefined],
] satisfies [TaskType, string, string, string | undefined][])(
  'the failure of a test task of the type %s with %s %s',
  async (taskType, testCase, _, detail) => {
    const { outcome } = await ended(
      oneOfEach.find((request) => request.taskType === taskType) as TestRequest,
      testCase,
    );
    expect(outcome.status === 'failed' ? outcome.detail : outcome.status).toBe(detail);
  },
);

test('a test task counts as done up to half a second early, because the polling clock may be behind', async () => {
  const { check, clock } = await submitted(oneOfEach[0] as TestRequest);
  clock.advance(1499);
  expect(await check()).toMatchObject({ status: 'running' });
  clock.advance(1);
  expect(await check()).toMatchObject({ status: 'done' });
});

const anyCase = fc.constantFrom('', '[test:progress]', '[test:slow=7]', '[test:slow=120]', '[test:provider_timeout]');

test('the progress of a test task is from 0 to 99 and never decreases, and its end is final', async () => {
  const moments = fc.array(fc.nat({ max: 9_000 }), { minLength: 1, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...oneOfEach), anyCase, moments, async (request, testCase, pauses) => {
      const { check, clock } = await submitted(request, testCase);
      let before = -1;
      for (const pause of pauses) {
        clock.advance(pause);
        const report = await check();
        const progress = report.status === 'running' ? report.progress : 100;
        expect(Number.isInteger(progress)).toBe(true);
        expect(progress).toBeGreaterThanOrEqual(before);
        before = progress;
      }
    }),
  );
});

test('the engine of test mode reports each of ten steps for [test:progress], and asks to be polled again soon', async () => {
  const { check, clock } = await submitted(oneOfEach[0] as TestRequest, '[test:progress]');
  const seen: unknown[] = [];
  for (let polls = 0; polls <= 10; polls += 1) {
    const report = await check();
    seen.push(report.status === 'running' ? [report.progress, report.pollAgain] : report.status);
    clock.advance(2000);
  }
  const steps = [0, 10, 20, 30, 40, 50, 60, 70, 80, 90];
  expect(seen).toEqual([...steps.map((progress) => [progress, 'soon']), 'done']);
});

test.each(matrixRows(testRequests.map((request) => [request.name, request] as const)))(
  'the results of %s in test mode have the number, type, size and duration that the operation promises',
  async (_, request) => {
    const { engine, acceptance, clock } = await submitted(request);
    clock.advance(2000);
    const outcome = await engine.check(acceptance.reference);
    if (outcome.status !== 'done') throw new Error('the job did not end');
    const sizes: number[] = [];
    const bucket: Bucket = {
      async write(_key, { body }) {
        let bytes = 0;
        for await (const chunk of body) bytes += chunk.length;
        sizes.push(bytes);
        return bytes;
      },
      addressOf: () => Promise.reject(new Error('nothing is shared here')),
    };
    const [{ contentType, hasSound: _sound, ...promise } = { contentType: '' }] = request.results;
    const task = {
      ...taskOf(request.taskType, request.input),
      ...(request.derived && { derived: request.derived }),
      ...(contentType === 'video/mp4' && { promise: promise as { width: number; height: number } }),
    };
    const needs = { ...unmarkedResultNeeds, bucket, engines: { named: () => engine }, metrics: recordedMetrics() };
    const kept = await copyResults(needs, task, outcome.outputs);
    if (typeof kept === 'string') throw new Error(kept);
    expect(kept).toHaveLength(request.results.length);
    for (const [index, { contentType: type, width, height, durationSec }] of request.results.entries()) {
      expect(kept[index]).toMatchObject({ contentType: type, ...(width !== undefined && { width, height }) });
      if (durationSec !== undefined) expect(kept[index]?.durationSec).toBeCloseTo(durationSec, 0.5);
      expect(kept[index]?.posterKey !== undefined).toBe(type === 'video/mp4');
    }
    // Images may be drawn pixel by pixel; sounds and videos repeat what was recorded and drawn once.
    expect(Math.max(...sizes)).toBeLessThan(1.5 * 2 ** 20);
  },
);

test('clips do not overlap, are within the video and come with a title, a hook and a falling score', async () => {
  const requests = testRequests.filter(({ taskType }) => taskType === 'cortes');
  expect(requests.length).toBeGreaterThan(3);
  for (const request of requests) {
    const { outcome } = await ended(request);
    const clips = outcome.status === 'done' ? outcome.outputs.map(({ clip }) => clip) : [];
    let [end, score] = [0, 1.1];
    for (const clip of clips) {
      expect(clip).toMatchObject({ title: expect.stringContaining('Test clip'), hook: expect.any(String) });
      expect(clip?.startTime).toBeGreaterThanOrEqual(end);
      expect(clip?.score).toBeLessThanOrEqual(score);
      [end, score] = [clip?.endTime ?? Number.NaN, clip?.score ?? Number.NaN];
    }
    expect(end).toBeLessThanOrEqual(Number(request.derived?.seconds));
    expect(score).toBeGreaterThanOrEqual(0);
  }
});

test('the images that one test task returns differ', async () => {
  const four = testRequests.find(({ input }) => input.numImages === 4) as TestRequest;
  const { outcome } = await ended(four);
  const urls = outcome.status === 'done' ? outcome.outputs.map(({ url }) => url) : [];
  expect(new Set(urls.map((url) => Buffer.from(makeTestMedia(url)).toString('base64'))).size).toBe(4);
});

test.each(['https://example.com/a.png', 'test:gif?width=1', 'test:constructor'])(
  'the URL %s is not a file of test mode',
  (url) => {
    expect(() => makeTestMedia(url)).toThrow('not a file of test mode');
  },
);
