/** Engine faults: how long an account's requests are rejected. */
import { beforeEach, expect, test } from 'vitest';
import { failuresThatOpen, pauseAfter } from '../../shared/domain/generation/circuit.ts';
import { serviceInTests, type TestAccount } from '../support/test-service.ts';

let account: TestAccount;

const fails = () =>
  host.engine.play({ submit: () => ({ status: 422, body: { error: { code: 'PROVIDER_ERROR', message: 'no' } } }) });
const works = () => host.engine.play({ submit: (job) => ({ status: 202, body: host.engine.done(job) }) });

/** Advances the clock by more than an instance caches circuits. */
const refresh = () => host.clock.advance(5_000);

const host = await serviceInTests({ watchesEngines: true });
beforeEach(async () => {
  // Ends the pauses of circuits that earlier tests have opened.
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

test('the requests and dry runs of an account whose tasks keep failing are rejected with Retry-After and without charge', async () => {
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

test('an open circuit accepts requests after its pause; a failure then doubles the pause, and a success closes the circuit', async () => {
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
