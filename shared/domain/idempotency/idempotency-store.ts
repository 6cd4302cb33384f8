/** Stores responses by idempotency key, in the same transaction as the effects that they report. */
import * as z from 'zod';
import { once } from '../../contracts/once.ts';
import type { Action, Item, Key, Table } from '../../platform/dynamo-table.ts';
import { idempotencyKey } from '../keys.ts';
import { parseRow } from '../stored-row.ts';
import { type Idempotency, idempotencyDigest, idempotencyHours, type StoredResponse } from './idempotency.ts';

/** The account and operation that a key belongs to. */
export interface IdempotencyScope {
  readonly accountId: string;
  readonly operationId: string;
  readonly key: string;
}

/** The scope of a request's key. */
export const scopeOf = (
  accountId: string,
  operationId: string,
  { key, sentTo = operationId }: Pick<Idempotency, 'key' | 'sentTo'>,
): IdempotencyScope => ({ accountId, operationId: sentTo, key });

export interface IdempotencyStore {
  find(scope: IdempotencyScope, now: number): Promise<StoredResponse | undefined>;
}

export const itemKeyOf = ({ accountId, operationId, key }: IdempotencyScope): Key =>
  idempotencyKey(accountId, operationId, idempotencyDigest(key));

/** Readers compare `validUntil`, because DynamoDB removes expired items late, often by days. */
export const expiryFrom = (now: number) => ({
  validUntil: now + idempotencyHours * 3_600_000,
  expiresAt: Math.ceil(now / 1000) + idempotencyHours * 3600,
});

/** Stores a response, unless the key has another valid one; the failure then contains that response. */
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
      // An item without a body is a claim, whose request is still in progress.
      const isStored = item?.body !== undefined && Number(item.validUntil) > now;
      return isStored ? toStoredResponse(item) : undefined;
    },
  };
}
