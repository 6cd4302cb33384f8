/**
 * Credits that were sold or given and not used yet, those that open tasks hold included: the sum over all accounts at
 * the end of each day. A day's sum is that of the day before plus what the figures of the accounts say, so no
 * transaction has to write it. The audit writes it, and recounts it from the ledgers.
 */
import * as z from 'zod';
import { once } from '../../contracts/once.ts';
import { dayAt, dayMs, daysBetween } from '../../platform/clock.ts';
import type { Item, Table } from '../../platform/dynamo-table.ts';
import { unusedCreditsKey } from '../keys.ts';
import { parseRow } from '../stored-row.ts';
import type { Day } from '../usage/usage.ts';
import { unusedChange } from './counts.ts';
import { forEachFigures } from './figures-store.ts';

const Row = once(() =>
  z.object({
    /** The unused credits of all accounts, and those of them that belong to erased accounts and are lost. */
    credits: z.int(),
    ofErased: z.int(),
    /** Whether the sum agrees with the ledgers. */
    isRecounted: z.boolean(),
    /** By how much the ledgers differed when they were counted last, for this day or an earlier one. */
    suspected: z.exactOptional(z.int()),
  }),
);

export interface UnusedCredits extends z.output<ReturnType<typeof Row>> {
  readonly day: Day;
}

const prefix = unusedCreditsKey('').sk;

const toUnused = (item: Item): UnusedCredits => ({
  day: String(item.sk).slice(prefix.length),
  ...parseRow('row of unused credits', Row(), item),
});

/** The latest sum of a day, or of an earlier one. */
export async function latestUnused(table: Table, day: Day): Promise<UnusedCredits | undefined> {
  const { pk, sk } = unusedCreditsKey(day);
  const query = {
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
    ExpressionAttributeValues: { ':pk': pk, ':from': prefix, ':to': sk },
    ScanIndexForward: false,
    ConsistentRead: true,
  };
  const [latest] = await table.list(query, { limit: 1, offset: 0 });
  return latest && toUnused(latest);
}

export const saveUnused = (table: Table, { day, ...unused }: UnusedCredits): Promise<void> =>
  table.put({ Item: { ...unusedCreditsKey(day), ...unused } });

/** By how much the unused credits of all accounts increased on a day. */
async function changeOn(table: Table, day: Day): Promise<number> {
  let change = 0;
  await forEachFigures(table, day, ({ counts }) => {
    change += unusedChange(counts);
  });
  return change;
}

/** Passes the sums of the days after a known one, up to a day, to a function, one after the other. */
export async function carryOn(
  table: Table,
  from: UnusedCredits,
  to: Day,
  use: (unused: UnusedCredits) => Promise<void>,
): Promise<void> {
  let { credits } = from;
  const { ofErased, suspected } = from;
  for (const day of daysBetween(dayAt(Date.parse(from.day) + dayMs), to)) {
    credits += await changeOn(table, day);
    // A pass may take about a day, so the second count may be one of the next day.
    await use({ day, credits, ofErased, isRecounted: false, ...(suspected !== undefined && { suspected }) });
  }
}

/** How many days after the latest stored sum are added up on demand: more are only missing if no audit runs. */
const maxDays = 3;

/** The unused credits at the end of a day, without those of erased accounts; undefined if they are not known. */
export async function unusedAtEnd(table: Table, day: Day): Promise<number | undefined> {
  let unused = await latestUnused(table, day);
  if (!unused || Date.parse(day) - Date.parse(unused.day) > maxDays * dayMs) return undefined;
  await carryOn(table, unused, day, async (next) => {
    unused = next;
  });
  return unused.credits - unused.ofErased;
}
