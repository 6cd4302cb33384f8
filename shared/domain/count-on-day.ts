/** Counts what an account does on a day (UTC), up to a limit that concurrent requests cannot exceed. */
import { dayMs } from '../platform/clock.ts';
import type { Action, Key } from '../platform/dynamo-table.ts';
import { expiryAttribute } from './keys.ts';

interface Counted {
  /** The attribute that counts, and by how much it is raised: by 1 unless given. */
  readonly name: string;
  readonly by?: number;
  /** The highest value; the write fails if it would be exceeded. */
  readonly limit: number;
  readonly at: number;
  /** Other amounts to add. */
  readonly adds?: Readonly<Record<string, number>>;
  /** How long the row is kept: longer than the day that it counts, however late on that day it is written. */
  readonly keptDays?: number;
}

/** The write that raises a count in the row of a day. */
export function countOnDay(
  key: Key,
  { name, by = 1, limit, at, adds = {}, keptDays = 2 }: Counted,
): NonNullable<Action['Update']> {
  const added = Object.entries({ ...adds, [name]: by });
  return {
    Key: key,
    UpdateExpression: `SET #expiry = :expiry ADD ${added.map((_, index) => `#a${index} :a${index}`).join(', ')}`,
    ConditionExpression: 'attribute_not_exists(#count) OR #count <= :before',
    ExpressionAttributeNames: {
      '#count': name,
      '#expiry': expiryAttribute,
      ...Object.fromEntries(added.map(([one], index) => [`#a${index}`, one])),
    },
    ExpressionAttributeValues: {
      ':before': limit - by,
      ':expiry': Math.ceil((at + keptDays * dayMs) / 1000),
      ...Object.fromEntries(added.map(([, amount], index) => [`:a${index}`, amount])),
    },
  };
}
