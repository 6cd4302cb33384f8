/** The ledger: every movement of an account's credits, appended and never changed. */
import type { LedgerReason } from '../../contracts/ledger-reasons.ts';
import { timestamp } from '../../platform/clock.ts';

export interface LedgerRow {
  readonly id: string;
  readonly accountId: string;
  /** The change of the balance: positive when credits are added, negative when they are consumed. */
  readonly amount: number;
  readonly reason: LedgerReason;
  readonly at: number;
  readonly taskType?: string;
  readonly taskId?: string;
  /** The token that created the task; absent in older rows. */
  readonly tokenId?: string;
  readonly orderId?: string;
}

/** How far a ledger has been summed: rows up to the id `through`, inclusive, add up to `sum`. */
export interface LedgerCount {
  readonly through: string;
  readonly sum: number;
}

/**
 * Rows younger than this are read again: a row gets its id before its transaction commits, and from a clock that may be
 * wrong, so others with lower ids may still appear.
 */
export const settledAfterMs = 3_600_000;

/** A count that starts before the first row: a space sorts before every id. */
export const nothingCounted: LedgerCount = { through: ' ', sum: 0 };

/** Describes a row in words. Not stored, because rows must stay small for deep paging. */
export function describeLedgerRow({ reason, taskType, taskId, orderId }: LedgerRow): string {
  const isRefund = reason === 'refund';
  if (taskId) return `${isRefund ? 'Refund of ' : ''}${taskType}, task ${taskId}`;
  return orderId ? `${isRefund ? 'Refund of order' : 'Order'} ${orderId}` : reason;
}

/** A row as its owner sees it. */
export const presentLedgerRow = (row: LedgerRow) => ({
  id: row.id,
  amount: row.amount,
  reason: row.reason,
  toolId: row.taskType ?? null,
  description: describeLedgerRow(row),
  createdAt: timestamp(row.at),
});
