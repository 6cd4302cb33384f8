/** Counts what an account does on a day (UTC), up to a limit that concurrent requests cannot exceed. */
import { type Clock, dayAt, dayMs, secondsToMidnight } from '../platform/clock.ts';
import { ConditionFailed } from '../platform/condition-failed.ts';
import type { Action, Key, Table } from '../platform/dynamo-table.ts';
import { dayCountsKey, expiryAttribute } from './keys.ts';
import { Rejection } from './rejection.ts';

interface Counted {
  /** The attribute that counts, and by how much it is raised: by 1 unless given. */
  readonly name: string;
  readonly by?: number;
  /** The highest value; the write fails if it would be exceeded. */
  readonly limit: number;
  readonly at: number;
}

/** How long a row is kept: longer than the day that it counts, however late on that day it is written. */
const keptMs = 2 * dayMs;

/** The write that raises a count in the row of a day. */
export function countOnDay(key: Key, { name, by = 1, limit, at }: Counted): NonNullable<Action['Update']> {
  return {
    Key: key,
    UpdateExpression: 'SET #expiry = :expiry ADD #count :by',
    ConditionExpression: 'attribute_not_exists(#count) OR #count <= :before',
    ExpressionAttributeNames: { '#count': name, '#expiry': expiryAttribute },
    ExpressionAttributeValues: {
      ':by': by,
      ':before': limit - by,
      ':expiry': Math.ceil((at + keptMs) / 1000),
    },
  };
}

/**
 * Counts what an account may do only so often or so much on a day. The message says what the limit is; what to wait for is
 * appended. @throws {Rejection} rate-limited
 */
export async function countWithin(
  { clock, table }: { readonly clock: Clock; readonly table: Table },
  accountId: string,
  counted: Pick<Counted, 'name' | 'by' | 'limit'>,
  message: string,
): Promise<void> {
  const at = clock.now();
  await table.update(countOnDay(dayCountsKey(accountId, dayAt(at)), { ...counted, at })).catch((error: unknown) => {
    if (!(error instanceof ConditionFailed)) throw error;
    throw new Rejection('rate-limited', {
      message: `${message}, or wait for the number of seconds in Retry-After.`,
      retryAfterSeconds: secondsToMidnight(at),
    });
  });
}
