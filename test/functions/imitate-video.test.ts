/** `imitateVideo` at creation: its price, the limits of its files, and what its engines receive. */

import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { routesRow } from '../../shared/domain/catalog/routes-row.ts';
import { settingVariables } from '../../shared/platform/settings.ts';
import { catalogWith } from '../support/catalog-with.ts';
import { type ImageResponse, imageHost } from '../support/image-host.ts';
import { type TestAccount, testService } from '../support/test-service.ts';
import { tinyPng, tinyWebp } from '../support/tiny-image.ts';
import { tinyMp4 } from '../support/tiny-video.ts';

let account: TestAccount;

const balance = 1000;
const portrait = { width: 720, height: 1280 };

const video =
  (seconds: number, size: Parameters<typeof tinyMp4>[1] = portrait): ImageResponse =>
  async (response) =>
    void response.end(await tinyMp4(seconds, size));

const image =
  (width: number, height: number): ImageResponse =>
  (response) =>
    void response.end(tinyPng(width, height, { width: 1, height: 1 }));

const handlers: Record<string, ImageResponse> = {
  'face.png': image(450, 800),
  'face.webp': (response) => void response.end(tinyWebp),
  'small.png': image(299, 400),
  'min.png': image(300, 533),
  'widest.png': image(741, 1280),
  'wider.png': image(742, 1280),
  'square.png': image(600, 600),
  'page.png': (response) => void response.end('<!doctype html>'),
  'dance.mp4': video(12.4),
  'landscape.mp4': video(12.4, { width: 1280, height: 720 }),
  'square.mp4': video(12.4, { width: 640, height: 640 }),
  'small.mp4': video(12.4, { width: 338, height: 600 }),
};
for (const [frames, sound] of [
  [1, 20],
  [5, 6],
  [30, 31],
] as const) {
  handlers[`${frames}-and-${sound}.mp4`] = video(frames, { ...portrait, soundSeconds: sound });
}
for (const seconds of [2.9, 3, 3.1, 10, 12.4, 29.9, 30, 30.1]) handlers[`${seconds}.mp4`] = video(seconds);

const files = await imageHost(handlers);
const host = await testService({ environment: { [settingVariables.engines]: 'offline,fal' } });
afterAll(() => Promise.all([host.close(), files.close()]));
beforeEach(async () => {
  account = await host.account({ credits: balance });
});

interface Sent {
  readonly characterImage?: string;
  readonly motionVideo?: string;
  readonly model?: string;
  readonly quality?: string;
}

const post = (
  { characterImage = 'face.png', motionVideo = 'dance.mp4', ...body }: Sent = {},
  headers: Record<string, string> = {},
) =>
  host.call('imitateVideo', {
    token: account.token,
    body: { ...body, characterImage: files.url(characterImage), motionVideo: files.url(motionVideo) },
    headers,
  });

async function expectRejection(body: Sent, message: string) {
  const response = await post(body);
  expect([response.status, response.body.error]).toEqual([400, { code: 'VALIDATION_ERROR', message }]);
  expect(await host.standing(account.accountId)).toEqual({ balance, tasks: 0 });
}

// Calculated by hand: the number of started seconds, times 5 and 8 credits (model 2.6), or 8 and 12 (model 3.0).
test.for<[string, Sent, number]>([
  ['3.mp4', {}, 15],
  ['3.1.mp4', {}, 20],
  ['12.4.mp4', {}, 65],
  ['12.4.mp4', { quality: '1080p' }, 104],
  ['12.4.mp4', { model: 'vendor-motion-3.0' }, 104],
  ['12.4.mp4', { model: 'vendor-motion-3.0', quality: '1080p' }, 156],
  ['10.mp4', { model: 'vendor-motion-2.6', quality: '720p' }, 50],
  ['29.9.mp4', { quality: '1080p' }, 240],
  ['30.mp4', { model: 'vendor-motion-3.0', quality: '1080p' }, 360],
  ['5-and-6.mp4', {}, 25],
  ['30-and-31.mp4', {}, 150],
])(
  'motion transfer from %s with %j costs %i credits, as the dry run, the response and the task all state',
  async ([motionVideo, body, cost]) => {
    const dry = await post({ motionVideo, ...body }, { 'x-dry-run': 'true' });
    expect(dry.body.data).toEqual({ cost, balance, operation: 'imitateVideo' });
    const response = await post({ motionVideo, ...body });
    expect(response.status).toBe(202);
    expect(await host.standing(account.accountId)).toEqual({ balance: balance - cost, tasks: 1 });
    const { taskId } = response.body.data as { taskId: string };
    expect(await host.task(account.token, taskId)).toMatchObject({ creditsUsed: cost, taskType: 'video-imitate' });
  },
);

test('the motion transfer engine receives copies of both files and the duration, and the task shows the request', async () => {
  const { body } = await post({ quality: '1080p' });
  const { taskId } = body.data as { taskId: string };
  const { input } = await host.engine.jobOf(taskId);
  expect(input).toMatchObject({ model: 'vendor-motion-2.6', quality: '1080p', durationSec: 12.4 });
  for (const [field, type] of [
    ['characterImage', 'image/png'],
    ['motionVideo', 'video/mp4'],
  ] as const) {
    const copy = await fetch(String(input[field]));
    expect([copy.status, copy.headers.get('content-type')]).toEqual([200, type]);
    await copy.body?.cancel();
  }
  expect(await host.service.context.tasks.find(taskId)).toMatchObject({
    promise: { width: 1080, height: 1920, durationSec: 12.4 },
  });
  const task = await host.task(account.token, taskId);
  expect(task.input).toEqual({
    characterImage: files.url('face.png'),
    motionVideo: files.url('dance.mp4'),
    model: 'vendor-motion-2.6',
    quality: '1080p',
  });
});

describe('motion transfer with an unusable file is rejected without charge, and the error names the field and the reason:', () => {
  test.for<[Sent, string]>([
    [{ motionVideo: '2.9.mp4' }, 'motionVideo must be 3 to 30 seconds long'],
    [{ motionVideo: '30.1.mp4' }, 'motionVideo must be 3 to 30 seconds long'],
    [{ motionVideo: '1-and-20.mp4' }, 'motionVideo must be 3 to 30 seconds long'],
    [
      { characterImage: 'page.png', motionVideo: '30.1.mp4' },
      'characterImage is not a readable JPEG, PNG or WebP file; motionVideo must be 3 to 30 seconds long',
    ],
  ])('%j', ([body, message]) => expectRejection(body, message));
});

describe('motion transfer with', () => {
  const withOnlyFal = async (check: () => Promise<void>) => {
    const { context } = host.service;
    const catalog = catalogWith(context.catalog, routesRow, (choices) => ({
      ...choices,
      'video-imitate': { routes: choices['video-imitate'].routes.filter((id) => id.startsWith('fal/')) },
    }));
    await host.withContext({ ...context, catalog }, check);
  };

  test.for<[Sent, string]>([
    [{ characterImage: 'small.png' }, 'characterImage must be at least 300 pixels per side'],
    [{ characterImage: 'wider.png' }, 'characterImage must have an aspect ratio of about 9:16'],
    [{ characterImage: 'square.png' }, 'characterImage must have an aspect ratio of about 9:16'],
    [{ characterImage: 'face.webp' }, 'characterImage must be a JPEG or PNG file, not WebP'],
    [{ motionVideo: 'small.mp4' }, 'motionVideo must be at least 340 pixels per side and at most 3850 pixels per side'],
    [{ motionVideo: 'landscape.mp4' }, 'motionVideo must have an aspect ratio of about 9:16'],
    [{ motionVideo: 'square.mp4' }, 'motionVideo must have an aspect ratio of about 9:16'],
    [
      { characterImage: 'small.png', motionVideo: 'square.mp4', model: 'vendor-motion-3.0', quality: '1080p' },
      'characterImage must be at least 300 pixels per side; motionVideo must have an aspect ratio of about 9:16',
    ],
  ])(
    '%j, which Kling would reject, is rejected before anything is charged if Kling is the only engine',
    ([body, message]) => withOnlyFal(() => expectRejection(body, message)),
  );

  test('files at Kling’s limits is accepted by Kling', () =>
    withOnlyFal(async () => {
      for (const characterImage of ['min.png', 'widest.png']) {
        const { body } = await post({ characterImage }, { 'x-dry-run': 'true' });
        expect(body.data).toMatchObject({ cost: 65 });
      }
    }));

  test('files that Kling would reject goes to the offline engine if that is configured as well', async () => {
    const { status } = await post({ characterImage: 'face.webp', motionVideo: 'landscape.mp4' });
    expect(status).toBe(202);
  });
});
