import { isDeepStrictEqual } from 'node:util';
import { Tick } from '../../shared/contracts/workflow.ts';
import type { Account } from '../../shared/domain/accounts/account.ts';
import { isTerminal } from '../../shared/domain/tasks/task.ts';
import type { Context } from '../../shared/runtime/context.ts';
import { type Step, stepLambda } from '../../shared/runtime/step-lambda.ts';

/** How often an account that changes under the audit is looked at again before it is left for the next one. */
const looks = 3;

interface Drift {
  readonly accountId: string;
  /** What the balance has more than the ledger. */
  readonly credits: number;
  /** Slots held by tasks that are not open, and open tasks without a slot. */
  readonly slots: readonly string[];
}

/** Ids of tasks that the index lists as open: right in the end, but not at every moment. */
const openTaskIds = ({ tasks }: Context, accountId: string): Promise<string[]> =>
  tasks.ids(accountId, { state: 'open' }, { limit: 300, offset: 0 });

/** Which slots and open tasks do not belong together: the index raises the suspicion, the tasks themselves decide. */
async function driftingSlots(context: Context, { accountId, openTasks }: Account): Promise<string[]> {
  const slots = new Set(openTasks);
  const suspects = [...slots.symmetricDifference(new Set(await openTaskIds(context, accountId)))];
  const tasks = await context.tasks.findMany(suspects);
  const open = new Set(tasks.filter((task) => !isTerminal(task)).map(({ taskId }) => taskId));
  return suspects.filter((taskId) => slots.has(taskId) !== open.has(taskId));
}

/** The drift of one account between two looks at it that agree; undefined when it does not hold still. */
async function driftOf(context: Context, accountId: string): Promise<Drift | undefined> {
  const { accounts, ledger } = context;
  for (let look = 0; look < looks; look += 1) {
    const before = await accounts.find(accountId);
    if (!before) return undefined;
    const [sum, slots] = await Promise.all([ledger.sum(accountId), driftingSlots(context, before)]);
    if (isDeepStrictEqual(before, await accounts.find(accountId))) {
      return { accountId, credits: before.balance - sum, slots };
    }
  }
  return undefined;
}

/** Holds every balance against its ledger and every slot against its task; tells of drift and mends nothing. */
export const auditLedger: Step<typeof Tick> = async (_tick, context) => {
  const drifts: Drift[] = [];
  let [audited, unaudited] = [0, 0];
  for await (const accountId of context.accounts.ids()) {
    // An account that can not be read now is the next audit's; it must not hide the others.
    const drift = await driftOf(context, accountId).catch((error: unknown) => {
      context.logger.error('audit failed', { accountId, error: error as Error });
      unaudited += 1;
      return undefined;
    });
    audited += 1;
    if (drift && (drift.credits !== 0 || drift.slots.length > 0)) {
      drifts.push(drift);
      context.logger.error('ledger drift', { ...drift });
    }
  }
  context.metrics.record({
    LedgerDrift: drifts.reduce((sum, { credits }) => sum + Math.abs(credits), 0),
    SlotDrift: drifts.reduce((sum, { slots }) => sum + slots.length, 0),
    AccountsUnaudited: unaudited,
  });
  return { audited: audited - unaudited, drifts };
};

export const definition = stepLambda('auditLedger', Tick, auditLedger);
