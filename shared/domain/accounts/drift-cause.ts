/** What may have brought a balance out of step with its ledger, as far as the rows tell. */
import type { Table } from '../../platform/dynamo-table.ts';
import type { Stores } from '../stores.ts';
import { isTerminal } from '../tasks/task.ts';
import type { LedgerRow } from './ledger.ts';
import { ledgerRows } from './ledger-store.ts';

export const driftCauses = [
  /** The balance has credits, and the ledger not a single row: an account was imported or created by halves. */
  'balance-without-ledger',
  /** A row of exactly this amount has not moved the balance. */
  'row-without-effect',
  /** A task was debited or refunded, or an order credited, and the ledger has no row of it. */
  'effect-without-row',
  /** Only slots were wrong. */
  'slots',
  'unknown',
] as const;
export type DriftCause = (typeof driftCauses)[number];

export interface FoundCause {
  readonly cause: DriftCause;
  /** The ledger rows, tasks or orders that may be it, the newest first. */
  readonly suspects: readonly string[];
}

const mostSuspects = 5;

/** How many of an account's newest tasks and orders are looked at. */
const mostLooks = 100;

type Needs = Pick<Stores, 'orders' | 'tasks'> & { readonly table: Table };

/** What each task and order has moved, less what the ledger says of it. */
async function unrecorded(needs: Needs, accountId: string, sums: ReadonlyMap<string, number>) {
  const range = { limit: mostLooks, offset: 0 };
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

/** `credits` is what the balance has more than the ledger. It is evidence for an operator and proves nothing. */
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
    return { cause: 'effect-without-row', suspects: missing.map(({ id }) => id).slice(0, mostSuspects) };
  if (ineffective.length === 0) return { cause: 'unknown', suspects: [] };
  return {
    cause: 'row-without-effect',
    suspects: ineffective
      .map(({ id }) => id)
      .slice(-mostSuspects)
      .toReversed(),
  };
}
