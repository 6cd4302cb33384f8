/** The stored responses of idempotency keys, on the real table. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { StoredResponse } from '../../../shared/domain/idempotency/idempotency.ts';
import {
  type IdempotencyScope,
  type IdempotencyStore,
  idempotencyStore,
  storeResponse,
  toStoredResponse,
} from '../../../shared/domain/idempotency/idempotency-store.ts';
import { TransactionCanceled } from '../../../shared/platform/dynamo-table.ts';
import { tableInTests, testIds, testTime } from '../../support/test-table.ts';

let idempotency: IdempotencyStore;
let scope: IdempotencyScope;

const host = await tableInTests();
beforeEach(() => {
  idempotency = idempotencyStore(host.table);
  scope = { accountId: testIds.next(), operationId: 'generateVoice', key: 'order-1' };
});

const dayMs = 24 * 3_600_000;
const taskId = 'task';
const aResponse = (body: string): StoredResponse => ({ fingerprint: `print of ${body}`, status: 202, body });

const store = (response: StoredResponse, at = testTime, where = scope) =>
  host.table.transact([storeResponse(where, response, at)]);

describe('a stored response of an idempotency key', () => {
  test('is found as it was stored, with its task if it has one', async () => {
    await store(aResponse('first'));
    expect(await idempotency.find(scope, testTime)).toStrictEqual(aResponse('first'));
    const promising = { ...scope, key: 'order-2' };
    await store({ ...aResponse('second'), taskId }, testTime, promising);
    expect(await idempotency.find(promising, testTime)).toStrictEqual({ ...aResponse('second'), taskId });
  });

  test('is found for exactly 24 hours', async () => {
    await store(aResponse('first'));
    expect(await idempotency.find(scope, testTime + dayMs - 1)).toBeDefined();
    expect(await idempotency.find(scope, testTime + dayMs)).toBeUndefined();
  });

  test('belongs to its account, operation and key only', async () => {
    await store(aResponse('first'));
    const others = [{ accountId: testIds.next() }, { operationId: 'generateImage' }, { key: 'order-2' }];
    for (const other of others) expect(await idempotency.find({ ...scope, ...other }, testTime)).toBeUndefined();
  });

  test('is not replaced before it expires, and is returned instead', async () => {
    await store({ ...aResponse('first'), taskId });
    const rejection: unknown = await store(aResponse('second'), testTime + dayMs - 1).catch((error: unknown) => error);
    expect(rejection).toBeInstanceOf(TransactionCanceled);
    const [failure] = (rejection as TransactionCanceled).failures;
    expect(toStoredResponse(failure?.item ?? {})).toStrictEqual({ ...aResponse('first'), taskId });
    expect(await idempotency.find(scope, testTime)).toStrictEqual({ ...aResponse('first'), taskId });
  });

  test('is replaced once it has expired, for another 24 hours', async () => {
    await store(aResponse('first'));
    await store(aResponse('second'), testTime + dayMs);
    expect(await idempotency.find(scope, testTime + 2 * dayMs - 1)).toStrictEqual(aResponse('second'));
  });
});

test('the table may delete a stored response from the first whole second after its expiry', () => {
  const expiresAt = (now: number): unknown => storeResponse(scope, aResponse('first'), now).Put?.Item?.expiresAt;
  expect(expiresAt(testTime)).toBe((testTime + dayMs) / 1000);
  expect(expiresAt(testTime + 1)).toBe((testTime + dayMs) / 1000 + 1);
});
