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

test('requests and dry runs of an account whose tasks keep failing are rejected with Retry-After and without charge', async () => {
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

test('after its pause a circuit accepts one request; its failure doubles the pause, and its success closes the circuit', async () => {
  await failTasks(account);
  host.clock.advance(pauseAfter(failuresThatOpen));
  expect((await ask(account, { 'x-dry-run': 'true' })).status).toBe(200);
  const responses = await Promise.all([ask(account), ask(account), ask(account)]);
  expect(responses.map(({ status }) => String(status)).toSorted()).toEqual(['202', '503', '503']);
  for (const { status, body, headers } of responses) {
    if (status === 202) await host.ended(account.token, (body.data as { taskId: string }).taskId);
    else expect(Number(headers['retry-after'])).toBe(pauseAfter(failuresThatOpen) / 1000);
  }
  host.clock.advance(pauseAfter(failuresThatOpen));
  expect((await ask(account)).status).toBe(503);

  host.clock.advance(pauseAfter(failuresThatOpen + 1));
  works();
  expect(await make(account)).toMatchObject({ status: 'completed' });
  await failTasks(account, failuresThatOpen - 1);
  expect((await ask(account)).status).toBe(202);
});

test('repeats of the request that probes a half-open circuit get the same response and create no other task', async () => {
  await failTasks(account);
  host.clock.advance(pauseAfter(failuresThatOpen));
  const tasks = () => host.service.context.tasks.ids(account.accountId, {}, { limit: 20, offset: 0 });
  const before = await tasks();
  const key = { 'idempotency-key': 'probe' };
  const [first, second] = await Promise.all([ask(account, key), ask(account, key)]);
  await host.ended(account.token, (first.body.data as { taskId: string }).taskId);
  const whileOpen = await ask(account, key);
  host.clock.advance(pauseAfter(failuresThatOpen + 1));
  const responses = [first, second, whileOpen, await ask(account, key)];
  expect(new Set(responses.map(({ status, body }) => `${status} ${JSON.stringify(body.data)}`)).size).toBe(1);
  expect(first.status).toBe(202);
  expect(await tasks()).toHaveLength(before.length + 1);
});
