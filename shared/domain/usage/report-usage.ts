/**
 * Reports exactly what an account's tasks cost per day, from stored counts and the ledger rows added since. A report
 * reads a limited number of rows and stores counts that are final, so that the next report continues from there.
 */
import { type Clock, daysBetween } from '../../platform/clock.ts';
import type { Table } from '../../platform/dynamo-table.ts';
import { firstIdAt } from '../../platform/ids.ts';
import { settledAfterMs } from '../accounts/ledger.ts';
import { ledgerRows } from '../accounts/ledger-store.ts';
import { type Day, dayOfId, endOfDay, startOfDay, Usage, type UsageEntry } from './usage.ts';
import { type CountedDay, usageStore } from './usage-store.ts';

export interface UsageReport {
  /**
   * Whether the report is complete; false if there were too many new rows to read, of which the next report reads more.
   */
  readonly isComplete: boolean;
  /** The usage per day, sorted by day, then by task type and token. */
  readonly usage: readonly (UsageEntry & { readonly day: Day })[];
}

interface Needs {
  readonly clock: Clock;
  readonly table: Table;
  /** The most ledger rows that a report reads. */
  readonly rowsPerReport?: number;
}

/** A few pages of a query: more rows than any account adds before they are settled. */
const defaultRows = 40_000;

/** The number of settled rows from which the count of an unfinished day is stored. */
const worthStoring = 1000;

/** The count of an unfinished day: settled rows, and recent rows that the next report reads again. */
interface Count {
  readonly day: Day;
  /** The id of the last row in the stored count. */
  readonly seen: string | undefined;
  through: string;
  settledRows: number;
  readonly settled: Usage;
  readonly recent: Usage;
}

const countOf = (day: Day, stored: CountedDay | undefined): Count => ({
  day,
  seen: stored?.through,
  through: stored?.through ?? startOfDay(day),
  settledRows: 0,
  settled: stored?.usage ?? new Usage(),
  recent: new Usage(),
});

const isClosed = ({ day, through }: Count): boolean => through >= endOfDay(day);

/** Groups consecutive days, each group of which is read in one query. */
function runsOf(counts: readonly Count[]): Count[][] {
  const runs: Count[][] = [];
  for (const count of counts) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    if (last && endOfDay(last.day) === startOfDay(count.day)) run?.push(count);
    else runs.push([count]);
  }
  return runs;
}

interface Progress {
  /** How many rows may still be read. */
  readonly rows: number;
  readonly isComplete: boolean;
}

async function countRun(
  { table }: Needs,
  accountId: string,
  run: readonly Count[],
  { rows, settledBefore }: { readonly rows: number; readonly settledBefore: string },
): Promise<Progress> {
  const [first, last] = [run[0], run.at(-1)];
  if (!first || !last) return { rows, isComplete: true };
  const byDay = new Map(run.map((count) => [count.day, count]));
  let left = rows;
  let reached = endOfDay(last.day);
  for await (const row of ledgerRows(table, accountId, { after: first.through, before: endOfDay(last.day) })) {
    if (left === 0) {
      reached = row.id;
      break;
    }
    left -= 1;
    const count = byDay.get(dayOfId(row.id));
    if (!count || row.id <= count.through) continue;
    if (row.id >= settledBefore) {
      count.recent.addRow(row);
      continue;
    }
    count.settled.addRow(row);
    count.settledRows += 1;
    count.through = row.id;
  }
  for (const count of run) {
    const end = endOfDay(count.day);
    if (end <= reached && end <= settledBefore) count.through = end;
  }
  return { rows: left, isComplete: reached === endOfDay(last.day) };
}

export async function reportUsage(
  needs: Needs,
  accountId: string,
  { from, to }: { readonly from: Day; readonly to: Day },
): Promise<UsageReport> {
  const { clock, rowsPerReport = defaultRows, table } = needs;
  const usage = usageStore(table);
  const days = daysBetween(from, to);
  const stored = await usage.find(accountId, days);
  const counts = days.map((day) => countOf(day, stored.get(day)));
  const settledBefore = firstIdAt(clock.now() - settledAfterMs);
  let progress: Progress = { rows: rowsPerReport, isComplete: true };
  for (const run of runsOf(counts.filter((count) => !isClosed(count)))) {
    if (progress.isComplete) progress = await countRun(needs, accountId, run, { ...progress, settledBefore });
  }
  const threshold = Math.min(worthStoring, rowsPerReport);
  const worth = counts.filter(
    (count) => count.through !== count.seen && (isClosed(count) || count.settledRows >= threshold),
  );
  await Promise.all(
    worth.map(({ day, settled, through, seen }) => usage.save(accountId, day, { through, usage: settled }, seen)),
  );
  return {
    isComplete: progress.isComplete,
    usage: counts.flatMap(({ day, settled, recent }) =>
      settled.plus(recent).entries.map((entry) => ({ day, ...entry })),
    ),
  };
}
