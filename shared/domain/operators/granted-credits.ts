/** Limits how many credits one operator gives an account on a day without the approval of a second operator. */
import { grantLimit } from '../../contracts/grants.ts';
import { dayAt, dayMs } from '../../platform/clock.ts';
import type { Action } from '../../platform/dynamo-table.ts';
import { expiryAttribute } from '../keys.ts';
import { grantedKey } from '../operator-keys.ts';
import type { By } from './act.ts';

/** Counts credits that an operator gives an account; the write fails above the daily limit. */
export const countGranted = (accountId: string, amount: number, { at, operator }: Omit<By, 'reason'>): Action[] =>
  amount <= 0
    ? []
    : [
        {
          Update: {
            Key: grantedKey(accountId, operator.id, dayAt(at)),
            UpdateExpression: `SET ${expiryAttribute} = :expiry ADD granted :amount`,
            ConditionExpression: 'attribute_not_exists(granted) OR granted <= :room',
            ExpressionAttributeValues: {
              ':amount': amount,
              ':room': grantLimit - amount,
              ':expiry': Math.ceil((at + 2 * dayMs) / 1000),
            },
          },
        },
      ];
