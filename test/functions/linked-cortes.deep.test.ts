/**
 * `generateCortes` for links, with fakes of Klap, which cuts the videos, and of YouTube, which returns their durations.
 */
import { afterAll, beforeEach, expect, test } from 'vitest';
import { startKlapFake } from '../../fakes/klap/klap-fake.ts';
import { startYoutubeFake } from '../../fakes/youtube/youtube-fake.ts';
import { settingVariables } from '../../shared/platform/settings.ts';
import { type TestAccount, testService } from '../support/test-service.ts';

const key = 'secret-of-the-provider';
const durations: Record<string, string> = { anInterview: 'PT15M51S' };
const balance = 1000;

let account: TestAccount;

const klap = await startKlapFake({ key, clipSeconds: 1 });
const youtube = await startYoutubeFake({ key, durationOf: (id) => durations[id] });
const environment = {
  [settingVariables.engines]: 'offline,klap',
  [settingVariables.klapUrl]: klap.url,
  [settingVariables.klapKey]: key,
  [settingVariables.youtubeUrl]: youtube.url,
  [settingVariables.youtubeKey]: key,
};
const host = await testService({ watchesEngines: true, environment });
afterAll(async () => {
  await host.close();
  await Promise.all([klap.close(), youtube.close()]);
});
beforeEach(async () => {
  account = await host.account({ credits: balance, planId: 'pro' });
});

const link = (id: string) => `https://youtu.be/${id}`;

const post = (body: object, headers: Record<string, string> = {}) =>
  host.call('generateCortes', { token: account.token, body, headers });

async function cut(body: object) {
  const response = await post(body);
  expect(response.status, response.text).toBe(202);
  return host.ended(account.token, (response.body.data as { taskId: string }).taskId);
}

test('with Klap, the video of a YouTube link is cut, and is priced by the duration that YouTube reports', async () => {
  const dry = await post({ videoUrl: link('anInterview'), durationSec: 9 }, { 'x-dry-run': 'true' });
  // The price of 16 started minutes and 5 clips.
  expect(dry.body.data).toEqual({ cost: 57, balance, operation: 'generateCortes' });
  const task = await cut({ videoUrl: link('anInterview'), aspectRatio: '1:1', durationSec: 9 });
  expect(task).toMatchObject({ status: 'completed', creditsUsed: 57, creditsRefunded: 0, progress: 100 });
  expect(task.clips).toHaveLength(5);
  expect(task.clips?.[0]).toEqual({
    url: task.resultUrl,
    title: expect.stringMatching(/^Corte \d$/),
    hook: null,
    score: 0.8,
    startTime: null,
    endTime: null,
  });
  expect(task.results?.[0]).toMatchObject({ contentType: 'video/mp4', width: 1080, height: 1080, durationSec: 1 });
  expect(klap.requests.findLast(({ path }) => path === '/tasks/video-to-shorts')?.body).toMatchObject({
    source_video_url: 'https://www.youtube.com/watch?v=anInterview',
    target_clip_count: 5,
  });
});

test('the ledger audit finds no drift after all clips tasks with YouTube links', () => host.audit());
