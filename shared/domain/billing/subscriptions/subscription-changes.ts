/** What each state transition of a subscription changes: the subscription, its order, an invoice and the account. */
import type { PaidInvoice } from '../../../gateways/subscription-gateway.ts';
import type { AccountChange } from '../../accounts/account-subscription.ts';
import type { LedgerRow } from '../../accounts/ledger.ts';
import type { BillingCase } from '../cases/billing-case.ts';
import { caseOf, isWinDecided } from '../cases/subscription-cases.ts';
import type { moveOrder } from '../orders/order-store.ts';
import { type Invoice, type Subscription, wasActive } from './subscription.ts';
import type { SubscriptionMove, SubscriptionState } from './subscription-move.ts';

/** The time of the writes, and the id of the ledger row. */
export type At = Pick<LedgerRow, 'id' | 'at'>;

/** The state, including other subscriptions that may end at the same time. */
export type State = SubscriptionState & {
  /** The subscription whose plan the account gets if this one's ends. */
  readonly successor?: Subscription | undefined;
  /** The subscription that provides the account's plan while this one is canceled but its period is paid for. */
  readonly conflicting?: Subscription | undefined;
  /** The account's order that has redeemed the same coupon, if there is one. */
  readonly redeemedBy?: string | undefined;
  /** The order's cases, if the state transition can resolve one. */
  readonly cases?: readonly BillingCase[];
};

export interface Changes {
  readonly subscription?: Partial<Subscription>;
  readonly order?: Parameters<typeof moveOrder>[1];
  /** The invoice after the state transition. */
  readonly invoice?: Invoice;
  readonly account?: AccountChange;
  /** The balance change that the ledger records. */
  readonly credits?: { readonly amount: number; readonly reason: LedgerRow['reason'] };
  readonly found?: BillingCase;
}

/** Whether the account loses its plan. */
export const endsPlan = ({ account, subscription }: SubscriptionState, move: SubscriptionMove): boolean =>
  account.planSource === subscription.subscriptionId &&
  (move.kind === 'lapse' || (move.kind === 'refund' && move.isLast));

function planAfter({ successor }: State): AccountChange {
  if (!successor) return { plan: null };
  const { planId, features, subscriptionId: source } = successor;
  return { plan: { planId, features, source }, only: 'if it gave the plan' };
}

const recorded = (invoice: PaidInvoice, given: Pick<Invoice, 'granted'> & Partial<Invoice>): Invoice => {
  const { invoiceId, cents, periodStart, periodEnd, paidAt } = invoice;
  return { invoiceId, cents, periodStart, periodEnd, paidAt, refundedCents: 0, ...given };
};

/** The period that an invoice pays for, unless it is earlier than the current one. */
const period = ({ subscription }: SubscriptionState, { periodStart, periodEnd }: PaidInvoice) =>
  periodEnd >= (subscription.currentPeriodEnd ?? 0)
    ? { currentPeriodStart: periodStart, currentPeriodEnd: periodEnd, lapsedAt: undefined }
    : {};

const activate = ({ order, subscription }: SubscriptionState, invoice: PaidInvoice, { at }: At): Changes => {
  const { planId, features, creditsPerMonth: amount } = subscription;
  const { periodStart: currentPeriodStart, periodEnd: currentPeriodEnd, invoiceId: paidBy } = invoice;
  return {
    order: { status: 'paid', paidBy, paidAt: at, ...(order.status === 'expired' && { isLate: true }) },
    subscription: { status: 'active', currentPeriodStart, currentPeriodEnd, isClosed: undefined },
    invoice: recorded(invoice, { granted: 1 }),
    account: { credits: amount, active: 'begins', plan: { planId, features }, isPaidFor: true },
    credits: { amount, reason: 'subscription' },
  };
};

/**
 * The plan that a renewal gives. A renewal of a canceled subscription gives it too, unless the account has another
 * plan: what was paid for is delivered.
 */
function planOfRenewal({ account, subscription }: SubscriptionState): AccountChange {
  const { subscriptionId, status, planId, features } = subscription;
  const plan = { planId, features };
  if (status !== 'canceled') return { plan, only: 'if active' };
  if (account.planSource === subscriptionId) return { plan, only: 'if it gave the plan' };
  return account.planId === undefined ? { plan, only: 'if it has no plan' } : {};
}

const renew = (
  state: SubscriptionState,
  { invoice, isOverlapping }: Extract<SubscriptionMove, { kind: 'renew' }>,
  { at }: At,
): Changes => {
  const { status, creditsPerMonth: amount } = state.subscription;
  const moved = period(state, invoice);
  return {
    subscription: { ...moved, status: status === 'canceled' ? status : 'active' },
    invoice: recorded(invoice, { granted: 1 }),
    account: { credits: amount, isPaidFor: true, ...('lapsedAt' in moved && planOfRenewal(state)) },
    credits: { amount, reason: 'subscription' },
    ...(isOverlapping && { found: caseOf('overlapping-periods', state, invoice, { cents: invoice.cents, at }) }),
  };
};

const reject = (
  state: SubscriptionState,
  { invoice, caseKind }: Extract<SubscriptionMove, { kind: 'reject' }>,
  { at }: At,
): Changes => ({
  order: caseKind === 'wrong-amount' ? { status: 'failed' } : { status: 'canceled', canceledAt: at },
  subscription: { status: 'abandoned', isClosed: undefined },
  invoice: recorded(invoice, { granted: 0 }),
  found: caseOf(caseKind, state, invoice, { cents: invoice.cents, at }),
});

const orderAfterRefund = ({ order }: SubscriptionState, { invoiceId: paidBy }: PaidInvoice, at: number) => {
  if (order.status === 'paid')
    return order.paidBy === paidBy ? { status: 'refunded' as const, refundedAt: at } : undefined;
  const isPayable = order.status === 'pending' || order.status === 'expired';
  return isPayable ? { status: 'refunded' as const, paidBy, paidAt: at, refundedAt: at } : undefined;
};

function subscriptionAfterRefund({ order, subscription }: SubscriptionState, isLast: boolean, at: number) {
  const { status } = subscription;
  const ends = status === 'active' || status === 'past_due';
  if (wasActive(subscription)) {
    if (!isLast) return {};
    return { lapsedAt: at, ...(ends && { status: 'canceled' as const, canceledAt: at, isClosed: undefined }) };
  }
  const isPayable = order.status === 'pending' || order.status === 'expired';
  return isPayable ? { status: 'abandoned' as const, isClosed: undefined } : {};
}

/**
 * Takes back as many of the invoice's credits as are left. Opens a case for the rest, to which refunds of open tasks
 * will go.
 */
function refund(state: State, move: Extract<SubscriptionMove, { kind: 'refund' }>, { at }: At): Changes {
  const { invoice, known, isLast } = move;
  const { account, subscription } = state;
  const { status, creditsPerMonth } = subscription;
  const credits = (known?.granted ?? 0) * creditsPerMonth;
  const taken = Math.min(account.balance, credits);
  const missing = { cents: invoice.cents, at, missingCredits: credits - taken };
  const isAgain = known?.wins !== undefined && isWinDecided(state, move);
  const again = isAgain
    ? caseOf('returned-again', state, invoice, { cents: invoice.cents, at, nth: known.wins })
    : undefined;
  const used = taken < credits ? caseOf('used-credits', state, invoice, missing) : undefined;
  const found = used ?? again;
  const order = orderAfterRefund(state, invoice, at);
  return {
    ...(order && { order }),
    subscription: subscriptionAfterRefund(state, isLast, at),
    invoice: {
      ...(known ?? recorded(invoice, { granted: 0 })),
      refundedCents: invoice.cents,
      refundedAt: at,
      isDisputed: undefined,
    },
    account: {
      ...(used ? { emptied: { account, caseId: used.caseId } } : { credits: -credits }),
      ...(isLast && (status === 'active' || status === 'past_due') && { active: 'ends' }),
      ...(endsPlan(state, move) && planAfter(state)),
    },
    ...(taken > 0 && { credits: { amount: -taken, reason: 'refund' } }),
    ...(found && { found }),
  };
}

function returnPart(
  state: SubscriptionState,
  { invoice, known }: Extract<SubscriptionMove, { kind: 'return-part' }>,
  { at }: At,
): Changes {
  const { refundedCents } = invoice;
  // If refunds fail at the bank, the same amount can be refunded again.
  const nth = (known.wins ?? 0) + (known.failures ?? 0) + 1;
  const found = caseOf('partial-refund', state, invoice, { cents: refundedCents, at, nth });
  return { invoice: { ...known, refundedCents }, found };
}

/** The cases of other amounts are resolved, so that one is opened for what is still returned. */
function returnLess(
  state: State,
  { invoice, known }: Extract<SubscriptionMove, { kind: 'return-less' }>,
  row: At,
): Changes {
  const failed = { ...known, failures: (known.failures ?? 0) + 1 };
  if (invoice.refundedCents > 0) return returnPart(state, { kind: 'return-part', invoice, known: failed }, row);
  return { invoice: { ...failed, refundedCents: 0 } };
}

function dispute(
  state: SubscriptionState,
  { invoice, known }: Extract<SubscriptionMove, { kind: 'dispute' }>,
  { at }: At,
): Changes {
  if (!invoice.isDisputed) return { invoice: { ...known, isDisputed: undefined } };
  const disputes = (known.disputes ?? 0) + 1;
  const found = caseOf('disputed-payment', state, invoice, { cents: invoice.cents, at, nth: disputes });
  return { invoice: { ...known, isDisputed: true, disputes }, found };
}

/** The invoice grants nothing automatically: only an operator can decide how many credits are due. */
function win(
  state: SubscriptionState,
  { invoice, known }: Extract<SubscriptionMove, { kind: 'win' }>,
  { at }: At,
): Changes {
  const wins = (known.wins ?? 0) + 1;
  const found = caseOf('payment-after-refund', state, invoice, { cents: invoice.cents, at, nth: wins });
  const { refundedCents } = invoice;
  return { invoice: { ...known, granted: 0, refundedCents, refundedAt: undefined, wins }, found };
}

const grant = ({ subscription: { creditsPerMonth: amount } }: SubscriptionState, invoice: Invoice): Changes => ({
  invoice: { ...invoice, granted: invoice.granted + 1 },
  account: { credits: amount, isPaidFor: true },
  credits: { amount, reason: 'subscription' },
});

/** Whether a state transition adds the credits of one month. */
export const addsMonth = ({ kind }: SubscriptionMove): boolean =>
  kind === 'activate' || kind === 'renew' || kind === 'grant';

/** What a state transition changes. */
export function changesOf(state: State, move: SubscriptionMove, row: At): Changes {
  const { at } = row;
  switch (move.kind) {
    case 'activate':
      return activate(state, move.invoice, row);
    case 'reject':
      return reject(state, move, row);
    case 'renew':
      return renew(state, move, row);
    case 'flag': {
      const found = caseOf(move.caseKind, state, move.invoice, { cents: move.invoice.cents, at });
      return { invoice: recorded(move.invoice, { granted: 0 }), found };
    }
    case 'refund':
      return refund(state, move, row);
    case 'return-part':
      return returnPart(state, move, row);
    case 'return-less':
      return returnLess(state, move, row);
    case 'dispute':
      return dispute(state, move, row);
    case 'win':
      return win(state, move, row);
    case 'grant':
      return grant(state, move.invoice);
    case 'expire':
      return { order: { status: 'expired' }, subscription: { status: 'abandoned', isClosed: true } };
    case 'give-up':
      return {
        order: { status: 'canceled', canceledAt: at },
        subscription: { status: 'abandoned', isClosed: true },
      };
    case 'end':
      return { subscription: { status: 'canceled', canceledAt: at, isClosed: true }, account: { active: 'ends' } };
    case 'close':
      return { subscription: { isClosed: true } };
    case 'follow':
      return { subscription: { status: move.status, isEnding: move.isEnding } };
    case 'lapse':
      return { subscription: { lapsedAt: at }, ...(endsPlan(state, move) && { account: planAfter(state) }) };
    default:
      return {};
  }
}
