/** What language models charge for the texts of products: in the figures, and in the counts of the day for the audit. */
import * as z from 'zod';
import { once } from '../../contracts/once.ts';
import { dayAt } from '../../platform/clock.ts';
import type { Action, Table } from '../../platform/dynamo-table.ts';
import { countOnDay } from '../count-on-day.ts';
import { dayCountsKey } from '../keys.ts';
import { parseRow } from '../stored-row.ts';
import type { Day } from '../usage/usage.ts';
import { costCounts, type EngineCost } from './counts.ts';
import { countFigures } from './figures-store.ts';

/** The operation under which these costs are shown. */
export const productTexts = 'createStudioProduct';

/** The writes that count what an engine charges for the texts of a product. */
export const countProductTexts = (accountId: string, at: number, cost: EngineCost): Action[] => {
  const counted = { name: 'textMicros', by: cost.micros, limit: Number.MAX_SAFE_INTEGER, at };
  return [
    { Update: countOnDay(dayCountsKey(accountId, dayAt(at)), counted) },
    ...countFigures(accountId, at, costCounts({ taskType: productTexts }, [cost])),
  ];
};

const Row = once(() => z.object({ textMicros: z.int().default(0) }));

/** What the texts of a day cost, at all engines; undefined if the counts of the day are no longer stored. */
export async function productTextsCost(table: Table, accountId: string, day: Day): Promise<number | undefined> {
  const item = await table.get(dayCountsKey(accountId, day));
  return item && parseRow('counts of a day', Row(), item).textMicros;
}
