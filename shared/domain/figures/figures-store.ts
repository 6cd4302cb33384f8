/**
 * Stores daily figures: for each day, a row for each account that was active. A row is changed only in transactions
 * that change the account as well, so no other writer has to wait for it, and figures always match what was committed.
 */

import * as z from 'zod';
import { once } from '../../contracts/once.ts';
import { dayAt } from '../../platform/clock.ts';
import type { Action, Item, Table } from '../../platform/dynamo-table.ts';
import { accountOfFigures, allFiguresOf, figuresKey } from '../figures-keys.ts';
import { parseRow } from '../stored-row.ts';
import { isTestAccount } from '../test-account.ts';
import type { Day } from '../usage/usage.ts';
import { type Counts, sumOf } from './counts.ts';

/** The write that adds amounts to the figures of an account; none if there is nothing to add, or for a test account. */
export function countFigures(accountId: string, at: number, ...added: readonly Counts[]): Action[] {
  const counts = Object.entries(sumOf(added));
  if (counts.length === 0 || isTestAccount(accountId)) return [];
  return [
    {
      Update: {
        Key: figuresKey(accountId, dayAt(at)),
        UpdateExpression: `ADD ${counts.map((_, index) => `#c${index} :c${index}`).join(', ')}`,
        ExpressionAttributeNames: Object.fromEntries(counts.map(([name], index) => [`#c${index}`, name])),
        ExpressionAttributeValues: Object.fromEntries(counts.map(([, amount], index) => [`:c${index}`, amount])),
      },
    },
  ];
}

const FiguresRow = once(() => z.record(z.string(), z.int()));

export function toCounts({ pk: _pk, sk: _sk, ...counts }: Item): Counts {
  return sumOf([parseRow('row of figures', FiguresRow(), counts)]);
}

export interface AccountFigures {
  readonly accountId: string;
  readonly counts: Counts;
}

export async function findFigures(table: Table, accountId: string, day: Day): Promise<Counts> {
  const item = await table.get(figuresKey(accountId, day));
  return item ? toCounts(item) : {};
}

/**
 * Passes the figures of every account that was active on a day to a function, as they are read. The partitions are read
 * at the same time, so that a day takes as long as its largest partition.
 */
export async function forEachFigures(table: Table, day: Day, use: (figures: AccountFigures) => void): Promise<void> {
  await Promise.all(
    allFiguresOf(day).map(async (pk) => {
      const rows = table.walk({ KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': pk } });
      for await (const item of rows) use({ accountId: accountOfFigures(item), counts: toCounts(item) });
    }),
  );
}
