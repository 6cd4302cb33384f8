/** Bounds how often the password of an account is checked: a log of the last guesses, each counted before it is checked. */
import * as z from 'zod';
import { passwordGuesses } from '../../contracts/limits.ts';
import { once } from '../../contracts/once.ts';
import { ConditionFailed, type Table } from '../../platform/dynamo-table.ts';
import { expiryAttribute, guessesKey } from '../keys.ts';
import { parseRow } from '../stored-row.ts';

export const guessWindowMs = 15 * 60_000;

/** After the last guess; the table removes the row of an account that confirms nothing. */
const keptSeconds = 24 * 3600;

export interface GuessStore {
  /** Counts a guess, if there is one left; otherwise returns whole seconds, at least 1, until there is. */
  count(accountId: string, now: number): Promise<{ readonly retryAfterSeconds: number } | undefined>;
  /** Forgets what was counted, because the password was right. */
  clear(accountId: string): Promise<void>;
}

const GuessesRow = once(() => z.object({ guesses: z.array(z.int()) }));

/** Full of guesses long ago, so that there is always an oldest one to compare. */
const noGuesses = (): number[] => Array.from({ length: passwordGuesses }, () => 0);

/** Leaves a row alone that another guess has begun meanwhile. */
async function begin(table: Table, accountId: string): Promise<void> {
  try {
    await table.put({
      Item: { ...guessesKey(accountId), guesses: noGuesses() },
      ConditionExpression: 'attribute_not_exists(pk)',
    });
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
  }
}

export const guessStore = (table: Table): GuessStore => ({
  async count(accountId, now) {
    for (;;) {
      try {
        await table.update({
          Key: guessesKey(accountId),
          UpdateExpression: `SET guesses[${passwordGuesses}] = :now, ${expiryAttribute} = :expiry REMOVE guesses[0]`,
          ConditionExpression: 'guesses[0] <= :windowStart',
          ExpressionAttributeValues: {
            ':now': now,
            ':windowStart': now - guessWindowMs,
            ':expiry': Math.ceil(now / 1000) + keptSeconds,
          },
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        });
        return undefined;
      } catch (error) {
        if (!(error instanceof ConditionFailed)) throw error;
        if (error.item) {
          const [oldest = now] = parseRow('row of password guesses', GuessesRow(), error.item).guesses;
          return { retryAfterSeconds: Math.max(1, Math.ceil((oldest + guessWindowMs - now) / 1000)) };
        }
        await begin(table, accountId);
      }
    }
  },
  async clear(accountId) {
    await table.update({
      Key: guessesKey(accountId),
      UpdateExpression: 'SET guesses = :none',
      ExpressionAttributeValues: { ':none': noGuesses() },
    });
  },
});
