/** Engines that download videos themselves get a copy of the measured one, whatever its server sends them. */
import { afterAll, beforeEach, expect, test } from 'vitest';
import { type KlapBehavior, startKlapFake } from '../../fakes/klap/klap-fake.ts';
import { startVizardFake } from '../../fakes/vizard/vizard-fake.ts';
import { type LocalFunction, localFunctions } from '../../infra/local/functions.ts';
import type { LambdaHandler } from '../../infra/local/lambda-host.ts';
import { systemClock } from '../../shared/platform/clock.ts';
import { settingVariables } from '../../shared/platform/settings.ts';
import type { Definition } from '../../shared/runtime/context.ts';
import { type ImageResponse, imageHost } from '../support/image-host.ts';
import { type TestAccount, testService } from '../support/test-service.ts';
import { tinyMp4 } from '../support/tiny-video.ts';

const key = 'secret-of-the-provider';
const behavior: KlapBehavior = { next: [], last: 'done', polls: 1 };

/** The videos by their duration in seconds. */
const videos: ReadonlyMap<number, Buffer> = new Map([
  [60, await tinyMp4(60)],
  [90, await tinyMp4(90)],
]);
const videoOf = (seconds: number): Buffer => videos.get(seconds) ?? expect.fail('no such video');

let account: TestAccount;

/** The downloads that Klap has made, with their statuses and the durations of the videos. */
let downloads: { readonly url: string; readonly status: number; readonly seconds: number | undefined }[];
/** The number of requests for the customer's file since its task was created. */
let requests: number;
let onRequest: (request: number, response: Parameters<ImageResponse>[0]) => Promise<void>;

const send = (seconds: number, response: Parameters<ImageResponse>[0]) => void response.end(videoOf(seconds));

/** Serves a video of one minute while its task is created. */
async function serve(response: Parameters<ImageResponse>[0]): Promise<void> {
  if ((await host.standing(account.accountId)).tasks === 0) return send(60, response);
  requests += 1;
  return onRequest(requests, response);
}

async function download(url: string): Promise<void> {
  const response = await fetch(url);
  const bytes = Buffer.from(await response.arrayBuffer());
  downloads.push({ url, status: response.status, seconds: [...videos].find(([, video]) => video.equals(bytes))?.[0] });
}

/** The steps of the workflow between the creation of a task and its end. */
const steps = ['askEngine', 'planCopy', 'copyPart', 'completeCopy', 'finalize'] as const;

/** Whether the next call of each step crashes before or after the step's work. */
const deaths = new Map<string, 'before' | 'after'>();

const mortal = (name: (typeof steps)[number]): LocalFunction => {
  const { definition, timeoutSeconds } = localFunctions[name] ?? expect.fail(`there is no step ${name}`);
  const dying: Definition<LambdaHandler> = (context) => {
    const handler = definition(context) as LambdaHandler;
    return async (...invocation: Parameters<LambdaHandler>) => {
      const death = deaths.get(name);
      deaths.delete(name);
      if (death === 'before') throw new Error('died before');
      const result: unknown = await handler(...invocation);
      if (death === 'after') throw new Error('died after');
      return result;
    };
  };
  return { definition: dying, timeoutSeconds };
};

const klap = await startKlapFake({ key, behavior, clipSeconds: 1, download });
const limits = { perMinute: 1000, perHour: 1000 };
const done = { next: [], last: 'done', polls: 1 } as const;
const vizard = await startVizardFake({
  key,
  behavior: { ...done, next: [] },
  clock: systemClock,
  clipSeconds: 1,
  limits,
});
const files = await imageHost({ 'film.mp4': (response) => void serve(response) });
const environment = {
  [settingVariables.engines]: 'klap',
  [settingVariables.klapUrl]: klap.url,
  [settingVariables.klapKey]: key,
  [settingVariables.vizardUrl]: vizard.url,
  [settingVariables.vizardKey]: key,
};
const functions = { ...localFunctions, ...Object.fromEntries(steps.map((name) => [name, mortal(name)])) };
const host = await testService({ environment, functions });
afterAll(async () => {
  await host.close();
  await Promise.all([klap.close(), vizard.close(), files.close()]);
});
beforeEach(async () => {
  Object.assign(behavior, { next: [], last: 'done', polls: 1 });
  [downloads, requests] = [[], 0];
  onRequest = async (_request, response) => send(60, response);
  account = await host.account({ credits: 1000, planId: 'pro' });
});

async function cut() {
  const body = { videoUrl: files.url('film.mp4') };
  const response = await host.call('generateCortes', { token: account.token, body });
  expect(response.status, response.text).toBe(202);
  return host.ended(account.token, (response.body.data as { taskId: string }).taskId);
}

const allEnded = () =>
  expect
    .poll(() => host.service.stateMachines.executions().filter(({ status }) => status === 'RUNNING'), {
      timeout: 20_000,
    })
    .toEqual([]);

test('Klap gets the address of a copy of the video, which is deleted once the task has ended', async () => {
  expect(await cut()).toMatchObject({ status: 'completed' });
  expect(downloads).toMatchObject([{ status: 200, seconds: 60 }]);
  const url = downloads[0]?.url ?? '';
  expect(url).not.toContain(files.url(''));
  await allEnded();
  expect((await fetch(url)).status).toBe(404);
});

test('Vizard gets the address of a copy of the video', async () => {
  await host.withEnvironment({ [settingVariables.engines]: 'vizard' }, async () => {
    expect(await cut()).toMatchObject({ status: 'completed' });
  });
  const { body } = vizard.requests.find(({ method }) => method === 'POST') ?? {};
  expect(body).toMatchObject({ videoUrl: expect.stringContaining('/source.mp4?') });
});

// The two requests that a copy makes.
test.for([1, 2])(
  'a task fails because its video is too long, without a call to Klap, if the server sends a longer one from request %i on',
  async (from) => {
    onRequest = async (request, response) => send(request >= from ? 90 : 60, response);
    const task = await cut();
    expect(task).toMatchObject({ error: { code: 'INPUT_INVALID' }, creditsRefunded: task.creditsUsed });
    expect(task.error?.message).toMatch(/^videoUrl is 90 seconds long, and was 60 when the task was created/);
    expect(downloads).toEqual([]);
    const found = await host.service.context.accounts.find(account.accountId);
    expect(found).toMatchObject({ latestLongResultAt: expect.any(Number) });
  },
);

test('a video that can no longer be downloaded for copying fails its task with DOWNLOAD_FAILED, and Klap is not called', async () => {
  onRequest = async (_request, response) => void response.writeHead(404).end();
  const task = await cut();
  expect(task).toMatchObject({ error: { code: 'DOWNLOAD_FAILED' }, creditsRefunded: task.creditsUsed });
  expect(task.error?.message).toMatch(/^videoUrl could not be downloaded: the server responded with status 404/);
  expect(downloads).toEqual([]);
});

test('a video is copied once, even if Klap loses its task', async () => {
  behavior.next = ['gone', 'done'];
  expect(await cut()).toMatchObject({ status: 'completed' });
  expect(downloads).toMatchObject([{ seconds: 60 }, { seconds: 60 }]);
  // The copy makes two requests: one asks the server for ranges, and one copies.
  expect(requests).toBe(2);
});

test.for(steps.flatMap((name) => [[name, 'before'] as const, [name, 'after'] as const]))(
  'if the step %s crashes %s its work, the copy of the video is kept, and the video is submitted to Klap once',
  async ([name, when]) => {
    deaths.set(name, when);
    expect(await cut()).toMatchObject({ status: 'completed' });
    await allEnded();
    expect(deaths.size).toBe(0);
    expect(downloads).toMatchObject([{ status: 200, seconds: 60 }]);
    expect((await fetch(downloads[0]?.url ?? '')).status).toBe(404);
  },
);

test.for([1, 2])('a task that is canceled during request %i for its video is not sent to Klap', async (at) => {
  onRequest = async (request, response) => {
    if (request === at) {
      const [taskId = ''] = (await host.service.context.accounts.find(account.accountId))?.openTasks ?? [];
      const { status } = await host.call('cancelTask', { token: account.token, params: { taskId } });
      expect(status).toBe(200);
    }
    send(60, response);
  };
  const task = await cut();
  expect(task).toMatchObject({ error: { code: 'CANCELED' }, creditsRefunded: task.creditsUsed });
  await allEnded();
  expect(downloads).toEqual([]);
});

test('the ledger audit finds no drift after all tasks with copied videos', () => host.audit());
