/**
 * `generateCortes` for links, with fakes of Klap, which cuts the videos, and of YouTube, which returns their durations.
 */
import { afterAll, beforeEach, expect, test } from 'vitest';
import { startKlapFake } from '../../fakes/klap/klap-fake.ts';
import { startYoutubeFake } from '../../fakes/youtube/youtube-fake.ts';
import { videoLookupsPerDay } from '../../shared/contracts/limits.ts';
import { barOn } from '../../shared/domain/accounts/charged-failures.ts';
import { updateAccount } from '../../shared/domain/accounts/update-account.ts';
import { countOnDay } from '../../shared/domain/count-on-day.ts';
import { dayCountsKey } from '../../shared/domain/keys.ts';
import { dayAt } from '../../shared/platform/clock.ts';
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

const lookups = () => youtube.requests.length;

test('an account that cannot pay for the cheapest clips task has no video looked up, not even by a dry run', async () => {
  // The price of one started minute and 3 clips.
  const poor = await host.account({ credits: 16, planId: 'pro' });
  const before = lookups();
  for (const headers of [{}, { 'x-dry-run': 'true' }]) {
    const body = { videoUrl: link('aDiscussion') };
    const response = await host.call('generateCortes', { token: poor.token, body, headers });
    expect([response.status, response.body.error]).toEqual([
      402,
      { code: 'INSUFFICIENT_CREDITS', message: 'The request costs at least 17 credits and the balance is 16.' },
    ]);
  }
  expect(lookups()).toBe(before);
});

test('an account that is barred from engines that charge has no video looked up for one, not even by a dry run', async () => {
  const bar = updateAccount(account.accountId, [barOn(host.clock.now())]);
  await host.service.context.table.transact([bar]);
  const before = lookups();
  for (const headers of [{}, { 'x-dry-run': 'true' }]) {
    const response = await post({ videoUrl: link('aDiscussion') }, headers);
    expect([response.status, response.body.error?.code]).toEqual([429, 'RATE_LIMITED']);
    expect(response.body.error?.message).toContain('although their engines charged for them');
  }
  expect(lookups()).toBe(before);
});

test('an account that had as many videos looked up as it may gets 429 until the day ends, also in a batch', async () => {
  const at = host.clock.now();
  const used = { name: 'lookups', by: videoLookupsPerDay, limit: videoLookupsPerDay, at };
  await host.service.context.table.update(countOnDay(dayCountsKey(account.accountId, dayAt(at)), used));
  const before = lookups();
  const body = { videoUrl: link('aDiscussion') };
  const response = await post(body, { 'x-dry-run': 'true' });
  expect([response.status, response.body.error?.code]).toEqual([429, 'RATE_LIMITED']);
  expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
  const items = [{ operation: 'generateCortes', body }];
  const batch = await host.call('generateBatch', { token: account.token, body: { items } });
  expect(batch.body.data).toMatchObject({ items: [{ status: 429, error: { code: 'RATE_LIMITED' } }] });
  expect(lookups()).toBe(before);
});

test('while YouTube answers no more requests of the day, a link is rejected with 502 that says so, without a charge', async () => {
  youtube.fail('quotaExceeded');
  const response = await post({ videoUrl: link('aDiscussion') });
  youtube.fail(undefined);
  expect([response.status, response.body.error]).toEqual([
    502,
    {
      code: 'DOWNLOAD_FAILED',
      message: expect.stringMatching(/YouTube answers no more requests of this service today; retry tomorrow/),
    },
  ]);
  expect((await host.service.context.accounts.find(account.accountId))?.balance).toBe(balance);
});

test('the ledger audit finds no drift after all clips tasks with YouTube links', () => host.audit());
