/** `generateCortes` through the service with fakes of Vizard and YouTube, including all kinds of failures. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { JsonService } from '../../fakes/json-service.ts';
import { startVizardFake, type VizardBehavior, type VizardOutcome } from '../../fakes/vizard/vizard-fake.ts';
import { startYoutubeFake, type YoutubeFake } from '../../fakes/youtube/youtube-fake.ts';
import { failureMessage, type TaskErrorCode } from '../../shared/contracts/errors.ts';
import { systemClock } from '../../shared/platform/clock.ts';
import { settingVariables } from '../../shared/platform/settings.ts';
import { type TestAccount, type TestService, testService } from '../support/test-service.ts';

const key = 'secret-of-the-provider';
const behavior: VizardBehavior = { next: [], last: 'done', polls: 1 };
const durations: Record<string, string> = { aMinute____: 'PT1M', aTeaser____: 'PT59S' };
const balance = 100;
/** One minute and three clips. */
const cost = 17;

let vizard: JsonService;
let youtube: YoutubeFake;
let host: TestService;
let account: TestAccount;

beforeAll(async () => {
  const limits = { perMinute: 1000, perHour: 1000 };
  vizard = await startVizardFake({ key, behavior, clock: systemClock, clipSeconds: 1, limits });
  youtube = await startYoutubeFake({ key, durationOf: (id) => durations[id] });
  const environment = {
    [settingVariables.engines]: 'vizard',
    [settingVariables.vizardUrl]: vizard.url,
    [settingVariables.vizardKey]: key,
    [settingVariables.youtubeUrl]: youtube.url,
    [settingVariables.youtubeKey]: key,
  };
  host = await testService({ watchesEngines: true, environment });
});
afterAll(async () => {
  await host.close();
  await Promise.all([vizard.close(), youtube.close()]);
});
beforeEach(async () => {
  Object.assign(behavior, { next: [], last: 'done', polls: 1 });
  account = await host.account({ credits: balance, planId: 'pro' });
});

const post = (body: object = {}) =>
  host.call('generateCortes', { token: account.token, body: { videoUrl: 'https://youtu.be/aMinute____', ...body } });

test.for([
  [{ aspectRatio: '3:4' }, /^aspectRatio must be one of 9:16, 16:9, 1:1, 4:5$/],
  [{ videoUrl: 'https://youtu.be/aTeaser____' }, /^videoUrl must be at least 60 seconds long$/],
] as const)('with Vizard, %j is rejected before any debit because no route supports it', async ([body, message]) => {
  const response = await post(body);
  expect([response.status, response.body.error?.code]).toEqual([400, 'VALIDATION_ERROR']);
  expect(response.body.error?.message).toMatch(message);
  expect(await host.standing(account.accountId)).toEqual({ balance, tasks: 0 });
});

type Kind = [name: string, outcomes: readonly VizardOutcome[], code?: TaskErrorCode, message?: string];

/** How often an attempt that failed temporarily is made. */
const attempts = 5;
const repeated = (outcome: VizardOutcome): readonly VizardOutcome[] => Array.from({ length: attempts }, () => outcome);

test.for<Kind>([
  ['succeeds', ['done']],
  ['makes more clips than were requested', ['more']],
  ['limits the rate at first', ['rate-limit', 'rate-limit', 'done']],
  ['is unavailable for a moment', ['unavailable', 'done']],
  ['loses the project once', ['gone', 'done']],
  ['cannot download the video', ['late-not-downloadable'], 'DOWNLOAD_FAILED', 'videoUrl could not be downloaded'],
  ['finds the video damaged', ['broken-file'], 'INPUT_INVALID', 'videoUrl is damaged'],
  [
    'recognizes no language',
    ['late-unknown-language'],
    'INPUT_INVALID',
    'videoUrl has no speech in a language that is recognized',
  ],
  ['fails', ['late-operation-failed'], 'PROVIDER_ERROR'],
  ['makes fewer than three clips', ['too-few'], 'PROVIDER_ERROR'],
  ['makes clips of too few pixels', ['small'], 'PROVIDER_ERROR'],
  ['loses one of three files', ['no-file'], 'PROVIDER_ERROR'],
  ['is unavailable', repeated('unavailable'), 'PROVIDER_ERROR'],
  ['has no minutes left', repeated('no-minutes'), 'PROVIDER_ERROR'],
  ['loses every project', ['gone', 'gone', 'gone'], 'PROVIDER_ERROR'],
])('with Vizard, a provider that %s is charged only if the task completes', async ([, outcomes, code, message]) => {
  behavior.next = [...outcomes];
  const response = await post();
  expect(response.status, response.text).toBe(202);
  const task = await host.ended(account.token, (response.body.data as { taskId: string }).taskId);
  expect(task.error).toEqual(code && { code, message: failureMessage(code, message) });
  const creditsRefunded = code ? cost : 0;
  expect(task).toMatchObject({ status: code ? 'failed' : 'completed', creditsUsed: cost, creditsRefunded });
  const stored = await host.service.context.accounts.find(account.accountId);
  expect(stored).toMatchObject({ balance: balance - cost + creditsRefunded, openTasks: [] });
  expect(behavior.next).toEqual([]);
  if (!code) {
    expect(task.results).toHaveLength(3);
    expect(task.results?.[0]).toMatchObject({ contentType: 'video/mp4', width: 720, height: 1280 });
    expect(task.clips?.[0]).toMatchObject({ url: task.resultUrl, title: expect.any(String), score: 1, hook: null });
  }
  const { input: _input, ...shown } = task;
  expect(JSON.stringify(shown)).not.toMatch(/vizard|secret|viral/i);
});

test('the ledger is correct after all Vizard tasks', () => host.audit());
