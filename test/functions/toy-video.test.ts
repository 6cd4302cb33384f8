/** Features of generation contracts that the product's operations do not use, in a test-only operation. */
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { unusedCircuit } from '../../shared/domain/generation/circuit.ts';
import { accountKey } from '../../shared/domain/keys.ts';
import { type ImageHost, type ImageResponse, imageHost } from '../support/image-host.ts';
import { type TestAccount, type TestService, testService } from '../support/test-service.ts';
import { tinyWav } from '../support/tiny-sound.ts';
import { tinyMp4 } from '../support/tiny-video.ts';
import { creditsPerSecond, toyVideo, toyVideoContract } from '../support/toy-video.ts';

let host: TestService;
let files: ImageHost;
let account: TestAccount;

const [shorter, short, long, tooLong] = await Promise.all([3, 3.2, 30, 61].map((seconds) => tinyMp4(seconds)));

beforeAll(async () => {
  [host, files] = await Promise.all([
    testService({ additional: toyVideo }),
    imageHost({
      'toy.mp4': (response) => response.end(short),
      'tune.wav': (response) => response.end(tinyWav(2)),
      'long.wav': (response) => response.end(tinyWav(31)),
      'empty.wav': (response) => response.end(tinyWav(0)),
      'cut.mp4': (response) => response.end(short?.subarray(0, -1)),
      'page.mp4': (response) => response.end('<!doctype html>'),
      'long.mp4': (response) => response.end(tooLong),
      'missing.mp4': (response) => response.writeHead(404).end(),
    }),
  ]);
});
afterAll(() => Promise.all([host.close(), files.close()]));
beforeEach(async () => {
  host.engine.play({});
  account = await host.account({ credits: 100, planId: 'pro' });
});

interface Sent {
  readonly token?: string;
  readonly headers?: Record<string, string>;
  readonly body?: object;
}

async function post({ token = account.token, headers = {}, body = {} }: Sent = {}) {
  const response = await fetch(`${host.url}${toyVideoContract.path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ videoUrl: files.url('toy.mp4'), ...body }),
  });
  const { data, error } = (await response.json()) as {
    data?: Record<string, unknown>;
    error?: { code: string; message: string };
  };
  return { status: response.status, headers: response.headers, data, error };
}

const standing = async (accountId: string) => {
  const { accounts, tasks } = host.service.context;
  const [found, ids] = await Promise.all([
    accounts.find(accountId),
    tasks.ids(accountId, {}, { limit: 10, offset: 0 }),
  ]);
  return { balance: found?.balance, tasks: ids.length };
};

/** The engine is given nothing, and the account has its credits back. */
async function expectFailure(taskId: string, errorDetail: string) {
  const { tasks } = host.service.context;
  await expect.poll(async () => (await tasks.find(taskId))?.status, { timeout: 20_000 }).toBe('failed');
  expect(await tasks.find(taskId)).toMatchObject({ errorCode: 'INPUT_INVALID', errorDetail });
  expect(host.engine.jobs.has(taskId)).toBe(false);
  expect(await standing(account.accountId)).toEqual({ balance: 100, tasks: 1 });
}

test('is priced by the inspected seconds, and the 202 contains the additional id', async () => {
  const cost = 4 * creditsPerSecond;
  expect((await post({ headers: { 'x-dry-run': 'true' } })).data).toMatchObject({ cost });
  const { status, data } = await post();
  expect(status).toBe(202);
  expect(data).toEqual({
    taskId: expect.any(String),
    status: 'queued',
    variationGroup: expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
  expect(await standing(account.accountId)).toEqual({ balance: 100 - cost, tasks: 1 });
  const job = await host.engine.jobOf(String(data?.taskId));
  expect(job.input).toMatchObject({ durationSec: 3.2 });
  const staged = await fetch(String(job.input.videoUrl));
  expect(staged.headers.get('content-type')).toBe('video/mp4');
  expect(Buffer.from(await staged.arrayBuffer())).toEqual(short);
});

test('a repeated request returns the same additional id', async () => {
  const headers = { 'idempotency-key': 'toy-1' };
  const first = await post({ headers });
  const again = await post({ headers });
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect(again.data).toEqual(first.data);
});

test('its task passes through submitted, has its own time limit and ends with the requested number of results', async () => {
  const { data } = await post({ body: { copies: 2 } });
  const taskId = String(data?.taskId);
  const { tasks } = host.service.context;
  const job = await host.engine.jobOf(taskId);
  await expect.poll(async () => (await tasks.find(taskId))?.status, { timeout: 120_000 }).toBe('submitted');
  const task = await tasks.find(taskId);
  expect(task && task.deadlineAt - task.createdAt).toBe(1800 * 1000);
  await host.engine.callBack(job, host.engine.report(job, 'running', { progress: 10 }));
  expect((await tasks.find(taskId))?.status).toBe('processing');
  await host.engine.callBack(job, host.engine.done(job));
  await expect.poll(async () => (await tasks.find(taskId))?.status, { timeout: 120_000 }).toBe('completed');
  const video = { contentType: 'video/mp4', width: 64, height: 48, durationSec: 3.2 };
  expect((await tasks.find(taskId))?.results).toMatchObject([video, video]);
});

test('a video of another duration than was paid for fails the task with PROVIDER_ERROR, and is refunded', async () => {
  host.engine.play({
    submit: (job) => ({ status: 202, body: host.engine.done({ ...job, input: { ...job.input, durationSec: 2.6 } }) }),
  });
  const { data } = await post();
  const ended = () => host.service.context.tasks.find(String(data?.taskId));
  await expect.poll(async () => (await ended())?.status, { timeout: 120_000 }).toBe('failed');
  expect(await ended()).toMatchObject({ errorCode: 'PROVIDER_ERROR' });
  expect(await standing(account.accountId)).toEqual({ balance: 100, tasks: 1 });
});

test('an account whose plan lacks the feature is rejected with the feature’s name before any input is downloaded', async () => {
  const starter = await host.account({ credits: 0, planId: 'starter' });
  const body = { videoUrl: files.url('missing.mp4') };
  for (const headers of [{}, { 'x-dry-run': 'true' }]) {
    const { status, error } = await post({ token: starter.token, headers, body });
    expect([status, error?.code]).toEqual([403, 'FORBIDDEN']);
    expect(error?.message).toBe("The account's plan does not include the Studio (studio).");
  }
  expect(await standing(starter.accountId)).toEqual({ balance: 0, tasks: 0 });
});

test('the transaction also rejects a feature that is lost while the request is being checked', async () => {
  const { context } = host.service;
  const { accountId, token } = account;
  const find: typeof context.accounts.find = async (id) => {
    const found = await context.accounts.find(id);
    await context.table.update({
      Key: accountKey(id),
      UpdateExpression: 'SET features = :none, balance = :zero',
      ExpressionAttributeValues: { ':none': [], ':zero': 0 },
    });
    return found;
  };
  const { status, error } = await host.withContext({ ...context, accounts: { ...context.accounts, find } }, () =>
    post({ token }),
  );
  expect([status, error?.code]).toEqual([403, 'FORBIDDEN']);
  expect(await standing(accountId)).toEqual({ balance: 0, tasks: 0 });
});

test('a stored response is replayed even if the feature was lost', async () => {
  const headers = { 'idempotency-key': 'toy-2' };
  const first = await post({ headers });
  await host.service.context.table.update({
    Key: accountKey(account.accountId),
    UpdateExpression: 'SET features = :none',
    ExpressionAttributeValues: { ':none': [] },
  });
  expect((await post({ headers })).data).toEqual(first.data);
  expect((await post()).status).toBe(403);
});

test('responds with FEATURE_DISABLED and Retry-After while it is switched off', async () => {
  const { catalog } = host.service.context;
  await catalog.switchOperation('generateToyVideo', false);
  host.clock.advance(30_000);
  const { status, headers, error } = await post();
  await catalog.switchOperation('generateToyVideo', true);
  host.clock.advance(30_000);
  expect([status, error?.code]).toEqual([503, 'FEATURE_DISABLED']);
  expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
});

test.for<[string, string]>([
  ['missing.mp4', 'videoUrl could not be downloaded: the server responded with status 404'],
  ['page.mp4', 'videoUrl is not a readable MP4 file'],
  ['long.mp4', 'videoUrl must be at most 60 seconds long'],
  ['cut.mp4', 'videoUrl is truncated'],
])('an input that cannot be inspected is rejected and costs nothing: %s', async ([path, message]) => {
  const { status, error } = await post({ body: { videoUrl: files.url(path) } });
  expect([status, error]).toEqual([400, { code: 'VALIDATION_ERROR', message }]);
  expect(await standing(account.accountId)).toEqual({ balance: 100, tasks: 0 });
});

test('a second file of another kind is staged with its own type', async () => {
  const { data } = await post({ body: { soundtrackUrl: files.url('tune.wav') } });
  const { input } = await host.engine.jobOf(String(data?.taskId));
  const staged = await fetch(String(input.soundtrackUrl));
  expect(staged.headers.get('content-type')).toBe('audio/wav');
  expect(Buffer.from(await staged.arrayBuffer())).toEqual(tinyWav(2));
});

test.for<[string, string]>([
  ['long.wav', 'soundtrackUrl must be at most 30 seconds long'],
  ['empty.wav', 'soundtrackUrl has no duration'],
  ['toy.mp4', 'soundtrackUrl contains no audio'],
])('a file that was not inspected and is outside its limits ends the task: %s', async ([path, errorDetail]) => {
  const { data } = await post({ body: { soundtrackUrl: files.url(path) } });
  await expectFailure(String(data?.taskId), errorDetail);
});

describe('a server that sends another video than the one that was paid for', () => {
  const isLonger = 'videoUrl is now 30 seconds long; it was 3.2 when the task was created';

  async function expectRefund(handler: ImageResponse, detail = isLonger) {
    const swapping = await imageHost({ 'toy.mp4': handler });
    onTestFinished(() => swapping.close());
    const { data } = await post({ body: { videoUrl: swapping.url('toy.mp4') } });
    await expectFailure(String(data?.taskId), detail);
  }

  test.for([
    ['longer', () => long, isLonger],
    ['shorter', () => shorter, 'videoUrl is now 3 seconds long; it was 3.2 when the task was created'],
  ] as const)('after the task was created fails the task: a %s one', async ([, other, detail]) => {
    let requests = 0;
    await expectRefund((response) => {
      requests += 1;
      response.end(requests === 1 ? short : other());
    }, detail);
  });

  test('to requests without a range fails the task', async () => {
    await expectRefund((response, { headers }) => response.end(headers.range ? short : long));
  });

  test('that is truncated fails the task', async () => {
    const cut = short?.subarray(0, -1);
    await expectRefund((response, { headers }) => response.end(headers.range ? short : cut), 'videoUrl is truncated');
  });
});

test('responds with GENERATION_FAILED, the code that its contract declares, while its engine is down', async () => {
  const { context } = host.service;
  const now = host.clock.now();
  const down = {
    ...unusedCircuit,
    accounts: { [account.accountId]: { failures: 5, usedAt: now, openUntil: now + 30_000 } },
  };
  const circuits = { ...context.circuits, read: async () => new Map([['offline/toy-video', down]]) };
  const { status, headers, error } = await host.withContext({ ...context, circuits }, () => post());
  expect([status, error?.code]).toEqual([502, 'GENERATION_FAILED']);
  expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  expect(await standing(account.accountId)).toEqual({ balance: 100, tasks: 0 });
});
