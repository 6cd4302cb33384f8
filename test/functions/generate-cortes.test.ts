/** `generateCortes` at creation: its price, what is rejected before any debit, and what its engines receive. */
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { failureMessage } from '../../shared/contracts/errors.ts';
import { unusedCircuit } from '../../shared/domain/generation/circuit.ts';
import { accountKey } from '../../shared/domain/keys.ts';
import { type ImageResponse, imageHost } from '../support/image-host.ts';
import { type TestAccount, testService } from '../support/test-service.ts';
import { tinyMp4 } from '../support/tiny-video.ts';

let account: TestAccount;

const balance = 1000;

const video =
  (seconds: number): ImageResponse =>
  async (response) =>
    void response.end(await tinyMp4(seconds));

const lengths = [0.4, 1, 59.9, 60, 61, 699.9, 700, 900, 1800, 10_800, 10_800.2];
const whole = await tinyMp4(60);

const answers: Record<string, ImageResponse> = {
  ...Object.fromEntries(lengths.map((seconds) => [`${seconds}.mp4`, video(seconds)])),
  'page.mp4': (response) => void response.end('<!doctype html>'),
  'gone.mp4': (response) => void response.writeHead(404).end(),
  'truncated.mp4': (response) => void response.end(whole.subarray(0, -1)),
  'heavy.mp4': (response) => void response.writeHead(200, { 'content-length': 5 * 2 ** 30 + 1 }).end(),
};

const files = await imageHost(answers);
const host = await testService();
afterAll(() => Promise.all([host.close(), files.close()]));
beforeEach(async () => {
  host.engine.play({});
  account = await host.account({ credits: balance, planId: 'pro' });
});

type Sent = Readonly<Record<string, unknown>> & { readonly videoUrl?: string };

const post = ({ videoUrl = '60.mp4', ...body }: Sent = {}, headers: Record<string, string> = {}) => {
  const url = videoUrl.includes(':') ? videoUrl : files.url(videoUrl);
  return host.call('generateCortes', { token: account.token, body: { ...body, videoUrl: url }, headers });
};

async function expectRejection(body: Sent, status: number, code: string, message: RegExp) {
  const answer = await post(body);
  expect([answer.status, answer.body.error?.code]).toEqual([status, code]);
  expect(answer.body.error?.message).toMatch(message);
  expect(await host.standing(account.accountId)).toEqual({ balance, tasks: 0 });
}

const loseFeatures = (accountId: string) =>
  host.service.context.table.update({
    Key: accountKey(accountId),
    UpdateExpression: 'SET features = :none',
    ExpressionAttributeValues: { ':none': [] },
  });

const taskIdOf = ({ body }: Awaited<ReturnType<typeof post>>) => (body.data as { taskId: string }).taskId;

/** The engine responds immediately with the clips, modified by the test. */
const respondWith = (change: (outputs: readonly object[]) => readonly object[]) =>
  host.engine.play({
    submit: (job) => {
      const { outputs, ...report } = host.engine.done(job) as { outputs: object[] };
      return { status: 202, body: { ...report, outputs: change(outputs) } };
    },
  });

// Calculated by hand: 2 credits for each started minute, plus 5 for each clip; 3 clips for each 10 minutes, but at
// least 3 and at most 20.
test.for<[Sent, number, number]>([
  [{ videoUrl: '0.4.mp4' }, 15, 3],
  [{ videoUrl: '59.9.mp4' }, 17, 3],
  [{ videoUrl: '60.mp4' }, 17, 3],
  [{ videoUrl: '61.mp4' }, 19, 3],
  // Durations that result in 3.495 and 3.5 clips.
  [{ videoUrl: '699.9.mp4' }, 39, 3],
  [{ videoUrl: '700.mp4' }, 44, 4],
  [{ videoUrl: '10800.mp4' }, 460, 20],
  // The larger of the two counts, without fractions.
  [{ videoUrl: '60.mp4', durationSec: 61 }, 19, 3],
  [{ videoUrl: '60.mp4', durationSec: 10_800 }, 460, 20],
])(
  'clips with %j cost %i credits for %i clips, as the dry run, the response and the task all state',
  async ([body, cost, clipCount]) => {
    const dry = await post(body, { 'x-dry-run': 'true' });
    expect(dry.body.data).toEqual({ cost, balance, operation: 'generateCortes' });
    const answer = await post(body);
    expect(answer.status).toBe(202);
    expect(await host.standing(account.accountId)).toEqual({ balance: balance - cost, tasks: 1 });
    const taskId = taskIdOf(answer);
    expect(await host.task(account.token, taskId)).toMatchObject({ creditsUsed: cost, taskType: 'cortes' });
    expect((await host.engine.jobOf(taskId)).input).toMatchObject({ clipCount });
  },
);

test('the clips engine receives the original URL, ratio, duration and number of clips, and the task shows the request', async () => {
  const answer = await post({ videoUrl: '900.mp4', aspectRatio: '4:5', durationSec: 901.7 });
  const taskId = taskIdOf(answer);
  const sent = { videoUrl: files.url('900.mp4'), aspectRatio: '4:5', durationSec: 901.7 };
  expect((await host.engine.jobOf(taskId)).input).toEqual({ ...sent, seconds: 901, clipCount: 5 });
  expect((await host.task(account.token, taskId)).input).toEqual(sent);
});

test('a clips task shows its clips in the order of the results, with null for details that its engine omits', async () => {
  const said = [{ clip: { score: 0.75, startTime: 12.5, endTime: 32.5 } }, { clip: { title: 'Um gol' } }, {}];
  respondWith((outputs) => outputs.map((output, at) => ({ ...output, ...said[at] })));
  const task = await host.ended(account.token, taskIdOf(await post()));
  const unknown = { title: null, hook: null, score: null, startTime: null, endTime: null };
  const [one, two, three] = task.results ?? [];
  expect(task).toMatchObject({ status: 'completed', resultUrl: one?.url, progress: 100 });
  expect(task.clips).toEqual([
    { ...unknown, url: one?.url, score: 0.75, startTime: 12.5, endTime: 32.5 },
    { ...unknown, url: two?.url, title: 'Um gol' },
    { ...unknown, url: three?.url },
  ]);
  expect(task.results).toHaveLength(3);
  for (const result of task.results ?? []) {
    expect(result).toMatchObject({ contentType: 'video/mp4', width: 720, height: 1280, durationSec: 20 });
    expect(Object.keys(result)).not.toContain('clip');
  }
});

test('a clips task whose engine makes fewer than three clips fails and is refunded', async () => {
  respondWith((outputs) => outputs.slice(1));
  const task = await host.ended(account.token, taskIdOf(await post()));
  expect(task).toMatchObject({ status: 'failed', error: { code: 'PROVIDER_ERROR' }, creditsRefunded: 17 });
  expect(task.clips).toBeUndefined();
  expect(await host.standing(account.accountId)).toEqual({ balance, tasks: 1 });
});

test('a clips task whose video has become longer fails with a message that does not contain the engine’s text', async () => {
  const error = {
    code: 'INPUT_INVALID',
    message: 'text of the engine',
    problem: { field: 'videoUrl', reason: 'too-long' },
  };
  host.engine.play({
    submit: () => ({ status: 202, body: { reference: 'r', status: 'failed', progress: 0, error } }),
  });
  const task = await host.ended(account.token, taskIdOf(await post()));
  const message = failureMessage('INPUT_INVALID', 'videoUrl is longer than the duration that was charged for');
  expect(task).toMatchObject({ status: 'failed', error: { code: 'INPUT_INVALID', message }, creditsRefunded: 17 });
});

describe('before any debit, generateCortes rejects', () => {
  test.for<[Sent, number, string, RegExp]>([
    [{ videoUrl: '10800.2.mp4' }, 400, 'VALIDATION_ERROR', /^videoUrl must be at most 10800 seconds long$/],
    [{ videoUrl: 'page.mp4' }, 400, 'VALIDATION_ERROR', /^videoUrl is not a readable MP4, MOV, WebM or Matroska file$/],
    [{ videoUrl: 'heavy.mp4', durationSec: 60 }, 400, 'VALIDATION_ERROR', /^videoUrl must be at most 5120 MB$/],
    [{ videoUrl: 'truncated.mp4', durationSec: 60 }, 400, 'VALIDATION_ERROR', /^videoUrl is truncated$/],
    [{ videoUrl: 'gone.mp4', durationSec: 60 }, 502, 'DOWNLOAD_FAILED', /^videoUrl could not be downloaded/],
    [{ videoUrl: 'https://10.0.0.1/a.mp4' }, 400, 'VALIDATION_ERROR', /^videoUrl must be an https URL/],
    [{ videoUrl: 'https://youtu.be/dQw4w9WgXcQ' }, 502, 'DOWNLOAD_FAILED', /not configured .* YouTube/],
    [
      { videoUrl: 'https://www.youtube.com/@ana' },
      400,
      'VALIDATION_ERROR',
      /on YouTube, such as https:\S+watch\?v=\S+$/,
    ],
  ])('the request %j with %i %s', ([body, status, code, message]) => expectRejection(body, status, code, message));

  test('an account whose plan lacks clips, before any download and with an error that names the feature', async () => {
    const { accountId, token } = await host.account({ credits: 0, planId: 'starter' });
    const body = { videoUrl: files.url('gone.mp4') };
    for (const headers of [{}, { 'x-dry-run': 'true' }]) {
      const answer = await host.call('generateCortes', { token, body, headers });
      const message = "The account's plan does not include clips (cortes).";
      expect([answer.status, answer.body.error]).toEqual([403, { code: 'FORBIDDEN', message }]);
    }
    expect(await host.standing(accountId)).toEqual({ balance: 0, tasks: 0 });
  });

  test('an account that loses the feature while the request is being checked', async () => {
    const { context } = host.service;
    const find: typeof context.accounts.find = async (accountId) => {
      const found = await context.accounts.find(accountId);
      await loseFeatures(accountId);
      return found;
    };
    const losing = { ...context, accounts: { ...context.accounts, find } };
    const answer = await host.withContext(losing, () => post());
    expect([answer.status, answer.body.error?.code]).toEqual([403, 'FORBIDDEN']);
    expect(await host.standing(account.accountId)).toEqual({ balance, tasks: 0 });
  });

  test('a request while the operation is switched off, with FEATURE_DISABLED and Retry-After', async () => {
    const { catalog } = host.service.context;
    await catalog.switchOperation('generateCortes', false);
    host.clock.advance(30_000);
    const answer = await post();
    await catalog.switchOperation('generateCortes', true);
    host.clock.advance(30_000);
    expect([answer.status, answer.body.error?.code]).toEqual([503, 'FEATURE_DISABLED']);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1);
  });

  test('a request while its engine is down, with 502 GENERATION_FAILED', async () => {
    const { context } = host.service;
    const now = host.clock.now();
    const { accountId } = account;
    const down = { ...unusedCircuit, accounts: { [accountId]: { failures: 5, usedAt: now, openUntil: now + 30_000 } } };
    const circuits = { ...context.circuits, read: async () => new Map([['offline/cortes', down]]) };
    const answer = await host.withContext({ ...context, circuits }, () => post());
    expect([answer.status, answer.body.error?.code]).toEqual([502, 'GENERATION_FAILED']);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(await host.standing(account.accountId)).toEqual({ balance, tasks: 0 });
  });
});

test('a stored response for clips is replayed even if the account has lost the feature', async () => {
  const headers = { 'idempotency-key': 'before-the-loss' };
  const first = await post({}, headers);
  await loseFeatures(account.accountId);
  expect((await post({}, headers)).body.data).toEqual(first.body.data);
  expect((await post()).status).toBe(403);
});
