/** The ledger: every movement of an account's credits, appended and never changed. */
import type { LedgerReason } from '../../contracts/account.ts';

export interface LedgerRow {
  readonly id: string;
  readonly accountId: string;
  /** Positive when credits are added, negative when they are consumed. */
  readonly amount: number;
  readonly reason: LedgerReason;
  readonly at: number;
  readonly taskType?: string;
  readonly taskId?: string;
  /** The token that created the task; older rows do not name it. */
  readonly tokenId?: string;
  readonly orderId?: string;
}

/** How far a ledger was added up: rows up to the id `through`, inclusive, add up to `sum`. */
export interface LedgerCount {
  readonly through: string;
  readonly sum: number;
}

/**
 * A row's id is made before its transaction commits, by a clock that may be wrong: rows younger than this are read
 * again, because older ones may still appear between them.
 */
export const settledAfterMs = 3_600_000;

/** Before every id. */
export const nothingCounted: LedgerCount = { through: ' ', sum: 0 };

/** The free text of the history: stored outside the row, which must stay small for deep paging. */
export function describeLedgerRow({ reason, taskType, taskId, orderId }: LedgerRow): string {
  const isRefund = reason === 'refund';
  if (taskId) return `${isRefund ? 'Refund of ' : ''}${taskType}, task ${taskId}`;
  return orderId ? `${isRefund ? 'Refund of order' : 'Order'} ${orderId}` : reason;
}
