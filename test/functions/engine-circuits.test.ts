/** An engine that fails task after task, as its clients see it: refused for a while, tried by one, and back again. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { failuresThatOpen, pauseAfter } from '../../shared/domain/generation/circuit.ts';
import { type TestAccount, type TestService, testService } from '../support/test-service.ts';

let host: TestService;
let account: TestAccount;

const fails = () =>
  host.engine.play({ submit: () => ({ status: 422, body: { error: { code: 'PROVIDER_ERROR', message: 'no' } } }) });
const works = () => host.engine.play({ submit: (job) => ({ status: 202, body: host.engine.done(job) }) });
const keepsSilent = () => host.engine.play({});

beforeAll(async () => {
  host = await testService({ watchesEngines: true });
});
afterAll(() => host.close());
beforeEach(async () => {
  account = await host.account({ credits: 100 });
  // Whatever came of an earlier test: one task that is completed closes the circuit.
  works();
  host.clock.advance(600_000);
  await host.ended(account.token, await host.speak(account.token));
  host.clock.advance(5_000);
});

const text = { text: 'Uma frase.', voice: 'sarah' };
const ask = (token = account.token, headers = {}) => host.call('generateVoice', { token, body: text, headers });
const fail = async () => host.ended(account.token, await host.speak(account.token));

async function open(): Promise<void> {
  fails();
  for (let failures = 0; failures < failuresThatOpen; failures += 1) await fail();
  host.clock.advance(5_000);
}

const pause = () => host.clock.advance(pauseAfter(failuresThatOpen));

test('while it is left alone, requests and dry runs are refused with 503, and nothing is charged', async () => {
  await open();
  const before = await host.service.context.accounts.find(account.accountId);
  for (const headers of [{}, { 'x-dry-run': 'true' }]) {
    const answer = await ask(account.token, headers);
    expect([answer.status, answer.body.error?.code]).toEqual([503, 'PROVIDER_UNAVAILABLE']);
  }
  expect(await host.service.context.accounts.find(account.accountId)).toEqual(before);
});

test('of many requests at once when the pause is over one is let through, and its end lets all others through', async () => {
  await open();
  pause();
  keepsSilent();
  const answers = await Promise.all(Array.from({ length: 6 }, () => ask()));
  expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
    202, 503, 503, 503, 503, 503,
  ]);
  const [{ taskId } = { taskId: '' }] = answers.flatMap(({ status, body }) =>
    status === 202 ? [body.data as { taskId: string }] : [],
  );
  await host.engine.jobOf(taskId);
  await host.service.context.callbacks.holdOutcome(
    taskId,
    { status: 'failed', code: 'CONTENT_REJECTED' },
    host.clock.now(),
  );
  await host.ended(account.token, taskId);
  host.clock.advance(5_000);
  works();
  expect(await fail()).toMatchObject({ status: 'completed' });
});

test('somebody who can not pay does not keep others from trying', async () => {
  await open();
  pause();
  const { token } = await host.account({ credits: 0 });
  for (let tries = 0; tries < 3; tries += 1) expect((await ask(token)).status).toBe(402);
  works();
  expect(await fail()).toMatchObject({ status: 'completed' });
});

test('a task that was to show whether it works, and is canceled, lets another one show it', async () => {
  await open();
  pause();
  keepsSilent();
  const taskId = await host.speak(account.token);
  expect((await ask()).status).toBe(503);
  await host.call('cancelTask', { token: account.token, params: { taskId } });
  host.clock.advance(5_000);
  works();
  expect(await fail()).toMatchObject({ status: 'completed' });
});

test('inputs that could not be fetched say nothing of it: neither do they close its circuit nor open it', async () => {
  const upscale = (imageUrl: string, headers = {}) =>
    host.call('upscaleImage', { token: account.token, body: { imageUrl }, headers });
  const upscaled = async (imageUrl: string) => {
    const { body } = await upscale(imageUrl);
    return host.ended(account.token, (body.data as { taskId: string }).taskId);
  };
  const missing = () => upscaled('http://127.0.0.1:9/picture.png');
  for (let count = 0; count < 2 * failuresThatOpen; count += 1) {
    expect(await missing()).toMatchObject({ status: 'failed', error: { code: 'DOWNLOAD_FAILED' } });
  }
  fails();
  for (let failures = 1; failures < failuresThatOpen; failures += 1) {
    await upscaled(host.engine.pictureUrl);
    await missing();
  }
  expect((await upscale(host.engine.pictureUrl, { 'x-dry-run': 'true' })).status).toBe(200);
  await upscaled(host.engine.pictureUrl);
  host.clock.advance(5_000);
  expect((await upscale(host.engine.pictureUrl)).status).toBe(503);
  // What it makes of pictures says nothing of its speech.
  expect((await ask(account.token, { 'x-dry-run': 'true' })).status).toBe(200);
});
