/** When a request is answered with an earlier answer, over the real table. */
import { Logger } from '@aws-lambda-powertools/logger';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { registry } from '../../shared/contracts/registry.ts';
import type { StoredResponse } from '../../shared/domain/idempotency/idempotency.ts';
import { storeResponse } from '../../shared/domain/idempotency/idempotency-store.ts';
import { type Stores, stores } from '../../shared/domain/stores.ts';
import type { Workflow } from '../../shared/platform/workflow.ts';
import type { Exchange } from '../../shared/runtime/exchange.ts';
import { replayStored } from '../../shared/runtime/replay-stored.ts';
import { type TestTable, testIds, testTable, testTime } from '../support/test-table.ts';

let host: TestTable;
let store: Stores;
let accountId: string;
let started: unknown[];
let now: number;

beforeAll(async () => {
  host = await testTable();
});
afterAll(() => host.close());
beforeEach(() => {
  now = testTime;
  started = [];
  store = stores(host.table, { now: () => now });
  accountId = testIds.next();
});

const dayMs = 24 * 3_600_000;
const taskId = 'task';
const answer: StoredResponse = { fingerprint: 'print', status: 202, body: '{"success":true}' };

const keep = (response: StoredResponse, operationId = 'generateVoice') =>
  host.table.transact([storeResponse({ accountId, operationId, key: 'order-1' }, response, testTime)]);

const workflow: Workflow = {
  start: async (...given) => {
    started.push(given);
    return 'running';
  },
  succeed: async () => true,
  fail: async () => true,
};

const request = { params: {}, query: {}, headers: {}, body: {}, idempotency: { key: 'order-1', fingerprint: 'print' } };

/** An authenticated and parsed request to generate a voice, with the key under which an answer may be kept. */
const anExchange = (given: Partial<Exchange> = {}): Exchange => {
  const context = { ...store, clock: { now: () => now }, logger: new Logger(), workflow };
  return {
    contract: registry.generateVoice,
    context: context as unknown as Exchange['context'],
    event: {} as Exchange['event'],
    requestId: 'request',
    startedAt: now,
    responseHeaders: {},
    caller: { accountId, tokenId: 'token', scopes: [] },
    request,
    ...given,
  };
};

const outcome = (exchange: Exchange): Promise<unknown> =>
  replayStored(exchange).then(
    () => 'goes on',
    (error: unknown) => error,
  );

describe('a repeated request', () => {
  test('ends with the answer that its key stands for', async () => {
    await keep(answer);
    expect(await outcome(anExchange())).toMatchObject({ name: 'Replay', response: answer });
    expect(started).toEqual([]);
  });

  test('starts again what the answer promised, because the first caller may not have come to it', async () => {
    await keep({ ...answer, taskId });
    const end = await outcome(anExchange());
    expect(end).toMatchObject({ name: 'Replay', response: { ...answer, taskId } });
    expect(started).toEqual([['task', { taskId }]]);
  });

  test('is answered also where nothing can be started', async () => {
    await keep({ ...answer, taskId });
    const { workflow: _none, ...context } = anExchange().context;
    expect(await outcome(anExchange({ context }))).toMatchObject({ name: 'Replay' });
    const failing = { ...workflow, start: () => Promise.reject(new Error('no answer')) };
    expect(await outcome(anExchange({ context: { ...context, workflow: failing } }))).toMatchObject({ name: 'Replay' });
  });

  test('goes on like a new one when the answer no longer stands', async () => {
    await keep(answer);
    now = testTime + dayMs - 1;
    expect(await outcome(anExchange())).toMatchObject({ name: 'Replay' });
    now = testTime + dayMs;
    expect(await outcome(anExchange())).toBe('goes on');
  });
});

describe('a request goes on, whatever is kept,', () => {
  beforeEach(() => keep({ ...answer, taskId }));

  const { idempotency: _none, ...keyless } = request;
  const dryRun = { ...request, headers: { 'x-dry-run': 'true' } };

  test.for<[string, () => Partial<Exchange>]>([
    ['without a key', () => ({ request: { ...keyless, idempotency: undefined } })],
    ['with another key', () => ({ request: { ...request, idempotency: { key: 'order-2', fingerprint: 'print' } } })],
    ['of another account', () => ({ caller: { accountId: testIds.next(), tokenId: 'token', scopes: [] } })],
    ['for another operation', () => ({ contract: registry.cancelTask })],
    ['as a dry run', () => ({ request: dryRun })],
  ])('%s', async ([, given]) => {
    expect(await outcome(anExchange(given()))).toBe('goes on');
    expect(started).toEqual([]);
  });

  test('that nobody is known to have made, or that is not read yet', async () => {
    const { caller: _nobody, ...anonymous } = anExchange();
    expect(await outcome(anonymous)).toBe('goes on');
    const { request: _unread, ...unread } = anExchange();
    expect(await outcome(unread)).toBe('goes on');
  });
});
