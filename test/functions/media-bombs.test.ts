/**
 * Videos and recordings whose indexes claim millions of samples: rejected at creation, with little work off the main
 * thread.
 */
import { Worker } from 'node:worker_threads';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { mediaThreads } from '../../infra/local/media-thread.ts';
import type { Steps } from '../../shared/media-files/drive-walk.ts';
import { imageHost } from '../support/image-host.ts';
import { manySamples } from '../support/media/changed-mp4.ts';
import { testService } from '../support/test-service.ts';
import { tinyPng } from '../support/tiny-image.ts';
import { tinyWav } from '../support/tiny-sound.ts';
import { tinyMp4 } from '../support/tiny-video.ts';

const counts = [10_000_000, 50_000_000, 200_000_000];
const bombs = counts.flatMap((count) => [
  { count, isConsistent: false, indexes: 'inconsistent' },
  { count, isConsistent: true, indexes: 'consistent' },
]);

/** How many steps of measuring files other threads have executed. */
let steps = 0;

const video = await tinyMp4(6, { width: 720, height: 1280, index: 'last' });
const files = await imageHost({
  'slow.wav': (response) => void response.end(tinyWav(2)),
  'next.wav': (response) => void response.end(tinyWav(3)),
  'face.png': (response) => void response.end(tinyPng(400, 600, { width: 1, height: 1 })),
  ...Object.fromEntries(
    bombs.map(({ count, isConsistent }) => [
      `${count}-${isConsistent}.mp4`,
      (response) => void response.end(manySamples(video, count, isConsistent)),
    ]),
  ),
});
const host = await testService();
const account = await host.account({ credits: 1000, planId: 'pro' });
const { context } = host.service;
const start = context.measuring?.start ?? expect.fail('files are measured in the thread that answers');
host.service.bind({
  ...context,
  measuring: {
    start: (shape) => {
      const walk: Steps<never> = start(shape) as Steps<never>;
      return {
        next: (bytes) => {
          steps += 1;
          return walk.next(bytes);
        },
        close: () => walk.close(),
      };
    },
  },
});
afterAll(() => Promise.all([host.close(), files.close()]));

const requests = {
  imitateVideo: (url: string) => ({ motionVideo: url, characterImage: files.url('face.png') }),
  changeVoice: (url: string) => ({ audioUrl: url, voice: 'sarah' }),
  generateCortes: (url: string) => ({ videoUrl: url }),
  'generateCortes with a declared duration': (url: string) => ({ videoUrl: url, durationSec: 600 }),
};

describe.each(Object.keys(requests) as (keyof typeof requests)[])('a decompression bomb sent to %s', (name) => {
  test.each(bombs)('with $count samples and $indexes indexes is refused', async ({ count, isConsistent }) => {
    const [operation] = name.split(' ') as [keyof typeof requests];
    const body = requests[name](files.url(`${count}-${isConsistent}.mp4`));
    for (const headers of [{ 'x-dry-run': 'true' }, {}]) {
      steps = 0;
      const response = await host.call(operation as 'generateCortes', {
        token: account.token,
        body,
        headers,
      });
      expect([response.status, response.body.error?.code]).toEqual([400, 'VALIDATION_ERROR']);
      expect(steps).toBeGreaterThan(0);
      expect(steps).toBeLessThan(10);
    }
    expect(await host.standing(account.accountId)).toEqual({ balance: 1000, tasks: 0 });
  });
});

test('an audio file that takes too long to measure gets a 503 with Retry-After, while another one is measured concurrently', async () => {
  const hanging = () => new Worker('setInterval(() => 0, 9)', { eval: true });
  const working = () => new Worker(new URL('../../infra/local/media-worker.ts', import.meta.url), { execArgv: [] });
  let threads = 0;
  const media = mediaThreads(() => {
    threads += 1;
    return threads === 1 ? hanging() : working();
  }, 3000);
  onTestFinished(() => media.close());
  const isMeasuring = Promise.withResolvers<void>();
  const { context } = host.service;
  host.service.bind({
    ...context,
    measuring: {
      start: (shape) => {
        const walk = media.startMeasuring(shape);
        isMeasuring.resolve();
        return walk;
      },
    },
  });
  onTestFinished(() => host.service.bind(context));
  const measured = (name: string) =>
    host.call('changeVoice', {
      token: account.token,
      body: { audioUrl: files.url(name), voice: 'sarah' },
      headers: { 'x-dry-run': 'true' },
    });
  const slow = measured('slow.wav');
  await isMeasuring.promise;
  const [refused, accepted] = await Promise.all([slow, measured('next.wav')]);
  expect([refused.status, refused.body.error?.message, refused.headers['retry-after']]).toEqual([
    503,
    'audioUrl could not be measured in time: try again',
    '2',
  ]);
  expect([accepted.status, accepted.body.error?.message]).toEqual([200, undefined]);
});
