/** The workflow that cuts clips, from the request to the clips, and every way in which it can fail. */
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { reportClips } from '../../functions/workflow/report-clips.ts';
import { failureMessage } from '../../shared/contracts/errors.ts';
import { settingsOf } from '../../shared/platform/settings.ts';
import { workStorage } from '../../shared/platform/work-storage.ts';
import { stepFunctions } from '../../shared/platform/workflow.ts';
import { eventually } from '../support/eventually.ts';
import { numberedFrames } from '../support/numbered-video.ts';
import { RecordingLogger } from '../support/recording-logger.ts';
import { allJobs, jobCounts, type Outcomes, startClipScene } from './clip-scene.ts';

// Jobs that hang are polled after six seconds.
const scene = await startClipScene({ timeoutPace: 0.1 });
afterAll(() => scene.close());
beforeEach(() => scene.begin());

test('a video is copied, transcribed, ranked and cut into the promised clips, while the task’s progress never decreases', async () => {
  const taskId = await scene.cut({ aspectRatio: '1:1' });
  const { task, progress } = await scene.followed(taskId);
  await scene.expectEnd(taskId, task);
  expect(progress).toEqual(progress.toSorted((one, other) => one - other));
  expect(progress.at(-1)).toBe(100);
  expect(scene.jobsOf(taskId)).toEqual(allJobs);
  expect(scene.begun).toEqual(jobCounts);
  expect(task.results).toHaveLength(3);
  const spans = (task.clips ?? []).map(({ startTime, endTime }) => [startTime ?? -1, endTime ?? -1] as const);
  for (const [index, result] of (task.results ?? []).entries()) {
    expect(result).toMatchObject({ contentType: 'video/mp4', width: 720, height: 720, posterUrl: expect.any(String) });
    const frames = await numberedFrames(new Uint8Array(await (await fetch(result.url)).arrayBuffer()));
    const [start, end] = spans[index] ?? [0, 0];
    const numbers = frames.map(({ number }) => number);
    expect(numbers).toEqual(
      Array.from({ length: Math.round((end - start) * 10) }, (_, at) => Math.round(start * 10) + at),
    );
  }
  const inOrder = spans.toSorted(([one], [other]) => one - other);
  for (const [index, [start]] of inOrder.entries()) expect(start).toBeGreaterThanOrEqual(inOrder[index - 1]?.[1] ?? 0);
});

test('if one of four clips cannot be cut, the other three are the results', async () => {
  scene.decide({ cut: [{}, { end: 'plain-error' }, {}] });
  // Four clips are promised for the duration that the client declares.
  const taskId = await scene.cut({ durationSec: 700 });
  const { task } = await scene.followed(taskId);
  expect(task, JSON.stringify(task.error)).toMatchObject({ status: 'completed', creditsRefunded: 0 });
  expect(task.results).toHaveLength(3);
  expect(task.clips).toHaveLength(3);
  expect(await scene.isStored(taskId)).toBe(false);
});

test('a clip whose poster cannot be made is still a result', async () => {
  scene.decide({ poster: [{ end: 'plain-error' }] });
  const taskId = await scene.cut();
  const { task } = await scene.followed(taskId);
  await scene.expectEnd(taskId, task);
  for (const result of task.results ?? []) expect(result.posterUrl ?? null).toBeNull();
});

describe('a clips task is refunded once and keeps no files', () => {
  test.each<[string, Outcomes, string]>([
    ['the transcription fails', { transcribe: [{ end: 'plain-error' }] }, 'PROVIDER_ERROR'],
    ['the transcription rejects the video', { transcribe: [{ end: 'content_policy_violation' }] }, 'CONTENT_REJECTED'],
    ['one of only three clips cannot be cut', { cut: [{}, { end: 'plain-error' }, {}] }, 'PROVIDER_ERROR'],
    ['one of only three clips cannot be cropped', { crop: [{ end: 'plain-error' }, {}] }, 'PROVIDER_ERROR'],
    ['all clips are rejected', { cut: [{ end: 'content_policy_violation' }] }, 'CONTENT_REJECTED'],
    [
      'the engine accepts no job',
      { transcribe: [{ submissions: Array.from({ length: 50 }, () => ({ status: 500 })) }] },
      'PROVIDER_ERROR',
    ],
  ])('when %s', async (_, given, code) => {
    scene.decide(given);
    const taskId = await scene.cut();
    const { task } = await scene.followed(taskId);
    await scene.expectEnd(taskId, task, code);
  });

  test('when the video is gone by the time it is copied', async () => {
    const taskId = await scene.cut({ videoUrl: scene.goneUrl });
    const { task } = await scene.followed(taskId);
    await scene.expectEnd(taskId, task, 'DOWNLOAD_FAILED');
    expect(task.error?.message).toMatch(/^videoUrl could not be downloaded: the server responded with status 404/);
    expect(scene.jobsOf(taskId)).toEqual([]);
  });

  test('when the video is an empty file by the time it is copied', async () => {
    const taskId = await scene.cut({ videoUrl: scene.emptiedUrl });
    const { task } = await scene.followed(taskId);
    await scene.expectEnd(taskId, task, 'INPUT_INVALID');
    expect(task.error?.message).toBe(failureMessage('INPUT_INVALID', 'videoUrl is not a readable MP4 file'));
  });
});

test('a canceled clips task stops its jobs and its workflow, and its copy is deleted', async () => {
  scene.decide({ cut: [{ runMs: 60_000 }] });
  const taskId = await scene.cut();
  const names = ['cut-01', 'cut-02', 'cut-03'];
  await eventually('the cuts', async () => {
    const jobs = await scene.host.service.context.engineJobs.list(taskId);
    return names.every((name) => jobs.some((job) => job.name === name && job.reference !== undefined)) || undefined;
  });
  await scene.host.call('cancelTask', { token: scene.account.token, params: { taskId } });
  const { task } = await scene.followed(taskId);
  await scene.expectEnd(taskId, task, 'CANCELED');
  const cancellations = scene.fake.requests.filter(({ method, path }) => method === 'PUT' && path.endsWith('/cancel'));
  expect(cancellations).toHaveLength(3);
  expect(scene.jobsOf(taskId)).toEqual([...names, 'transcribe']);
});

test('a video copy that cannot be deleted does not fail the task, and is logged without its URL', async () => {
  const { context, environment } = scene.host.service;
  scene.decide({ transcribe: [{ end: 'plain-error' }] });
  const taskId = await scene.cut();
  await scene.followed(taskId);
  const settings = settingsOf(environment);
  let attempts = 0;
  const remove = async () => {
    attempts += 1;
    throw new Error(`the storage does not delete https://storage.example/inputs/${taskId}?signature=secret`);
  };
  const work = { ...workStorage({ settings }), delete: remove };
  const logger = new RecordingLogger();
  await reportClips({ taskId }, { ...context, logger, work, workflow: stepFunctions({ settings }) });
  expect(attempts).toBe(1);
  expect(logger.warnings).toEqual([{ message: 'copied video not deleted', taskId, reason: 'Error' }]);
});

// This test is the last one, because afterwards the clock no longer agrees with that of the fake.
test('a hanging cut job costs only its clip, and a hanging poster job costs only the poster', async () => {
  const hanging: Outcomes['cut'] = [{ runMs: 3_600_000 }, {}];
  scene.decide({ cut: hanging, poster: hanging });
  const taskId = await scene.cut({ durationSec: 700 });
  await eventually('all jobs but the hanging ones', async () => {
    const jobs = await scene.host.service.context.engineJobs.list(taskId);
    const done = jobs.filter(({ name, outcome }) => /^(cut|crop|poster)-/.test(name) && outcome?.status === 'done');
    return done.length === 3 + 3 + 2 || undefined;
  });
  scene.host.clock.advance(11 * 60_000);
  const { task } = await scene.followed(taskId);
  expect(task, JSON.stringify(task.error)).toMatchObject({ status: 'completed', creditsRefunded: 0 });
  expect(task.results).toHaveLength(3);
  expect((task.results ?? []).filter(({ posterUrl }) => posterUrl)).toHaveLength(2);
});

test('a clips task that takes too long is refunded, and its jobs are stopped', async () => {
  scene.decide({ transcribe: [{ runMs: 60_000 }] });
  const taskId = await scene.cut();
  await eventually('the transcription', async () => scene.begun.transcribe > 0 || undefined);
  scene.host.clock.advance(61 * 60_000);
  const { task } = await scene.followed(taskId);
  await scene.expectEnd(taskId, task, 'PROVIDER_TIMEOUT');
  expect(scene.jobsOf(taskId)).toEqual(['transcribe']);
});
