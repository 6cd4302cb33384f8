/** The transaction of each state transition of a subscription, which writes all that the transition changes. */
import type { OrderStatus } from '../../../contracts/order-statuses.ts';
import type { SubscriptionReport } from '../../../gateways/subscription-gateway.ts';
import { changeAccount } from '../../accounts/account-subscription.ts';
import { appendLedgerRow } from '../../accounts/ledger-store.ts';
import { type Counts, paymentCounts, rowCounts } from '../../figures/counts.ts';
import { countFigures } from '../../figures/figures-store.ts';
import { maxEndedAtOnce } from '../cases/billing-case.ts';
import { endCase } from '../cases/case-store.ts';
import { endedBy } from '../cases/subscription-cases.ts';
import { moveOrder } from '../orders/order-store.ts';
import type { Writes } from '../write-if-unchanged.ts';
import { settleRedemption } from './coupon-redemption.ts';
import { deletableAt, nextCheckAt, type Subscription } from './subscription.ts';
import { type At, type Changes, changesOf, type State } from './subscription-changes.ts';
import type { SubscriptionMove, SubscriptionState } from './subscription-move.ts';
import { changeInvoice, insertInvoice, saveSubscription } from './subscription-store.ts';

export interface SubscriptionWrites extends Writes {
  /** The order's new status. */
  readonly orderStatus?: OrderStatus;
}

/** The subscription after a state transition, with the time of its next check. */
function afterwards(
  { account, subscription, invoices }: SubscriptionState,
  { subscription: change = {}, invoice }: Changes,
  report: SubscriptionReport | undefined,
  at: number,
): Subscription {
  const gatewayId = report?.subscription?.subscriptionId;
  const changed = { ...subscription, ...(gatewayId !== undefined && { gatewayId }), ...change };
  const others = invoices.filter(({ invoiceId }) => invoiceId !== invoice?.invoiceId);
  const all = invoice ? [...others, invoice] : others;
  return { ...changed, checkAt: nextCheckAt(changed, all, at, account), deleteAt: deletableAt(changed, all) };
}

/**
 * What an invoice adds to the figures in money: revenue with its first credits, a refund once all of it is returned,
 * and revenue again if it is paid after all. If an invoice grants no credits, its case decides.
 */
function moneyOf({ order: { gateway }, invoices }: State, { invoice, credits }: Changes): Counts {
  if (!invoice) return {};
  const known = invoices.find(({ invoiceId }) => invoiceId === invoice.invoiceId);
  const paid = { what: 'subscription', gateway, cents: invoice.cents } as const;
  if (!known) return credits && invoice.granted > 0 ? paymentCounts('revenue', paid) : {};
  const isCounted = known.granted > 0 || known.wins !== undefined;
  const [was, is] = [known.refundedAt !== undefined, invoice.refundedAt !== undefined];
  if (was === is || (is && !isCounted)) return {};
  return paymentCounts(is ? 'returned' : 'revenue', paid);
}

/** The writes that resolve the cases that a state transition makes obsolete. */
const endingsOf = (state: State, move: SubscriptionMove, at: number) =>
  endedBy(state, move, state.cases ?? []).map(({ found, resolution }) =>
    endCase(found, { resolution, at, endedAt: at }),
  );

/**
 * The transaction that precedes a state transition if it resolves too many cases for one: it resolves some of them,
 * unless the subscription has changed since it was read.
 */
export function writesBefore(state: State, move: SubscriptionMove, at: number): Writes | undefined {
  const ended = endingsOf(state, move, at);
  if (ended.length <= maxEndedAtOnce) return undefined;
  return { actions: [saveSubscription(state.subscription), ...ended.slice(0, maxEndedAtOnce)] };
}

/**
 * The transaction of a state transition, conditional on no change of the subscription, the account, the successor or
 * the conflicting subscription since they were read.
 */
export function writesOf(
  state: State,
  move: SubscriptionMove,
  report: SubscriptionReport | undefined,
  row: At,
): SubscriptionWrites {
  const changes = changesOf(state, move, row);
  const { order, invoice, account, credits, found } = changes;
  const { accountId, orderId } = state.order;
  const known = invoice && state.invoices.find(({ invoiceId }) => invoiceId === invoice.invoiceId);
  const onInvoice = invoice && (known ? changeInvoice(orderId, known, invoice) : insertInvoice(orderId, invoice));
  const actions = [
    saveSubscription(afterwards(state, changes, report, row.at)),
    order && moveOrder(state.order, order),
    onInvoice,
    account && changeAccount(accountId, orderId, account),
    ...(order ? settleRedemption(state.order, order.status, state.redeemedBy) : []),
    // Increments the version of the subscription whose plan the account gets, so that no concurrent change of that
    // subscription is missed.
    account?.plan?.source !== undefined && state.successor && saveSubscription(state.successor),
    state.conflicting && saveSubscription(state.conflicting),
    credits && appendLedgerRow({ ...row, accountId, orderId, ...credits }),
    ...countFigures(accountId, row.at, credits ? rowCounts(credits) : {}, moneyOf(state, changes)),
    ...endingsOf(state, move, row.at),
  ];
  return {
    actions: actions.filter((action) => typeof action === 'object'),
    ...(order && { orderStatus: order.status }),
    ...(found && { found }),
  };
}
