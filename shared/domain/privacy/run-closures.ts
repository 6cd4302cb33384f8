/** Does what is due for closed accounts, and measures what is overdue. */
import * as z from 'zod';
import { once } from '../../contracts/once.ts';
import type { Item } from '../../platform/dynamo-table.ts';
import { checkTime, indexes } from '../index-keys.ts';
import { accountIdOf, accountKey } from '../keys.ts';
import { closureEntries, scheduleStep } from './closing.ts';
import { advanceClosure, type EraseAccountNeeds, lastWriterMs } from './erase-account.ts';

/** How long one account is worked on at a time, so that a large one does not delay the others. */
const sliceMs = 60_000;

/** When an account is tried again after an error, or after the end of the process that worked on it. */
const retryMs = 15 * 60_000;

/** How many accounts are listed at a time. */
const atMost = 1000;

async function advanceOne(needs: EraseAccountNeeds, accountId: string, endsAt: number): Promise<boolean> {
  const { clock, logger } = needs;
  try {
    // It goes to the back of the line first: then one that ends the process does not stop the others.
    if (!(await scheduleStep(needs, accountId, clock.now() + retryMs))) return true;
    await advanceClosure(needs, accountId, Math.min(endsAt, clock.now() + sliceMs));
    return true;
  } catch (error) {
    logger.error('closure failed', { accountId, error: error as Error });
    return false;
  }
}

/**
 * Does the next step for the closed accounts that are due, until a time; an error in one does not stop the others. What
 * is left continues with the next call.
 */
export async function advanceClosures(
  needs: EraseAccountNeeds,
  endsAt = Number.MAX_SAFE_INTEGER,
): Promise<{ readonly done: number; readonly failed: number }> {
  let [done, failed] = [0, 0];
  const due = await closureEntries(needs.table, needs.clock.now(), atMost);
  for (const entry of due) {
    if (needs.clock.now() >= endsAt) break;
    if (await advanceOne(needs, accountIdOf(entry), endsAt)) done += 1;
    else failed += 1;
  }
  return { done, failed };
}

const Standing = once(() =>
  z.object({
    closing: z.exactOptional(z.object({ at: z.int(), eraseAt: z.int() })),
    erasedAt: z.exactOptional(z.int()),
  }),
);

/** Since when the next step for an account has been due; undefined if it is not, and the epoch if it cannot be read. */
function dueSince(row: Item, next: string, now: number): number | undefined {
  const { data } = Standing().safeParse(row);
  if (!data) return 0;
  const { closing, erasedAt } = data;
  if (erasedAt !== undefined) return erasedAt + lastWriterMs;
  if (!closing || closing.eraseAt <= now) return closing?.eraseAt;
  // What the account had running is settled once its next step is the erasure.
  return next < checkTime(closing.eraseAt) ? closing.at : undefined;
}

/** How long the closure that has waited longest has been due, in seconds; 0 if none is. */
export async function oldestOverdueSeconds({
  clock,
  table,
}: Pick<EraseAccountNeeds, 'clock' | 'table'>): Promise<number> {
  const now = clock.now();
  const entries = await closureEntries(table, now + retryMs, atMost);
  const nexts = new Map(entries.map((entry) => [accountIdOf(entry), String(entry[indexes.open.sk])]));
  const rows = await table.getMany([...nexts.keys()].map(accountKey));
  const ages = rows.map((row) => now - (dueSince(row, nexts.get(accountIdOf(row)) ?? '', now) ?? now));
  return Math.max(0, ...ages) / 1000;
}
