/** Where the answers that keys stand for are kept: written in the transaction of what they answer for. */
import type { Action, Item, Table } from '../../platform/dynamo-table.ts';
import { idempotencyKey } from '../keys.ts';
import { idempotencyDigest, idempotencyHours, type StoredResponse } from './idempotency.ts';

/** Whose key, for which operation. */
export interface IdempotencyScope {
  readonly accountId: string;
  readonly operationId: string;
  readonly key: string;
}

export interface IdempotencyStore {
  find(scope: IdempotencyScope, now: number): Promise<StoredResponse | undefined>;
}

const keyOf = ({ accountId, operationId, key }: IdempotencyScope) =>
  idempotencyKey(accountId, operationId, idempotencyDigest(key));

/** Keeps an answer, if the key does not stand for another that is still valid: that one comes with the refusal. */
export const storeResponse = (scope: IdempotencyScope, response: StoredResponse, now: number): Action => ({
  Put: {
    Item: {
      ...keyOf(scope),
      ...response,
      validUntil: now + idempotencyHours * 3_600_000,
      expiresAt: Math.ceil(now / 1000) + idempotencyHours * 3600,
    },
    ConditionExpression: 'attribute_not_exists(pk) OR validUntil <= :now',
    ExpressionAttributeValues: { ':now': now },
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  },
});

export const toStoredResponse = (item: Item): StoredResponse => ({
  fingerprint: String(item.fingerprint),
  status: Number(item.status),
  body: String(item.body),
  ...(item.taskId !== undefined && { taskId: item.taskId as string }),
});

export function idempotencyStore(table: Table): IdempotencyStore {
  return {
    async find(scope, now) {
      const item = await table.get(keyOf(scope));
      // The table removes expired items late, often by days.
      return item && Number(item.validUntil) > now ? toStoredResponse(item) : undefined;
    },
  };
}
