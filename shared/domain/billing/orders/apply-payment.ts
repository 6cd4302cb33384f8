/**
 * Applies a payment's reported state to its order, its account and the ledger. Each state transition is one
 * transaction, conditional on the order and the balance not having changed since they were read.
 */
import { strict as assert } from 'node:assert';
import type { Logger } from '@aws-lambda-powertools/logger';
import type { PixPayment } from '../../../gateways/pix-gateway.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Ids } from '../../../platform/ids.ts';
import type { Account } from '../../accounts/account.ts';
import { moveBalance } from '../../accounts/account-store.ts';
import { isClosed, isOpen } from '../../accounts/closed-account.ts';
import type { LedgerRow } from '../../accounts/ledger.ts';
import { appendLedgerRow } from '../../accounts/ledger-store.ts';
import { emptyAccount } from '../../accounts/refund-claims.ts';
import { updateAccount } from '../../accounts/update-account.ts';
import { paymentCounts, rowCounts } from '../../figures/counts.ts';
import { countFigures } from '../../figures/figures-store.ts';
import type { ServiceMetrics } from '../../metrics.ts';
import type { Stores } from '../../stores.ts';
import { type CaseKind, maxEndedAtOnce } from '../cases/billing-case.ts';
import { endCase } from '../cases/case-store.ts';
import { endedCases, newCase, type Reported, unrecordedCase, unrecordedReturn } from '../cases/payment-cases.ts';
import { type Writes, writeIfUnchanged } from '../write-if-unchanged.ts';
import { flag, moveFor, type OrderMove, type PackOrder } from './order.ts';
import { moveOrder, recordEvent } from './order-store.ts';

export interface PaymentNeeds extends Pick<Stores, 'accounts' | 'cases' | 'orders' | 'table'> {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  readonly metrics: ServiceMetrics;
}

export interface Applied {
  /** The state transitions that were made, in order. */
  readonly moves: readonly OrderMove[];
  /** The order of the payment; undefined if there is none. */
  readonly order: PackOrder | undefined;
}

/**
 * The limit of attempts, which exceeds the number of changes possible for one order. If its payment has so many cases
 * that some are left, the reconciliation resolves them.
 */
const maxAttempts = 8;

/** A pending state transition, and the id of the case that it opens. */
interface DueMove {
  readonly move: OrderMove;
  readonly caseId?: string;
}

const findingOf = (
  kind: CaseKind,
  { orderId, gateway }: Pick<PackOrder, 'orderId' | 'gateway'>,
  paymentId: string,
  cents: number,
) => ({
  kind,
  orderId,
  gateway,
  paymentId,
  cents,
});

const sale = ({ cents, gateway }: PackOrder) => ({ what: 'pack', cents, gateway }) as const;

const settle = (order: PackOrder, { paymentId }: PixPayment, row: Pick<LedgerRow, 'id' | 'at'>): Writes => {
  const { accountId, orderId, credits: amount } = order;
  const outcome = { status: 'paid', paidBy: paymentId, paidAt: row.at } as const;
  return {
    actions: [
      moveOrder(order, { ...outcome, ...(order.status === 'expired' && { isLate: true }) }),
      moveBalance({ accountId, amount }, [isOpen]),
      appendLedgerRow({ ...row, accountId, orderId, amount, reason: 'purchase' }),
      ...countFigures(
        accountId,
        row.at,
        rowCounts({ amount, reason: 'purchase' }),
        paymentCounts('revenue', sale(order)),
      ),
    ],
  };
};

/**
 * Takes back as many of the order's credits as are left. Opens a case for the rest, to which refunds of open tasks will
 * go.
 */
const refund = (order: PackOrder, payment: PixPayment, account: Account, row: Pick<LedgerRow, 'id' | 'at'>): Writes => {
  const { accountId, orderId, credits } = order;
  const taken = Math.min(account.balance, credits);
  const finding = findingOf('used-credits', order, payment.paymentId, payment.cents);
  const missing = { at: row.at, missingCredits: credits - taken };
  const found = taken < credits ? newCase(finding, order, payment, missing) : undefined;
  return {
    actions: [
      moveOrder(order, { status: 'refunded', refundedAt: row.at }),
      found
        ? updateAccount(accountId, emptyAccount(account, found.caseId))
        : moveBalance({ accountId, amount: -credits }),
      ...(taken > 0 ? [appendLedgerRow({ ...row, accountId, orderId, amount: -taken, reason: 'refund' })] : []),
      ...countFigures(
        accountId,
        row.at,
        rowCounts({ amount: -taken, reason: 'refund' }),
        paymentCounts('returned', sale(order)),
      ),
    ],
    ...(found && { found }),
  };
};

async function writesOf(
  { accounts, clock, ids }: PaymentNeeds,
  order: PackOrder,
  payment: PixPayment,
  { move, caseId }: DueMove,
): Promise<Writes> {
  const row = { id: ids.next(), at: clock.now() };
  const { paymentId: paidBy } = payment;
  switch (move.kind) {
    case 'settle':
      return settle(order, payment, row);
    case 'refund': {
      const account = await accounts.find(order.accountId);
      assert(account, 'an order belongs to a missing account');
      return refund(order, payment, account, row);
    }
    case 'skip':
      return { actions: [moveOrder(order, { status: 'refunded', paidBy, paidAt: row.at, refundedAt: row.at })] };
    case 'close': {
      const { status } = move;
      return { actions: [moveOrder(order, { status, ...(status === 'canceled' && { canceledAt: row.at }) })] };
    }
    default: {
      const finding = findingOf(move.caseKind, order, payment.paymentId, move.cents);
      return { actions: [], found: newCase(finding, order, payment, { at: row.at, ...(caseId && { caseId }) }) };
    }
  }
}

/** Logs and counts a state transition, for operators. */
function report({ logger, metrics }: PaymentNeeds, { accountId, orderId, status }: PackOrder, move: OrderMove): void {
  if (move.kind === 'case') return;
  if (move.kind === 'settle') metrics.record({ OrdersPaid: 1 });
  if (move.kind === 'refund' || move.kind === 'skip') metrics.record({ OrdersRefunded: 1 });
  logger.info('order changed', { accountId, orderId, from: status, by: move.kind });
}

/**
 * The transition, unless it would add credits to a closed account: then the order is canceled, and a case is opened for
 * its payment.
 */
async function unlessClosed({ accounts }: PaymentNeeds, { accountId }: PackOrder, move: OrderMove | undefined) {
  if (move?.kind !== 'settle') return move;
  const account = await accounts.find(accountId);
  return account && isClosed(account) ? ({ kind: 'close', status: 'canceled' } as const) : move;
}

/**
 * The next state transition; undefined if nothing remains to be done. A case that is already recorded is not opened
 * again.
 */
async function dueMove(needs: PaymentNeeds, order: PackOrder, payment: PixPayment): Promise<DueMove | undefined> {
  const move = await unlessClosed(needs, order, moveFor(order, payment, needs.clock.now()));
  if (!move && order.status === 'refunded' && payment.status === 'refunded' && order.paidBy === payment.paymentId) {
    const again = flag('returned-again', payment.cents);
    const caseId = await unrecordedReturn(needs, findingOf(again.caseKind, order, payment.paymentId, again.cents));
    return caseId === undefined ? undefined : { move: again, caseId };
  }
  if (move?.kind !== 'case') return move && { move };
  const finding = findingOf(move.caseKind, order, payment.paymentId, move.cents);
  const caseId = await unrecordedCase(needs, finding, payment);
  return caseId === undefined ? undefined : { move, caseId };
}

/** Applies a payment. `eventId` identifies the event that reported it, so that a repeated event has no effect. */
export async function applyPayment(needs: PaymentNeeds, payment: PixPayment, eventId?: string): Promise<Applied> {
  const { clock, orders } = needs;
  const moves: OrderMove[] = [];
  let isRecorded = false;
  for (let tries = 0; tries < maxAttempts; tries += 1) {
    const order = payment.orderId === undefined ? undefined : await orders.findPack(payment.orderId);
    const due = order && (await dueMove(needs, order, payment));
    const ended = (await endedCases(needs, order, payment)).slice(0, maxEndedAtOnce);
    if (!due && ended.length === 0) return { moves, order };
    const { paymentId, changedAt: endedAt } = payment;
    const event = eventId !== undefined && !isRecorded && order && { gateway: order.gateway, eventId, paymentId };
    const at = clock.now();
    const { actions, ...rest } = order && due ? await writesOf(needs, order, payment, due) : { actions: [] };
    const ends = ended.map(({ found, resolution }) => endCase(found, { resolution, at, endedAt }));
    const all = [...actions, ...ends, ...(event ? [recordEvent(event, at)] : [])];
    if (await writeIfUnchanged(needs, { actions: all, ...rest })) {
      isRecorded = order !== undefined;
      if (!order || !due) continue;
      report(needs, order, due.move);
      moves.push(due.move);
    } else if (event && (await orders.hasEvent(event))) return { moves, order };
  }
  throw new Error(`order ${payment.orderId} keeps changing`);
}

/** Records a case that does not change its order; does nothing if it is already recorded. */
export async function recordCase(
  needs: PaymentNeeds,
  kind: CaseKind,
  order: Pick<PackOrder, 'orderId' | 'gateway'> & Partial<Pick<PackOrder, 'accountId'>>,
  payment: Reported,
): Promise<boolean> {
  const finding = findingOf(kind, order, payment.paymentId, payment.cents);
  const caseId = await unrecordedCase(needs, finding, payment);
  if (caseId === undefined) return false;
  return writeIfUnchanged(needs, {
    actions: [],
    found: newCase(finding, order, payment, { caseId, at: needs.clock.now() }),
  });
}
