/** Limits that concurrent requests must not exceed, with the real table. */
import { expect, test } from 'vitest';
import { serviceInTests, type TestResponse } from '../support/test-service.ts';

const host = await serviceInTests();

const body = { text: 'Uma frase.', voice: 'liam' };
const times = <Result>(count: number, make: (index: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));
const codes = (responses: readonly TestResponse[]) =>
  Object.groupBy(responses, ({ status, body: { error } }) => error?.code ?? String(status));

const stored = async (accountId: string) => {
  const { accounts, ledger, tasks } = host.service.context;
  const [account, rows, ids] = await Promise.all([
    accounts.find(accountId),
    ledger.list(accountId, { limit: 1000, offset: 0 }),
    tasks.ids(accountId, {}, { limit: 1000, offset: 0 }),
  ]);
  return { balance: account?.balance, open: account?.openTasks.length, rows, ids };
};

test('50 identical concurrent requests with one idempotency key create one task, one debit and 50 identical responses', async () => {
  const account = await host.account({ credits: 100 });
  const headers = { 'idempotency-key': 'the same' };
  const responses = await times(50, () => host.call('generateVoice', { token: account.token, body, headers }));
  expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
  expect(responses.every(({ status }) => status === 202)).toBe(true);
  const replayed = responses.filter((response) => response.headers['idempotent-replayed'] === 'true');
  expect(replayed).toHaveLength(49);
  const { balance, rows, ids } = await stored(account.accountId);
  expect(ids).toHaveLength(1);
  expect(balance).toBe(99);
  expect(rows.filter(({ reason }) => reason === 'generation')).toHaveLength(1);
});

test('the same idempotency key in two accounts creates an independent task in each', async () => {
  const [one, other] = await Promise.all([host.account(), host.account()]);
  const headers = { 'idempotency-key': 'common' };
  const ids = await Promise.all([one, other].map(({ token }) => host.speak(token, body, headers)));
  expect(new Set(ids).size).toBe(2);
});

test('50 concurrent requests of two tokens with a balance for 7 tasks create exactly 7 tasks', async () => {
  host.engine.play({ submit: (job) => ({ status: 202, body: host.engine.done(job) }) });
  const account = await host.account({ credits: 7 });
  const second = await host.token(account.accountId);
  const tokens = [account.token, second.token];
  const responses = await times(50, (index) => host.call('generateVoice', { token: tokens[index % 2] ?? '', body }));
  const outcome = codes(responses);
  expect(outcome['202']).toHaveLength(7);
  expect(outcome.INSUFFICIENT_CREDITS).toHaveLength(43);
  expect(await stored(account.accountId)).toMatchObject({ balance: 0, ids: { length: 7 } });
  await host.audit();
});

test('an account never has more than 20 open tasks, and a rejected request costs nothing', async () => {
  host.engine.play({});
  const account = await host.account({ credits: 1000 });
  const responses = await times(40, () => host.call('generateVoice', { token: account.token, body }));
  const outcome = codes(responses);
  expect(outcome['202']).toHaveLength(20);
  expect(outcome.MAX_CONCURRENT_TASKS).toHaveLength(20);
  for (const response of outcome.MAX_CONCURRENT_TASKS ?? []) {
    expect(Number(response.headers['retry-after'])).toBeGreaterThanOrEqual(1);
  }
  expect(await stored(account.accountId)).toMatchObject({ balance: 980, open: 20, ids: { length: 20 } });

  const [first = ''] = (await stored(account.accountId)).ids;
  expect((await host.call('cancelTask', { token: account.token, params: { taskId: first } })).status).toBe(200);
  await host.speak(account.token, body);
  expect((await host.call('generateVoice', { token: account.token, body })).body.error?.code).toBe(
    'MAX_CONCURRENT_TASKS',
  );
  await host.audit();
});

test('exactly 60 of 100 concurrent requests of one token are admitted, and the next one only after Retry-After', async () => {
  const account = await host.account();
  const responses = await times(100, () => host.call('getProfile', { token: account.token }));
  const outcome = codes(responses);
  expect(outcome['200']).toHaveLength(60);
  expect(outcome.RATE_LIMITED).toHaveLength(40);
  const rejection = outcome.RATE_LIMITED?.at(-1);
  expect(rejection?.headers.ratelimit).toMatch(/^"token";r=0;t=\d+$/);
  const again = () => host.call('getProfile', { token: account.token });
  expect((await again()).status).toBe(429);
  host.clock.advance(Number(rejection?.headers['retry-after']) * 1000);
  expect((await again()).status).toBe(200);
});

test('a replay succeeds even if the balance is used up and every slot is taken', async () => {
  host.engine.play({});
  const account = await host.account({ credits: 20 });
  const headers = { 'idempotency-key': 'kept' };
  const first = await host.call('generateVoice', { token: account.token, body, headers });
  await times(19, () => host.speak(account.token, body));
  const again = await host.call('generateVoice', { token: account.token, body, headers });
  expect(again.text).toBe(first.text);
  expect(again.headers['idempotent-replayed']).toBe('true');
  expect(await stored(account.accountId)).toMatchObject({ balance: 0, ids: { length: 20 } });
});
