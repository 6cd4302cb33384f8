/** Videos that differ from the one that was measured and paid for, sent by the customer’s server or by the engine. */
import { afterAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { failureMessage } from '../../shared/contracts/errors.ts';
import { type ImageResponse, imageHost } from '../support/image-host.ts';
import { type TestAccount, testService } from '../support/test-service.ts';
import { tinyPng } from '../support/tiny-image.ts';
import { tinyMp4 } from '../support/tiny-video.ts';

const balance = 100;
const portrait = { width: 720, height: 1280 };
const [measured, shorter, longer] = await Promise.all([3.2, 3, 30].map((seconds) => tinyMp4(seconds, portrait)));
/** It has two indexes, which contradict each other. */
const contradictory = Buffer.concat([measured, longer].map((video) => video ?? Buffer.alloc(0)));

let account: TestAccount;

const [host, images] = await Promise.all([
  testService(),
  imageHost({
    'face.png': (response) => response.end(tinyPng(450, 800, { width: 1, height: 1 })),
    'dance.mp4': (response) => response.end(measured),
  }),
]);
afterAll(() => Promise.all([host.close(), images.close()]));
beforeEach(async () => {
  host.engine.play({});
  account = await host.account({ credits: balance });
});

async function failedTask(motionVideo: string) {
  const response = await host.call('imitateVideo', {
    token: account.token,
    body: { characterImage: images.url('face.png'), motionVideo },
  });
  expect(response.status, response.text).toBe(202);
  const { taskId } = response.body.data as { taskId: string };
  const find = () => host.service.context.tasks.find(taskId);
  await expect.poll(async () => (await find())?.status).toBe('failed');
  expect(await host.standing(account.accountId)).toEqual({ balance, tasks: 1 });
  return find();
}

/** Checks that the engine received nothing and the account was refunded. */
async function expectRefund(handler: ImageResponse, detail: string) {
  const swapping = await imageHost({ 'dance.mp4': handler });
  onTestFinished(() => swapping.close());
  const task = await failedTask(swapping.url('dance.mp4'));
  expect(task).toMatchObject({
    errorCode: 'INPUT_INVALID',
    errorMessage: failureMessage('INPUT_INVALID', detail),
  });
  expect(host.engine.jobs.has(task?.taskId ?? '')).toBe(false);
}

const isNow = (seconds: number) => `motionVideo is now ${seconds} seconds long; it was 3.2 when the task was created`;

test.for([
  ['longer', 'counts', longer, isNow(30)],
  ['contradictory', 'counts', contradictory, 'motionVideo has two indexes'],
  ['shorter', 'does not count', shorter, isNow(3)],
] as const)(
  'a %s video served instead of the measured one fails the task, which %s as too long',
  async ([, counts, other, detail]) => {
    let requests = 0;
    await expectRefund((response) => {
      requests += 1;
      response.end(requests === 1 ? measured : other);
    }, detail);
    const { latestLongResultAt } = (await host.service.context.accounts.find(account.accountId)) ?? {};
    expect(latestLongResultAt !== undefined).toBe(counts === 'counts');
  },
);

test('a different video that the server sends for requests without a range fails the task', async () => {
  await expectRefund((response, { headers }) => response.end(headers.range ? measured : longer), isNow(30));
});

test('a truncated video that the server sends after the video was measured fails the task', async () => {
  const cut = measured?.subarray(0, -1);
  await expectRefund(
    (response, { headers }) => response.end(headers.range ? measured : cut),
    'motionVideo is truncated',
  );
});

test('a result whose duration differs from the one paid for fails the task with PROVIDER_ERROR and a refund', async () => {
  host.engine.play({
    submit: (job) => ({ status: 202, body: host.engine.done({ ...job, input: { ...job.input, durationSec: 2.6 } }) }),
  });
  expect(await failedTask(images.url('dance.mp4'))).toMatchObject({ errorCode: 'PROVIDER_ERROR' });
});
