/** Writes the unused credits of all accounts for each day, and compares them with the ledgers once. */
import type { Clock } from '../../platform/clock.ts';
import { dayAt, dayMs, daysBetween } from '../../platform/clock.ts';
import { unusedChange } from '../figures/counts.ts';
import { findFigures } from '../figures/figures-store.ts';
import { carryOn, latestUnused, saveUnused, type UnusedCredits } from '../figures/unused-credits.ts';
import type { Stores } from '../stores.ts';
import { isTerminal } from '../tasks/task.ts';
import { isTestAccount } from '../test-account.ts';
import type { Day } from '../usage/usage.ts';
import type { Account } from './account.ts';
import { settledDay } from './audit-figures.ts';
import type { UnusedCount } from './audit-store.ts';
import { settledAfterMs } from './ledger.ts';

type Needs = Pick<Stores, 'table'> & { readonly clock: Clock };

/** The unused credits of the stored sum and of the ledgers, which differ. */
export interface UnusedDrift {
  readonly day: Day;
  readonly counted: number;
  readonly recounted: number;
}

/**
 * The unused credits that an account had at the end of a day: those that its ledger has now and that its open tasks
 * hold, minus what was added since. Right only if the account does not change meanwhile.
 */
export async function unusedAfter(
  { clock, table, tasks }: Needs & Pick<Stores, 'tasks'>,
  { accountId, openTasks }: Account,
  ledgerSum: number,
  day: Day,
): Promise<number> {
  if (isTestAccount(accountId)) return 0;
  // The clocks of other processes may be ahead of this one.
  const since = daysBetween(dayAt(Date.parse(day) + dayMs), dayAt(clock.now() + settledAfterMs));
  const [open, ...changes] = await Promise.all([
    tasks.findMany(openTasks),
    ...since.map(async (later) => unusedChange(await findFigures(table, accountId, later))),
  ]);
  const held = open.filter((task) => !isTerminal(task)).reduce((sum, { cost }) => sum + cost, 0);
  return ledgerSum + held - changes.reduce((sum, change) => sum + change, 0);
}

/** Stores the sums of days that are over, and begins a count of the latest, unless it has been recounted. */
export async function beginCount({ clock, table }: Needs): Promise<UnusedCount | undefined> {
  const day = settledDay(clock);
  let latest = await latestUnused(table, day);
  if (latest) {
    await carryOn(table, latest, day, (next) => {
      latest = next;
      return saveUnused(table, next);
    });
  }
  return latest?.isRecounted ? undefined : { day, credits: 0, ofErased: 0, isWhole: true };
}

/** Replaces a sum by what was counted, and those of later days by what follows from it. */
async function replace({ clock, table }: Needs, right: UnusedCredits): Promise<void> {
  await saveUnused(table, right);
  await carryOn(table, right, settledDay(clock), (next) => saveUnused(table, next));
}

/**
 * Compares a whole count with the stored sum. A difference must be found twice, because an account may have changed
 * while it was counted; then it is returned, and the count takes the place of the sum. The first count of all is right.
 */
export async function endCount(needs: Needs, count: UnusedCount): Promise<UnusedDrift | undefined> {
  const { day, credits, ofErased } = count;
  const stored = await latestUnused(needs.table, day);
  const right = { day, credits, ofErased, isRecounted: true };
  const drift = stored?.day === day ? credits - stored.credits : 0;
  if (stored && drift !== 0 && drift !== stored.suspected) {
    await saveUnused(needs.table, { ...stored, suspected: drift });
    return undefined;
  }
  await replace(needs, right);
  return stored && drift !== 0 ? { day, counted: stored.credits, recounted: credits } : undefined;
}
