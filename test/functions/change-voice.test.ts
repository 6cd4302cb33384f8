/** `changeVoice` at creation: its price, the limits of its file, and what its engines receive. */

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { ffmpeg } from '../../offline-engine/ffmpeg.ts';
import { routesRow } from '../../shared/domain/catalog/routes-row.ts';
import { settingVariables } from '../../shared/platform/settings.ts';
import { catalogWith } from '../support/catalog-with.ts';
import { type ImageResponse, imageHost } from '../support/image-host.ts';
import { type TestAccount, testService } from '../support/test-service.ts';
import { tinyWav } from '../support/tiny-sound.ts';

const megabyte = 2 ** 20;
const balance = 100;

let account: TestAccount;

const tone = ['-f', 'lavfi', '-i', 'sine=frequency=440:r=16000', '-t', '12.4'];
const frames = ['-f', 'lavfi', '-i', 'color=s=32x32:r=5'];
const recipes: Readonly<Record<string, readonly string[]>> = {
  'tone.mp3': [...tone, '-b:a', '16k'],
  'tone.m4a': [...tone, '-c:a', 'aac'],
  'tone.mp4': [...tone, '-c:a', 'aac', '-f', 'mp4'],
  'tone.ogg': [...tone, '-c:a', 'libvorbis'],
  'film.mp4': [...frames, ...tone, '-pix_fmt', 'yuv420p'],
  'silent-film.mp4': [...frames, '-t', '2', '-pix_fmt', 'yuv420p'],
  'tone.flac': tone,
  'tone.webm': [...tone, '-c:a', 'libopus'],
  'tone.mka': [...tone, '-c:a', 'flac'],
  'film.mov': [...frames, ...tone, '-pix_fmt', 'yuv420p'],
  'film.webm': [...frames, ...tone, '-c:v', 'libvpx', '-c:a', 'libopus'],
  'film.mkv': [...frames, ...tone, '-pix_fmt', 'yuv420p'],
  'tone.aac': [...tone, '-c:a', 'aac', '-f', 'adts'],
};

const send =
  (bytes: () => Buffer): ImageResponse =>
  (response) =>
    void response.end(bytes());

const responses: Record<string, ImageResponse> = {
  'page.mp3': (response) => void response.writeHead(200, { 'content-type': 'audio/mpeg' }).end('<!doctype html>'),
  'heavy.wav': send(() => Buffer.concat([tinyWav(1), Buffer.alloc(25 * megabyte)])),
};
for (const seconds of [0.1, 1, 10, 10.1, 95.3, 300, 300.1]) responses[`${seconds}.wav`] = send(() => tinyWav(seconds));

const folder = await mkdtemp(join(tmpdir(), 'change-voice-'));
for (const [name, recipe] of Object.entries(recipes)) {
  const path = join(folder, name);
  await ffmpeg({ arguments: [...recipe, path] });
  const bytes = await readFile(path);
  responses[name] = send(() => bytes);
}
await rm(folder, { recursive: true });
const files = await imageHost(responses);
const host = await testService({ environment: { [settingVariables.engines]: 'offline,fal' } });
afterAll(() => Promise.all([host.close(), files.close()]));
beforeEach(async () => {
  account = await host.account({ credits: balance });
});

const post = (audio: string, changes: object = {}, headers: Record<string, string> = {}) =>
  host.call('changeVoice', {
    token: account.token,
    body: { audioUrl: files.url(audio), voice: 'Sarah', ...changes },
    headers,
  });

async function expectRejection(audio: string, message: RegExp, changes: object = {}) {
  const { status, body } = await post(audio, changes);
  expect([status, body.error?.code]).toEqual([400, 'VALIDATION_ERROR']);
  expect(body.error?.message).toMatch(message);
  expect(await host.standing(account.accountId)).toEqual({ balance, tasks: 0 });
}

// Calculated by hand: two credits for each started ten seconds.
test.for([
  ['0.1.wav', 2],
  ['1.wav', 2],
  ['10.wav', 2],
  ['10.1.wav', 4],
  ['95.3.wav', 20],
  ['300.wav', 60],
  ['tone.mp3', 4],
  ['tone.m4a', 4],
  ['tone.mp4', 4],
  ['tone.ogg', 4],
  ['film.mp4', 4],
] as const)(
  'changing the voice of %s costs %i credits, as the dry run, the response and the task all state',
  async ([audio, cost]) => {
    const dry = await post(audio, {}, { 'x-dry-run': 'true' });
    expect(dry.body.data).toEqual({ cost, balance, operation: 'changeVoice' });
    const { status, body } = await post(audio);
    expect(status).toBe(202);
    expect(await host.standing(account.accountId)).toEqual({ balance: balance - cost, tasks: 1 });
    const { taskId } = body.data as { taskId: string };
    expect(await host.task(account.token, taskId)).toMatchObject({ creditsUsed: cost, taskType: 'voice-change' });
  },
);

test.for([
  ['tone.flac', 'audio/flac'],
  ['tone.webm', 'audio/webm'],
  ['tone.mka', 'audio/x-matroska'],
  ['film.mov', 'video/quicktime'],
  ['film.webm', 'video/webm'],
  ['film.mkv', 'video/x-matroska'],
] as const)(
  'changing the voice of %s costs the same 4 credits, and the engine receives the file as %s',
  async ([audio, type]) => {
    const { body } = await post(audio);
    expect(await host.standing(account.accountId)).toEqual({ balance: balance - 4, tasks: 1 });
    const { input } = await host.engine.jobOf((body.data as { taskId: string }).taskId);
    const copy = await fetch(String(input.audioUrl));
    expect([copy.status, copy.headers.get('content-type')]).toEqual([200, type]);
    await copy.body?.cancel();
  },
);

test('the engine of a voice change receives a copy of the file and all fields, and the task shows the original request', async () => {
  const { body } = await post('tone.ogg', { stability: 0, removeNoise: true });
  const { taskId } = body.data as { taskId: string };
  const { input } = await host.engine.jobOf(taskId);
  const fields = { voice: 'sarah', stability: 0, similarityBoost: 0.75, removeNoise: true };
  expect(input).toEqual({ ...fields, audioUrl: expect.any(String), durationSec: 12.4 });
  const copy = await fetch(String(input.audioUrl));
  expect([copy.status, copy.headers.get('content-type')]).toEqual([200, 'audio/ogg']);
  await copy.body?.cancel();
  expect((await host.task(account.token, taskId)).input).toEqual({ ...fields, audioUrl: files.url('tone.ogg') });
});

describe('the result of a voice change', () => {
  const made = async (moreSeconds: number) => {
    host.engine.play({ submit: (job) => ({ status: 202, body: host.engine.done(job, moreSeconds) }) });
    const { body } = await post('10.wav');
    const { taskId } = body.data as { taskId: string };
    const task = await host.ended(account.token, taskId);
    host.engine.play({});
    return task;
  };

  test('has the measured duration of its sound, whatever duration the engine reports', async () => {
    const task = await made(0.5);
    expect(task).toMatchObject({ status: 'completed', creditsRefunded: 0, results: [{ durationSec: 10.5 }] });
  });

  test('fails the task, which is refunded once, if it is over a second longer than the recording', async () => {
    const task = await made(1.5);
    expect(task).toMatchObject({ status: 'failed', error: { code: 'PROVIDER_ERROR' }, creditsRefunded: 2 });
    expect(task.results).toBeUndefined();
    expect(await host.standing(account.accountId)).toEqual({ balance, tasks: 1 });
    await host.audit();
  });
});

describe('changing the voice of an unusable file is rejected without charge, and the error names the field and the reason:', () => {
  const unreadable = /^audioUrl is not a readable MP3, WAV, M4A, Ogg, FLAC, WebM, Matroska, MP4 or MOV file$/;
  const tooLarge = /^audioUrl must be at most 25 MB$/;
  test.for<[string, RegExp]>([
    ['300.1.wav', /^audioUrl must be at most 300 seconds long$/],
    ['page.mp3', unreadable],
    ['heavy.wav', tooLarge],
    ['silent-film.mp4', /^audioUrl contains no audio$/],
    ['tone.aac', /^audioUrl must be an MP3, .* file, not ADTS$/],
  ])('%s', ([audio, message]) => expectRejection(audio, message));

  test('a recording on a host that cannot be reached', () =>
    expectRejection('tone.mp3', /^audioUrl could not be downloaded: the connection failed$/, {
      audioUrl: 'http://127.0.0.1:9/tone.mp3',
    }));
});

describe('where only fal.ai is configured, a voice change', () => {
  const withOnlyFal = async (check: () => Promise<void>) => {
    const { context } = host.service;
    const catalog = catalogWith(context.catalog, routesRow, (choices) => ({
      ...choices,
      'voice-change': { routes: choices['voice-change'].routes.filter((id) => id.startsWith('fal/')) },
    }));
    await host.withContext({ ...context, catalog }, check);
  };

  test('with a voiceId or a video, which fal.ai’s model does not support, is rejected before anything is charged', () =>
    withOnlyFal(async () => {
      await expectRejection('tone.mp3', /^voiceId is not supported$/, { voiceId: 'mine' });
      await expectRejection('film.mp4', /^audioUrl must be an MP3, WAV, M4A or Ogg file, not MP4$/);
      await expectRejection('tone.flac', /^audioUrl must be an MP3, WAV, M4A or Ogg file, not FLAC$/);
      const { status } = await post('tone.mp3', {}, { 'x-dry-run': 'true' });
      expect(status).toBe(200);
    }));
});
