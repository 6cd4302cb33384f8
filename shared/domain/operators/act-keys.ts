/** The idempotency keys of acts: an act that is sent again with its key is not performed again. */
import * as z from 'zod';
import { once } from '../../contracts/once.ts';
import { type Action, ConditionFailed, type Table, TransactionCanceled } from '../../platform/dynamo-table.ts';
import { fingerprintOf, idempotencyHours } from '../idempotency/idempotency.ts';
import { expiryAttribute } from '../keys.ts';
import { actKeyKey } from '../operator-keys.ts';
import { Rejection } from '../rejection.ts';
import { parseRow } from '../stored-row.ts';
import type { Operator } from './operator.ts';

interface Keyed {
  readonly operator: Operator;
  readonly reason: string;
  readonly input: unknown;
  readonly key?: string | undefined;
}

const KeyRow = once(() => z.object({ actId: z.string(), fingerprint: z.string(), [expiryAttribute]: z.int() }));

const fingerprint = (act: string, { reason, input, key = '' }: Keyed): string =>
  fingerprintOf({ act, reason, input }, key);

/** The id of the act that an operator's key belongs to; undefined for a new key. @throws {Rejection} other-body */
export async function actOfKey(table: Table, act: string, request: Keyed, now: number): Promise<string | undefined> {
  const { key, operator } = request;
  const item = key === undefined ? undefined : await table.get(actKeyKey(operator.id, key));
  const row = item && parseRow('key of an act', KeyRow(), item);
  if (!row || row[expiryAttribute] * 1000 <= now) return undefined;
  if (row.fingerprint !== fingerprint(act, request)) {
    throw new Rejection('other-body', { message: 'The key belongs to another act: use a new one.' });
  }
  return row.actId;
}

/** The write that stores which act the key of a request belongs to; none if the request has no key. */
export const claimActKey = (act: string, request: Keyed, actId: string, now: number): Action[] =>
  request.key === undefined
    ? []
    : [
        {
          Put: {
            Item: {
              ...actKeyKey(request.operator.id, request.key),
              actId,
              fingerprint: fingerprint(act, request),
              [expiryAttribute]: Math.ceil(now / 1000) + idempotencyHours * 3600,
            },
            ConditionExpression: `attribute_not_exists(pk) OR ${expiryAttribute} <= :now`,
            ExpressionAttributeValues: { ':now': Math.floor(now / 1000) },
          },
        },
      ];

/** Thrown if an act cannot be recorded because its entry already exists. */
export class AlreadyRecorded extends Error {
  override readonly name = 'AlreadyRecorded';
}

/** A table whose next write also commits other actions. @throws {AlreadyRecorded} if only those fail */
export function committing(table: Table, others: readonly Action[]): Table {
  async function transact(actions: readonly Action[]): Promise<void> {
    try {
      await table.transact([...actions, ...others]);
    } catch (error) {
      if (!(error instanceof TransactionCanceled)) throw error;
      const failures = error.failures.slice(0, actions.length);
      throw failures.some((failure) => failure !== undefined)
        ? new TransactionCanceled(failures)
        : new AlreadyRecorded('the act is recorded already');
    }
  }
  const write = (action: Action) =>
    transact([action]).catch((error: unknown) => {
      throw error instanceof TransactionCanceled ? new ConditionFailed(error.failures[0]?.item) : error;
    });
  return {
    ...table,
    transact,
    put: (input) => write({ Put: input }),
    async update(input) {
      if (input.ReturnValues !== undefined) throw new Error('a recorded update cannot return values');
      await write({ Update: input as NonNullable<Action['Update']> });
      return {};
    },
  };
}
