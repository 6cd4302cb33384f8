/** Engine faults: which accounts' requests are rejected and for how long, while others are accepted. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { failuresThatOpen, pauseAfter, quorum } from '../../shared/domain/generation/circuit.ts';
import { type TestAccount, type TestService, testService } from '../support/test-service.ts';

let host: TestService;
let account: TestAccount;

const fails = () =>
  host.engine.play({ submit: () => ({ status: 422, body: { error: { code: 'PROVIDER_ERROR', message: 'no' } } }) });
const works = () => host.engine.play({ submit: (job) => ({ status: 202, body: host.engine.done(job) }) });

/** Longer than an instance caches circuits. */
const refresh = () => host.clock.advance(5_000);

beforeAll(async () => {
  host = await testService({ watchesEngines: true });
});
afterAll(() => host.close());
beforeEach(async () => {
  // Ends the pauses of earlier tests.
  host.clock.advance(600_000);
  account = await host.account({ credits: 100 });
});

const text = { text: 'Uma frase.', voice: 'sarah' };
const ask = ({ token }: TestAccount, headers = {}) => host.call('generateVoice', { token, body: text, headers });
const make = async ({ token }: TestAccount) => host.ended(token, await host.speak(token));

async function failTasks(failing: TestAccount, count = failuresThatOpen): Promise<void> {
  fails();
  for (let failures = 0; failures < count; failures += 1) await make(failing);
  refresh();
}

test('an account whose tasks keep failing gets requests and dry runs rejected with Retry-After and without charge', async () => {
  await failTasks(account);
  const before = await host.service.context.accounts.find(account.accountId);
  for (const headers of [{}, { 'x-dry-run': 'true' }]) {
    const { status, body, headers: answered } = await ask(account, headers);
    expect([status, body.error?.code]).toEqual([503, 'PROVIDER_UNAVAILABLE']);
    const retryAfterSeconds = Number(answered['retry-after']);
    expect(retryAfterSeconds).toBeGreaterThan(0);
    expect(retryAfterSeconds).toBeLessThanOrEqual(pauseAfter(failuresThatOpen) / 1000);
  }
  expect(await host.service.context.accounts.find(account.accountId)).toEqual(before);
});

test('other accounts are not rejected while the tasks of one account fail', async () => {
  const attacker = account;
  const customer = await host.account({ credits: 100 });
  for (const [wave, failures] of [failuresThatOpen, 1, 1].entries()) {
    await failTasks(attacker, failures);
    expect((await ask(attacker)).status).toBe(503);
    works();
    expect(await make(customer)).toMatchObject({ status: 'completed' });
    host.clock.advance(pauseAfter(failuresThatOpen + wave));
  }
});

test('accounts that never failed are rejected once enough others are failing', async () => {
  const [second, third, newcomer] = await Promise.all([host.account(), host.account(), host.account()]);
  await failTasks(account);
  await failTasks(second);
  expect((await ask(newcomer, { 'x-dry-run': 'true' })).status).toBe(200);
  await failTasks(third);
  expect(quorum).toBe(3);
  expect((await ask(newcomer)).status).toBe(503);
});

test('the circuit accepts requests after its pause; a failure then doubles the pause, and a success closes it', async () => {
  await failTasks(account);
  host.clock.advance(pauseAfter(failuresThatOpen));
  const responses = await Promise.all([ask(account), ask(account), ask(account)]);
  expect(responses.map(({ status }) => status)).toEqual([202, 202, 202]);
  for (const { body } of responses) await host.ended(account.token, (body.data as { taskId: string }).taskId);
  host.clock.advance(pauseAfter(failuresThatOpen));
  expect((await ask(account)).status).toBe(503);

  host.clock.advance(pauseAfter(failuresThatOpen + 1));
  works();
  expect(await make(account)).toMatchObject({ status: 'completed' });
  await failTasks(account, failuresThatOpen - 1);
  expect((await ask(account)).status).toBe(202);
});

test('the circuit counts neither inputs that cannot be downloaded nor failures of another operation', async () => {
  const upscale = (imageUrl: string, headers = {}) =>
    host.call('upscaleImage', { token: account.token, body: { imageUrl }, headers });
  const upscaled = async (imageUrl: string) => {
    const { body } = await upscale(imageUrl);
    return host.ended(account.token, (body.data as { taskId: string }).taskId);
  };
  const missing = () => upscaled('http://127.0.0.1:9/image.png');
  for (let count = 0; count < 2 * failuresThatOpen; count += 1) {
    expect(await missing()).toMatchObject({ status: 'failed', error: { code: 'DOWNLOAD_FAILED' } });
  }
  fails();
  for (let failures = 1; failures < failuresThatOpen; failures += 1) {
    await upscaled(host.engine.imageUrl);
    await missing();
  }
  expect((await upscale(host.engine.imageUrl, { 'x-dry-run': 'true' })).status).toBe(200);
  await upscaled(host.engine.imageUrl);
  refresh();
  expect((await upscale(host.engine.imageUrl)).status).toBe(503);
  expect((await ask(account, { 'x-dry-run': 'true' })).status).toBe(200);
});
