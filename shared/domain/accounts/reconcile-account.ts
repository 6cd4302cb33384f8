/** Corrects an account that has drifted: sets its balance from the ledger and its slots from the open tasks. */
import type { Clock } from '../../platform/clock.ts';
import { type Action, TransactionCanceled } from '../../platform/dynamo-table.ts';
import type { Ids } from '../../platform/ids.ts';
import { accountKey, taskKey } from '../keys.ts';
import type { Stores } from '../stores.ts';
import { transitions } from '../tasks/task.ts';
import { allowedFrom } from '../tasks/task-item.ts';
import type { Account } from './account.ts';
import { toAccount } from './account-store.ts';
import { type DriftingSlot, driftingSlots } from './audit-account.ts';
import { driftCause } from './drift-cause.ts';
import { appendCorrection, type DriftCorrection } from './drift-correction.ts';
import { nothingCounted } from './ledger.ts';
import { changeClaims, claimsWithout } from './refund-claims.ts';
import { updateAccount } from './update-account.ts';

export type Reconciliation =
  | {
      readonly status: 'reconciled';
      readonly balanceBefore: number;
      readonly balance: number;
      /** Ids of tasks that held a slot although they had ended or never existed. */
      readonly slotsFreed: readonly string[];
      /** Ids of open tasks that had lost their slot. */
      readonly slotsRestored: readonly string[];
    }
  | { readonly status: 'missing' }
  /** The account changed during every attempt, so nothing was written. */
  | { readonly status: 'busy' }
  /** The ledger's sum is negative, which a balance cannot be, so nothing was written. */
  | { readonly status: 'negative'; readonly sum: number };

const attempts = 5;

type Table = Stores['table'];

type Needs = Stores & { readonly clock: Clock; readonly ids: Pick<Ids, 'next'> };

type Correction = Pick<DriftCorrection, 'before' | 'after' | 'sum' | 'slotsFreed' | 'slotsRestored'>;

/** Whether the writes succeeded; false if a condition failed because the drift is gone or has changed. */
async function isWritten(table: Table, actions: readonly Action[]): Promise<boolean> {
  try {
    await table.transact(actions);
    return true;
  } catch (error) {
    if (error instanceof TransactionCanceled) return false;
    throw error;
  }
}

/** The account and the sum of its ledger at the same moment. */
async function snapshot({ ledger, table }: Stores, accountId: string) {
  const before = await ledger.count(accountId, nothingCounted, '');
  const item = await table.get(accountKey(accountId));
  if (!item) return { status: 'missing' } as const;
  const after = await ledger.count(accountId, nothingCounted, '');
  // Rows are only added, so an equal number of rows before and after means that the ledger did not change while the
  // account was read.
  if (after.rows !== before.rows) return undefined;
  return {
    status: 'read',
    account: toAccount(item),
    corrections: item.corrections,
    sum: after.counted.sum,
  } as const;
}

/**
 * Sets the balance on the condition that no other correction was made. That the balance is unchanged does not prove
 * this, because a new ledger row may have restored it after a correction. Every other change moves the balance and the
 * ledger by the same amount, so the difference stays the same.
 */
const setBalance = (accountId: string, balanceBefore: number, corrections: unknown, balance: number): Action => ({
  Update: {
    Key: accountKey(accountId),
    UpdateExpression: 'SET balance = :sum ADD corrections :one',
    ConditionExpression: `balance = :before AND ${corrections === undefined ? 'attribute_not_exists(corrections)' : 'corrections = :corrections'}`,
    ExpressionAttributeValues: { ':sum': balance, ':before': balanceBefore, ':corrections': corrections, ':one': 1 },
  },
});

/** The record of a correction, written in the same transaction, so that neither exists without the other. */
async function recordOf(needs: Needs, accountId: string, drift: Correction): Promise<Action> {
  const { clock, ids } = needs;
  const found = await driftCause(needs, accountId, drift.before - drift.after);
  return appendCorrection({ driftId: ids.next(), accountId, ...drift, ...found, at: clock.now() });
}

async function reconcileBalance(needs: Needs, accountId: string) {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const found = await snapshot(needs, accountId);
    if (!found) continue;
    if (found.status === 'missing') return found;
    const { account, corrections, sum } = found;
    if (sum < 0) return { status: 'negative', sum } as const;
    const { balance: before } = account;
    const drift = { before, after: sum, sum, slotsFreed: [], slotsRestored: [] };
    const mend = async () => [setBalance(accountId, before, corrections, sum), await recordOf(needs, accountId, drift)];
    if (before === sum || (await isWritten(needs.table, await mend()))) {
      return { status: 'reconciled', account, balance: sum } as const;
    }
  }
  return { status: 'busy' } as const;
}

/** Takes the slots of an open task, unless it has them. */
const takeSlots = (accountId: string, { taskId, isByFile }: DriftingSlot): Action => {
  const sets = ['openTasks', ...(isByFile ? ['openFileTasks'] : [])];
  return {
    Update: {
      Key: accountKey(accountId),
      UpdateExpression: `ADD ${sets.map((set) => `${set} :slot`).join(', ')}`,
      ConditionExpression: `attribute_exists(pk) AND NOT (${sets.map((set) => `contains(${set}, :id)`).join(' AND ')})`,
      ExpressionAttributeValues: { ':slot': new Set([taskId]), ':id': taskId },
    },
  };
};

/** Frees the slots of a task that is not open, and removes claims on its refund, unless the account has changed. */
const freeSlots = ({ accountId, refundClaims = [] }: Account, { taskId }: DriftingSlot): Action =>
  updateAccount(accountId, [
    {
      drop: ['openTasks :slot', 'openFileTasks :slot'],
      when: ['(contains(openTasks, :id) OR contains(openFileTasks, :id))'],
      values: { ':slot': new Set([taskId]), ':id': taskId },
    },
    changeClaims(refundClaims, claimsWithout(refundClaims, taskId)),
  ]);

/** Requires that the task is still open when its slot is restored, so that no slot outlives its task. */
function requireOpen(taskId: string): Action {
  const { condition, values } = allowedFrom(transitions.failed);
  return {
    ConditionCheck: {
      Key: taskKey(taskId),
      ConditionExpression: condition,
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: values,
    },
  };
}

/** Corrects slots one at a time, each only if it is still wrong, so that tasks can be created and end meanwhile. */
async function reconcileSlots(needs: Needs, accountId: string, balance: Pick<Correction, 'after' | 'sum'>) {
  const account = await needs.accounts.find(accountId);
  if (!account) return { slotsFreed: [], slotsRestored: [] };
  const slotsFreed: string[] = [];
  const slotsRestored: string[] = [];
  for (const slot of await driftingSlots(needs, account)) {
    const { taskId, isOpen } = slot;
    const moved = isOpen ? { slotsFreed: [], slotsRestored: [taskId] } : { slotsFreed: [taskId], slotsRestored: [] };
    const record = await recordOf(needs, accountId, { before: balance.after, ...balance, ...moved });
    // The account is read again, because freeing the slots of another task may have changed its claims.
    const actions = isOpen
      ? [takeSlots(accountId, slot), requireOpen(taskId)]
      : [freeSlots((await needs.accounts.find(accountId)) ?? account, slot)];
    if (await isWritten(needs.table, [...actions, record])) (isOpen ? slotsRestored : slotsFreed).push(taskId);
  }
  return { slotsFreed, slotsRestored };
}

/**
 * Corrects the drift of an account and records the correction; writes nothing if there is none. The result is exact
 * even while tasks are created and end and credits are posted.
 */
export async function reconcileAccount(needs: Needs, accountId: string): Promise<Reconciliation> {
  const found = await reconcileBalance(needs, accountId);
  if (found.status !== 'reconciled') return found;
  const { status, account, balance } = found;
  return {
    status,
    balanceBefore: account.balance,
    balance,
    ...(await reconcileSlots(needs, accountId, { after: balance, sum: balance })),
  };
}
