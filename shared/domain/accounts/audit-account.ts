/**
 * Compares an account's balance with its ledger and its slots with its tasks, reading only what is new since the last
 * audit.
 */
import { isDeepStrictEqual } from 'node:util';
import { generationOf } from '../../contracts/generate.ts';
import { isPricedByFile } from '../../contracts/generation-contract.ts';
import { type Clock, dayAt, dayMs } from '../../platform/clock.ts';
import { firstIdAt } from '../../platform/ids.ts';
import type { Stores } from '../stores.ts';
import { isTerminal } from '../tasks/task.ts';
import type { Day } from '../usage/usage.ts';
import type { Account } from './account.ts';
import { auditFigures, type FigureDrift, RecountTooLong, settledDay } from './audit-figures.ts';
import { type Checkpoint, neverAudited } from './audit-store.ts';
import { unusedAfter } from './audit-unused.ts';
import { type LedgerCount, settledAfterMs } from './ledger.ts';

export interface Drift {
  readonly accountId: string;
  /** The balance minus the sum of the ledger. */
  readonly credits: number;
  /** Tasks that have ended but hold a slot, and open tasks that hold none. */
  readonly slots: readonly string[];
  /** Daily figures that differ from the ledger and the jobs, for the latest day that is complete. */
  readonly figures?: readonly FigureDrift[];
  /** Why the figures of that day could not be recounted. */
  readonly unrecounted?: Error;
  /** The unused credits at the end of the day for which they are counted. */
  readonly unused?: { readonly credits: number; readonly isErased: boolean };
}

type Needs = Pick<Stores, 'accounts' | 'audits' | 'engineJobs' | 'ledger' | 'table' | 'tasks'> & {
  readonly clock: Clock;
};

/**
 * How often the audit reads an account that changes while it is being read, before it leaves the account to the next
 * audit.
 */
const maximumPasses = 4;

/** How often a whole ledger is summed again, in case a row appeared late, with an id before the checkpoint. */
const recountAfterMs = 30 * 24 * 3_600_000;

/** How often the slots of an inactive account are compared with its tasks. */
const slotsAfterMs = 24 * 3_600_000;

/** A task whose slots do not match its state. */
export interface DriftingSlot {
  readonly taskId: string;
  readonly isOpen: boolean;
  /** Whether an open task takes one of the slots of tasks whose price depends on the duration of a file. */
  readonly isByFile: boolean;
}

/**
 * Finds slots without an open task and open tasks without their slots. The index only suggests candidates, and the task
 * rows decide.
 */
export async function driftingSlots(
  { tasks }: Pick<Stores, 'tasks'>,
  { accountId, openTasks, openFileTasks = [] }: Account,
): Promise<DriftingSlot[]> {
  const [slots, fileSlots] = [new Set(openTasks), new Set(openFileTasks)];
  const listed = await tasks.ids(accountId, { state: 'open' }, { limit: 300, offset: 0 });
  const suspects = slots.symmetricDifference(new Set(listed)).union(slots.symmetricDifference(fileSlots));
  const open = new Map(
    (await tasks.findMany([...suspects])).filter((task) => !isTerminal(task)).map((task) => [task.taskId, task]),
  );
  return [...suspects].flatMap((taskId) => {
    const task = open.get(taskId);
    const isByFile = task !== undefined && isPricedByFile(generationOf(task.taskType));
    const isRight = task
      ? slots.has(taskId) && (!isByFile || fileSlots.has(taskId))
      : !slots.has(taskId) && !fileSlots.has(taskId);
    return isRight ? [] : [{ taskId, isOpen: task !== undefined, isByFile }];
  });
}

interface AuditPass extends Drift {
  readonly checkpoint: Checkpoint;
}

/** One audit pass over an account, continuing from a checkpoint; undefined if the account changed in the meantime. */
async function auditOnce(
  needs: Needs,
  before: Account,
  from: Checkpoint,
  countedDay: Day | undefined,
): Promise<AuditPass | undefined> {
  const { accounts, clock, ledger } = needs;
  const { accountId, balance, openTasks } = before;
  const now = clock.now();
  const { counted, settled } = await ledger.count(accountId, from, firstIdAt(now - settledAfterMs));
  const isUnused = counted.through === from.through && openTasks.length === 0;
  const skipsSlots = isUnused && now - from.slotsComparedAt < slotsAfterMs;
  const slots = skipsSlots ? [] : (await driftingSlots(needs, before)).map(({ taskId }) => taskId);
  const unused = countedDay && {
    credits: await unusedAfter(needs, before, counted.sum, countedDay),
    isErased: before.erasedAt !== undefined,
  };
  if (!isDeepStrictEqual(before, await accounts.find(accountId))) return undefined;
  const checkpoint = {
    ...settled,
    recountedAt: from === neverAudited ? now : from.recountedAt,
    slotsComparedAt: skipsSlots ? from.slotsComparedAt : now,
  };
  return { accountId, credits: balance - counted.sum, slots, checkpoint, ...(unused && { unused }) };
}

/** A checkpoint with the day up to which figures have been recounted. */
type DatedCheckpoint = Checkpoint & { readonly figuresDay: Day };

/**
 * Recounts the figures of the latest complete day once, if the account's ledger has rows of that time. An error does
 * not stop the audit, because figures are only for operators.
 */
async function recountFigures(
  needs: Needs,
  accountId: string,
  saved: DatedCheckpoint,
  { through }: LedgerCount,
): Promise<Pick<Drift, 'figures' | 'unrecounted'>> {
  const day = settledDay(needs.clock);
  const wasActive = through >= firstIdAt(Date.parse(day) - slotsAfterMs);
  if (!wasActive || day <= saved.figuresDay) return {};
  const save = () => needs.audits.saveCheckpoint(accountId, { ...saved, figuresDay: day });
  try {
    const figures = await auditFigures(needs, accountId, day);
    await save();
    return figures.length > 0 ? { figures } : {};
  } catch (error) {
    // Other errors may be temporary, so the next audit tries again.
    if (error instanceof RecountTooLong) await save();
    return { unrecounted: error as Error };
  }
}

/** Saves how far the account has been audited, and recounts its figures after that. */
async function conclude(
  needs: Needs,
  { checkpoint: reached, ...drift }: AuditPass,
  saved: Checkpoint | undefined,
): Promise<Drift> {
  const checkpoint = {
    // If the audit finds a difference, the next one begins at the same checkpoint, so that it finds the difference
    // again.
    ...(drift.credits === 0 ? reached : (saved ?? neverAudited)),
    // The first day to be recounted is the day after tomorrow: earlier versions counted nothing, and the upgrade may
    // take until tomorrow.
    figuresDay: saved?.figuresDay ?? dayAt(needs.clock.now() + dayMs),
  };
  if (!isDeepStrictEqual(checkpoint, saved)) await needs.audits.saveCheckpoint(drift.accountId, checkpoint);
  return { ...drift, ...(await recountFigures(needs, drift.accountId, checkpoint, reached)) };
}

/**
 * The drift of an account: zero credits and no slots if it is correct; undefined if it no longer exists or keeps
 * changing. A difference in credits must be found by two consecutive passes that read the whole ledger, because a
 * checkpoint may have missed a late row, and a debit and its refund may be written between two reads. With a day, the
 * account's unused credits at its end are counted as well.
 */
export async function auditAccount(needs: Needs, accountId: string, countedDay?: Day): Promise<Drift | undefined> {
  const { accounts, audits, clock } = needs;
  const saved = await audits.checkpoint(accountId);
  let from = saved && clock.now() - saved.recountedAt < recountAfterMs ? saved : neverAudited;
  let suspected: number | undefined;
  for (let pass = 0; pass < maximumPasses; pass += 1) {
    const before = await accounts.find(accountId);
    if (!before) return undefined;
    const found = await auditOnce(needs, before, from, countedDay);
    if (!found) continue;
    const { credits } = found;
    if (credits === 0 || (from === neverAudited && credits === suspected)) return conclude(needs, found, saved);
    suspected = from === neverAudited ? credits : undefined;
    from = neverAudited;
  }
  return undefined;
}
