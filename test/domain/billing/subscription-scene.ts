/** A subscription in each of its states, and the gateway's reports about it. */
import type { Account } from '../../../shared/domain/accounts/account.ts';
import type { SubscriptionOrder } from '../../../shared/domain/billing/orders/order.ts';
import type { Invoice, Subscription } from '../../../shared/domain/billing/subscriptions/subscription.ts';
import type { SubscriptionState } from '../../../shared/domain/billing/subscriptions/subscription-move.ts';
import type {
  PaidInvoice,
  ReportedSubscription,
  SubscriptionReport,
} from '../../../shared/gateways/subscription-gateway.ts';
import { anAccount, testIds, testTime } from '../../support/test-table.ts';

export const dayMs = 24 * 3_600_000;
export const start = testTime;
export const monthEnd = Date.UTC(2030, 1, 1);
export const yearEnd = Date.UTC(2031, 0, 1);

export interface GivenState {
  readonly order?: Partial<SubscriptionOrder>;
  readonly subscription?: Partial<Subscription>;
  readonly account?: Partial<Account>;
  readonly invoices?: readonly Invoice[];
}

/** A pending order of 2000 credits a month for R$ 149.90, with R$ 49.90 off the first month. */
export function pendingState(given: GivenState = {}): SubscriptionState {
  const account = anAccount({ balance: 0, ...given.account });
  const { accountId } = account;
  const orderId = testIds.next();
  const plan = { planId: 'pro', planName: 'Pro', billingCycle: 'monthly', gateway: 'stripe' } as const;
  const checkout = { checkoutId: 'cs_1', payableUntil: start + dayMs / 2, createdAt: start };
  return {
    order: {
      ...plan,
      ...checkout,
      type: 'subscription',
      orderId,
      accountId,
      status: 'pending',
      cents: 10_000,
      credits: 2000,
      checkoutUrl: 'https://pay.example/cs_1',
      ...given.order,
    },
    subscription: {
      ...plan,
      ...checkout,
      subscriptionId: orderId,
      accountId,
      version: 0,
      status: 'pending',
      creditsPerMonth: 2000,
      features: ['cortes', 'studio'],
      cents: 14_990,
      checkAt: start + dayMs,
      ...given.subscription,
    },
    account,
    invoices: given.invoices ?? [],
  };
}

/** The subscription after its first month was paid. */
export function activeState(given: GivenState = {}): SubscriptionState {
  const state = pendingState({
    ...given,
    order: { status: 'paid', paidBy: 'in_1', paidAt: start, ...given.order },
    subscription: { status: 'active', currentPeriodStart: start, currentPeriodEnd: monthEnd, ...given.subscription },
    invoices: given.invoices ?? [paidInvoice()],
  });
  const { subscriptionId, planId, features } = state.subscription;
  const active = { activeSubscription: subscriptionId, planSource: subscriptionId, planId, features };
  return { ...state, account: { ...state.account, ...active, ...given.account } };
}

/** The subscription as it is stored. */
export const paidInvoice = (given: Partial<Invoice> = {}): Invoice => ({
  invoiceId: 'in_1',
  cents: 10_000,
  periodStart: start,
  periodEnd: monthEnd,
  paidAt: start,
  granted: 1,
  refundedCents: 0,
  ...given,
});

/** The subscription as the gateway reports it. */
export const invoice = (given: Partial<PaidInvoice> = {}): PaidInvoice => ({
  invoiceId: 'in_1',
  cents: 10_000,
  currency: 'BRL',
  periodStart: start,
  periodEnd: monthEnd,
  paidAt: start,
  refundedCents: 0,
  isRefunded: false,
  isDisputed: false,
  ...given,
});

export const annual = { billingCycle: 'annual', currentPeriodEnd: yearEnd } as const;
export const wholeYear = invoice({ periodEnd: yearEnd });

/** The invoice for the second month. */
export const renewal = (given: Partial<PaidInvoice> = {}): PaidInvoice =>
  invoice({ invoiceId: 'in_2', cents: 14_990, periodStart: monthEnd, periodEnd: Date.UTC(2030, 2, 1), ...given });

export const returned = (given: PaidInvoice): PaidInvoice => ({
  ...given,
  refundedCents: given.cents,
  isRefunded: true,
  isDisputed: false,
});

export const report = (
  state: SubscriptionState,
  subscription?: Partial<ReportedSubscription>,
  checkout: SubscriptionReport['checkout'] = subscription ? 'completed' : 'open',
): SubscriptionReport => ({
  subject: 'cs_1',
  orderId: state.order.orderId,
  createdAt: start,
  checkout,
  ...(subscription && {
    subscription: { subscriptionId: 'sub_1', status: 'active', isEnding: false, invoices: [], ...subscription },
  }),
});
