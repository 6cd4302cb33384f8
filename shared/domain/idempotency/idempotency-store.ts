/** Stores the responses of idempotency keys, in the transaction that they report. */
import * as z from 'zod';
import { once } from '../../contracts/once.ts';
import type { Action, Item, Key, Table } from '../../platform/dynamo-table.ts';
import { idempotencyKey } from '../keys.ts';
import { parseRow } from '../stored-row.ts';
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

export const itemKeyOf = ({ accountId, operationId, key }: IdempotencyScope): Key =>
  idempotencyKey(accountId, operationId, idempotencyDigest(key));

/** The table removes expired items late, often by days, so readers compare `validUntil`. */
export const expiryFrom = (now: number) => ({
  validUntil: now + idempotencyHours * 3_600_000,
  expiresAt: Math.ceil(now / 1000) + idempotencyHours * 3600,
});

/** Stores a response unless the key has another one that is still valid; the failure then contains that one. */
export const storeResponse = (scope: IdempotencyScope, response: StoredResponse, now: number): Action => ({
  Put: {
    Item: { ...itemKeyOf(scope), ...response, ...expiryFrom(now) },
    ConditionExpression: 'attribute_not_exists(pk) OR validUntil <= :now',
    ExpressionAttributeValues: { ':now': now },
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  },
});

const ResponseRow = once(() =>
  z.object({
    fingerprint: z.string(),
    status: z.int(),
    body: z.string(),
    taskId: z.exactOptional(z.string()),
  } satisfies Record<keyof StoredResponse, z.ZodType>),
);

export const toStoredResponse = (item: Item): StoredResponse => parseRow('response', ResponseRow(), item);

export function idempotencyStore(table: Table): IdempotencyStore {
  return {
    async find(scope, now) {
      const item = await table.get(itemKeyOf(scope));
      // Without a body the key is claimed, and its first request still in progress.
      const isStored = item?.body !== undefined && Number(item.validUntil) > now;
      return isStored ? toStoredResponse(item) : undefined;
    },
  };
}
