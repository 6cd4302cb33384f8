/** The monthly cap of a token, which its owner sets in the dashboard, and the requests that it rejects. */
import { beforeEach, expect, test } from 'vitest';
import type { DashboardOperationId } from '../../shared/contracts/dashboard.ts';
import type { Key, Table } from '../../shared/platform/dynamo-table.ts';
import { callAsPage, type GivenSession, giveSession, type PageCall } from '../support/given-session.ts';
import { stillClock } from '../support/stepped-clock.ts';
import { type Call, serviceInTests, type TestAccount } from '../support/test-service.ts';

let account: TestAccount;
let owner: GivenSession;

const host = await serviceInTests({ clock: stillClock(), hasIdentity: true });
beforeEach(async () => {
  account = await host.account({ credits: 50 });
  const user = host.service.identity?.users.fromProvider('Google', { email: 'ana@example.com', name: 'Ana' });
  const given = { kind: 'social', provider: 'Google', username: user?.username ?? '' } as const;
  owner = await giveSession(host.service.context, account.accountId, given);
});

const page = (operationId: DashboardOperationId, request: PageCall = {}) =>
  callAsPage(host.url, operationId, { cookie: owner.cookie, ...request });

const setCap = (monthlyCreditCap: unknown, tokenId = account.tokenId) =>
  page('setTokenCap', { params: { tokenId }, body: { monthlyCreditCap } });

/** A sentence that costs one credit to speak. */
const speak = (headers: Call['headers'] = {}) =>
  host.call('generateVoice', { token: account.token, body: { text: 'Uma frase.', voice: 'sarah' }, headers });

async function listed() {
  const { body } = await page('listTokens');
  const [first] = (body.data as { tokens: Record<string, unknown>[] }).tokens;
  return [first?.monthlyCreditCap, first?.creditsSpentThisMonth];
}

test('requests beyond the cap are rejected with 402 until a refund, a higher cap or its removal makes room', async () => {
  expect(await listed()).toEqual([null, null]);
  expect((await setCap(2)).body.data).toEqual({ tokenId: account.tokenId, monthlyCreditCap: 2 });
  const first = await speak({ 'idempotency-key': 'first' });
  const { taskId } = first.body.data as { taskId: string };
  expect((await speak()).status).toBe(202);
  expect(await listed()).toEqual([2, 2]);
  for (const headers of [{}, { 'x-dry-run': 'true' }, { 'idempotency-key': 'another' }]) {
    const { status, body } = await speak(headers);
    const message =
      'The request costs 1 credits, and the token has spent 2 of the 2 that it may spend this month (UTC).';
    expect([status, body.error]).toEqual([402, { code: 'INSUFFICIENT_CREDITS', message }]);
  }
  expect((await speak({ 'idempotency-key': 'first' })).text).toBe(first.text);
  await host.call('cancelTask', { token: account.token, params: { taskId } });
  expect(await listed()).toEqual([2, 1]);
  expect((await speak()).status).toBe(202);
  expect((await speak()).status).toBe(402);
  await setCap(3);
  expect((await speak()).status).toBe(202);
  expect((await speak()).status).toBe(402);
  expect((await setCap(null)).body.data).toMatchObject({ monthlyCreditCap: null });
  expect((await speak()).status).toBe(202);
  expect(await listed()).toEqual([null, null]);
});

test('the list of tokens reads the month’s spending of all capped tokens in one batch', async () => {
  const { context } = host.service;
  const others = await Promise.all([host.token(account.accountId), host.token(account.accountId)]);
  for (const { tokenId } of [account, ...others]) await setCap(2, tokenId);
  await speak();
  const batches: number[] = [];
  const isSpending = ({ pk }: Key) => pk.startsWith('SPENDING#');
  const table: Table = {
    ...context.table,
    get: (key) => (isSpending(key) ? Promise.reject(new Error('one row is read alone')) : context.table.get(key)),
    getMany: (keys) => {
      if (keys.some(isSpending)) batches.push(keys.length);
      return context.table.getMany(keys);
    },
  };
  const { body } = await host.withContext({ ...context, table }, () => page('listTokens'));
  const { tokens } = body.data as { tokens: { tokenId: string; creditsSpentThisMonth: number }[] };
  const spent = new Map(tokens.map((token) => [token.tokenId, token.creditsSpentThisMonth]));
  expect([account, ...others].map(({ tokenId }) => spent.get(tokenId))).toEqual([1, 0, 0]);
  expect(batches).toEqual([3]);
});

test('a cap limits only its own token', async () => {
  await setCap(1);
  await speak();
  const other = await host.token(account.accountId);
  await host.speak(other.token);
  await host.speak(other.token);
  expect((await speak()).status).toBe(402);
});

test('a cap must be a whole number of credits, and cannot be set for an unknown or revoked token or another account’s', async () => {
  for (const cap of [0, -1, 1.5, '5', undefined, 1e10]) expect((await setCap(cap)).status, String(cap)).toBe(400);
  const stranger = await host.account();
  expect((await setCap(5, stranger.tokenId)).status).toBe(404);
  expect((await setCap(5, host.service.context.ids.next())).status).toBe(404);
  await page('revokeToken', { params: { tokenId: account.tokenId } });
  expect((await setCap(5)).status).toBe(404);
});
