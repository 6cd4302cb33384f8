/** Limits how many credits one operator gives on a day without the approval of a second operator. */
import { grantLimit, operatorGrantLimit } from '../../contracts/grants.ts';
import { dayAt, dayMs } from '../../platform/clock.ts';
import type { Action } from '../../platform/dynamo-table.ts';
import { expiryAttribute } from '../keys.ts';
import { allAccounts, grantedKey } from '../operator-keys.ts';
import type { By } from './act.ts';

/** Counts credits that an operator gives an account; a write fails above one of the daily limits. */
export const countGranted = (accountId: string, amount: number, { at, operator }: Omit<By, 'reason'>): Action[] =>
  amount <= 0
    ? []
    : [[accountId, grantLimit] as const, [allAccounts, operatorGrantLimit] as const].map(([to, limit]) => ({
        Update: {
          Key: grantedKey(to, operator.id, dayAt(at)),
          UpdateExpression: `SET ${expiryAttribute} = :expiry ADD granted :amount`,
          ConditionExpression: 'attribute_not_exists(granted) OR granted <= :room',
          ExpressionAttributeValues: {
            ':amount': amount,
            ':room': limit - amount,
            ':expiry': Math.ceil((at + 2 * dayMs) / 1000),
          },
        },
      }));
