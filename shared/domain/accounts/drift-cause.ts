/** Suggests why a balance differs from its ledger, as far as the rows show. */
import type { Table } from '../../platform/dynamo-table.ts';
import type { Stores } from '../stores.ts';
import { isTerminal } from '../tasks/task.ts';
import type { LedgerRow } from './ledger.ts';
import { ledgerRows } from './ledger-store.ts';

export const driftCauses = [
  /** The balance has credits but the ledger has no rows: the account was imported, or only half of it was created. */
  'balance-without-ledger',
  /** There is a row with exactly this amount by which the balance was not changed. */
  'row-without-effect',
  /** A task was debited or refunded, or an order was credited, without a ledger row. */
  'effect-without-row',
  /** Only the account's slots were wrong. */
  'slots',
  'unknown',
] as const;
export type DriftCause = (typeof driftCauses)[number];

export interface FoundCause {
  readonly cause: DriftCause;
  /** Ids of ledger rows, tasks or orders that may be the cause, newest first. */
  readonly suspects: readonly string[];
}

const maxSuspects = 5;

/** How many of an account's newest tasks and orders are examined. */
const maxLooks = 100;

type Needs = Pick<Stores, 'orders' | 'tasks'> & { readonly table: Table };

/** The credits that each task and order moved, minus those that the ledger recorded for it. */
async function unrecorded(needs: Needs, accountId: string, sums: ReadonlyMap<string, number>) {
  const range = { limit: maxLooks, offset: 0 };
  const [ids, orders] = await Promise.all([
    needs.tasks.ids(accountId, {}, range),
    needs.orders.list(accountId, { status: 'paid' }, range),
  ]);
  const tasks = await needs.tasks.findReadable(ids);
  return [
    ...tasks.map((task) => {
      const due = isTerminal(task) && task.status === 'failed' ? 0 : -task.cost;
      return { id: task.taskId, credits: due - (sums.get(task.taskId) ?? 0) };
    }),
    ...orders
      .filter(({ type }) => type === 'pix_credit_pack')
      .map(({ orderId, credits }) => ({ id: orderId, credits: credits - (sums.get(orderId) ?? 0) })),
  ];
}

/** Returns evidence for an operator, not proof. `credits` is the balance minus the sum of the ledger. */
export async function driftCause(needs: Needs, accountId: string, credits: number): Promise<FoundCause> {
  if (credits === 0) return { cause: 'slots', suspects: [] };
  const sums = new Map<string, number>();
  const ineffective: LedgerRow[] = [];
  let rows = 0;
  for await (const row of ledgerRows(needs.table, accountId, { after: ' ', before: '~' })) {
    rows += 1;
    const about = row.taskId ?? row.orderId;
    if (about !== undefined) sums.set(about, (sums.get(about) ?? 0) + row.amount);
    if (row.amount === -credits) ineffective.push(row);
  }
  if (rows === 0) return { cause: 'balance-without-ledger', suspects: [] };
  const missing = (await unrecorded(needs, accountId, sums)).filter((one) => one.credits === credits);
  if (missing.length > 0)
    return { cause: 'effect-without-row', suspects: missing.map(({ id }) => id).slice(0, maxSuspects) };
  if (ineffective.length === 0) return { cause: 'unknown', suspects: [] };
  return {
    cause: 'row-without-effect',
    suspects: ineffective
      .map(({ id }) => id)
      .slice(-maxSuspects)
      .toReversed(),
  };
}
