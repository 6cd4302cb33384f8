/** The sequential round trips of each request, which take most of the time of a warm request. */

import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { type OperationId, registry } from '../../shared/contracts/registry.ts';
import { testAccountOf } from '../../shared/domain/test-account.ts';
import { tokenDigest, tokenText } from '../../shared/domain/tokens/token.ts';
import { tokenStore } from '../../shared/domain/tokens/token-store.ts';
import type { Call, TestAccount, TestResponse } from '../support/test-service.ts';
import { countedService } from '../support/trips.ts';

let account: TestAccount;
let taskId: string;

const body = { text: 'Uma frase curta.', voice: 'sarah' };
const staleAfterMs = 30_000;

const host = await countedService();
afterAll(() => host.close());
beforeEach(async () => {
  account = await host.account();
  taskId = await host.speak(account.token);
});

/** The rounds of trips of an operation called with a valid token. */
async function roundsOf(operationId: OperationId, call: Call, status: number): Promise<string[]> {
  let response: TestResponse | undefined;
  const rounds = await host.rounds(async () => {
    response = await host.call(operationId, { token: account.token, ...call });
  });
  expect(response?.status).toBe(status);
  return rounds;
}

const token = 'UpdateItem';

describe.each([
  { catalog: 'a fresh', ageMs: 0, isStale: false },
  { catalog: 'a stale', ageMs: staleAfterMs, isStale: true },
])('with $catalog catalog and circuits,', ({ ageMs, isStale }) => {
  /** Generations read the catalog and circuits. */
  const withBoth = (round: string) => (isStale ? [round, 'Query', 'Query'].toSorted().join(' + ') : round);

  beforeEach(async () => {
    await host.call('listPlans');
    host.clock.advance(ageMs);
  });

  test('generateVoice makes three network round trips: reading the token, one transaction and starting the workflow', async () => {
    const rounds = [withBoth(token), 'TransactWriteItems', 'StartExecution'];
    expect(await roundsOf('generateVoice', { body }, 202)).toEqual(rounds);
  });

  test('the monthly cap of a token adds no network round trip', async () => {
    await tokenStore(host.service.context.table).setCap(account.accountId, account.tokenId, 5);
    const rounds = [withBoth(token), 'TransactWriteItems', 'StartExecution'];
    expect(await roundsOf('generateVoice', { body }, 202)).toEqual(rounds);
  });

  test('a test token makes one more network round trip, which reads the retention of the account, and four more for the first debit of a day', async () => {
    const commit = 'TransactWriteItems';
    const retention = 'GetItem';
    const rounds = [retention, commit, 'StartExecution'];
    const { token: testToken } = await host.token(testAccountOf(account.accountId));
    const call = { token: testToken, body };
    expect(await roundsOf('generateVoice', call, 202)).toEqual([withBoth(token), ...rounds]);
    expect(await roundsOf('generateVoice', call, 202)).toEqual([token, ...rounds]);
    host.clock.advance(86_400_000);
    await host.call('listPlans');
    const [, ...daily] = await roundsOf('generateVoice', call, 202);
    expect(daily).toEqual([retention, commit, 'GetItem', commit, ...rounds]);
  });

  test('an idempotency key adds no network round trip, and a repeated request restarts the workflow', async () => {
    const call = { body, headers: { 'idempotency-key': 'once' } };
    const [commit, start] = ['TransactWriteItems', 'StartExecution'];
    expect(await roundsOf('generateVoice', call, 202)).toEqual([withBoth(token), commit, start]);
    expect(await roundsOf('generateVoice', call, 202)).toEqual([token, commit, start]);
  });
});

describe('a rejected request', () => {
  const authenticated = Object.values(registry).filter(({ scopes }) => scopes.length > 0);
  const reject = (operationId: OperationId, call: Call, status: number) => async () => {
    expect((await host.call(operationId, { params: { taskId }, ...call })).status).toBe(status);
  };
  const malformed = `${tokenText('0'.repeat(56)).slice(0, -1)}x`;

  test.each(authenticated)(
    'makes no network round trip if $operationId gets no token or a malformed one',
    async (contract) => {
      const { operationId } = contract;
      const sent = contract.method === 'POST' && 'body' in contract ? { body } : {};
      expect(await host.trips(reject(operationId, sent, 401))).toEqual([]);
      expect(await host.trips(reject(operationId, { ...sent, token: malformed }, 401))).toEqual([]);
    },
  );

  test('reads an outdated catalog and outdated circuits once, even if many malformed tokens arrive', async () => {
    await host.call('listPlans');
    host.clock.advance(staleAfterMs);
    const rejections = Array.from({ length: 10 }, reject('generateVoice', { body, token: malformed }, 401));
    const trips = await host.trips(() => Promise.all(rejections));
    expect(trips.map(({ operation }) => operation)).toEqual(['Query', 'Query']);
  });

  test('makes one network round trip if its token is unknown, revoked or over its limit', async () => {
    const tokens = tokenStore(host.service.context.table);
    const unknown = tokenText('0'.repeat(56));
    const revoked = await host.token(account.accountId);
    await tokens.revoke(account.accountId, revoked.tokenId, host.clock.now());
    const limited = await host.token(account.accountId);
    for (let count = 0; count < 60; count += 1) await tokens.admit(tokenDigest(limited.token), host.clock.now());
    expect(await host.trips(reject('getTask', { token: unknown }, 401))).toHaveLength(1);
    expect(await host.trips(reject('getTask', { token: revoked.token }, 401))).toHaveLength(1);
    expect(await host.trips(reject('getTask', { token: limited.token }, 429))).toHaveLength(1);
  });

  test('makes one network round trip if the scope is missing or the request is invalid', async () => {
    const reader = await host.token(account.accountId, ['read:tasks']);
    expect(await host.trips(reject('generateVoice', { body, token: reader.token }, 403))).toHaveLength(1);
    expect(await host.trips(reject('generateVoice', { body: {}, token: account.token }, 400))).toHaveLength(1);
    expect(await host.trips(reject('listTasks', { query: 'limit=0', token: account.token }, 400))).toHaveLength(1);
  });
});
