/**
 * Limits how often an account's password is checked, with a log of recent attempts; each is counted before its check.
 */
import * as z from 'zod';
import { passwordGuesses } from '../../contracts/limits.ts';
import { once } from '../../contracts/once.ts';
import { ConditionFailed, type Table } from '../../platform/dynamo-table.ts';
import { expiryAttribute, guessesKey } from '../keys.ts';
import { parseRow } from '../stored-row.ts';

export const guessWindowMs = 15 * 60_000;

/** How long after the last attempt the row is kept. */
const keptSeconds = 24 * 3600;

export interface GuessStore {
  /** Counts an attempt if one is left; otherwise returns the seconds, at least 1, until one is. */
  count(accountId: string, now: number): Promise<{ readonly retryAfterSeconds: number } | undefined>;
  /** Resets the count, because the password was right. */
  clear(accountId: string): Promise<void>;
}

const GuessesRow = once(() => z.object({ guesses: z.array(z.int()) }));

/** A log full of attempts in the distant past, so that there is always an oldest entry to compare. */
const noGuesses = (): number[] => Array.from({ length: passwordGuesses }, () => 0);

/** Creates the row, unless a concurrent attempt has already created it. */
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
