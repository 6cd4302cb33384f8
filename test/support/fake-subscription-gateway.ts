/** A subscription gateway in memory, which knows the actual payments, whatever the service learns about them. */
import { isDeepStrictEqual } from 'node:util';
import type { CheckoutRequest, PaidInvoice, SubscriptionGateway } from '../../shared/gateways/subscription-gateway.ts';
import type { Clock } from '../../shared/platform/clock.ts';
import {
  type ActualCheckout,
  type ActualSubscription,
  afterwards,
  agreedCents,
  type Card,
  currency,
  type Payment,
  paid,
  reportOf,
} from './actual-checkout.ts';
import { changedBetween, type GatewayOutcome, respondingBy } from './gateway-outcome.ts';
import { testIds } from './test-table.ts';

/** The result of a dispute; a lost one can still be won later. */
export type DisputeStep = 'opened' | 'won' | 'lost';

/** Checkouts are identified by their order, or by their own id. */
export interface FakeSubscriptionGateway {
  checkouts(): readonly ActualCheckout[];
  of(name: string): ActualCheckout | undefined;
  /** The gateway as the service sees it: its requests have this outcome. */
  seen(outcome?: GatewayOutcome): SubscriptionGateway;
  /** Actions of the customer: pays the checkout while it is open, then its pending payment. */
  complete(name: string, payment?: Payment): void;
  expire(name: string): void;
  useCard(name: string, card: Card): void;
  cancel(name: string, when: 'now' | 'period-end'): void;
  /** An action of an operator at the gateway: the next period begins, and is charged, immediately. */
  moveAnchor(name: string): void;
  /** Creates another checkout for the same order, without a request by the service. */
  stray(name: string): void;
  /** Actions of the gateway or the customer's bank. */
  refund(invoiceId: string, cents?: number): void;
  /** The bank rejects the refunds of a payment that was returned in full. */
  failRefunds(invoiceId: string): void;
  dispute(invoiceId: string, step: DisputeStep): void;
}

/** The properties that the gateway compares if a request with the same key is repeated. */
const sent = ({ planId: _planId, ...request }: CheckoutRequest) => request;

export function fakeSubscriptionGateway(clock: Clock): FakeSubscriptionGateway {
  // Each test has a gateway with its own name, because the progress of searches is stored by the gateway's name.
  const name = `fake-${testIds.next()}`;
  const known = new Map<string, ActualCheckout>();

  /** Applies all changes that happen by themselves until now. */
  const checkouts = (): ActualCheckout[] => {
    for (const checkoutId of known.keys()) {
      let next = known.get(checkoutId);
      while (next) {
        known.set(checkoutId, next);
        next = afterwards(next, clock.now());
      }
    }
    return [...known.values()];
  };
  const of = (name: string) =>
    checkouts().find(
      ({ checkoutId, isStray, request }) => checkoutId === name || (request.orderId === name && !isStray),
    );
  const named = (subject: string) =>
    checkouts().find(
      ({ checkoutId, subscription }) =>
        checkoutId === subject ||
        subscription?.subscriptionId === subject ||
        subscription?.invoices.some(({ invoiceId }) => invoiceId === subject),
    );
  const put = (checkout: ActualCheckout) =>
    void known.set(checkout.checkoutId, { ...checkout, changedAt: clock.now() });
  const change = (checkout: ActualCheckout, given: Partial<ActualSubscription>) => {
    if (checkout.subscription) put({ ...checkout, subscription: { ...checkout.subscription, ...given } });
  };

  const add = (request: CheckoutRequest, given: Pick<ActualCheckout, 'isStray'> = {}): ActualCheckout => {
    const at = clock.now();
    const made = {
      checkoutId: testIds.next(),
      request,
      createdAt: at,
      changedAt: at,
      status: 'open',
      ...given,
    } as const;
    put(made);
    return made;
  };
  const expire = (checkout: ActualCheckout | undefined) => {
    if (checkout?.status === 'open') put({ ...checkout, status: 'expired' });
  };
  const cancel = (checkout: ActualCheckout | undefined, when: 'now' | 'period-end') => {
    const status = checkout?.subscription?.status ?? 'canceled';
    if (!checkout || status === 'canceled') return;
    change(checkout, when === 'now' || status === 'unpaid' ? { status: 'canceled' } : { isEnding: true });
  };

  /** The amount of each payment that had been refunded before it was charged back. */
  const chargedBack = new Map<string, number>();
  const changeInvoice = (invoiceId: string, changed: (invoice: PaidInvoice) => Partial<PaidInvoice>) => {
    const checkout = named(invoiceId);
    const invoices = checkout?.subscription?.invoices.map((invoice) =>
      invoice.invoiceId === invoiceId && invoice.cents > 0 ? { ...invoice, ...changed(invoice) } : invoice,
    );
    if (checkout && invoices) change(checkout, { invoices });
  };

  const seen: FakeSubscriptionGateway['seen'] = (outcome = 'responds') => {
    const respond = respondingBy(outcome);
    return {
      name,
      createCheckout: async (request) =>
        outcome === 'refuses'
          ? { refusal: 'the seller is not active' }
          : respond(() => {
              const { checkoutId, request: first } = of(request.orderId) ?? add(request);
              if (!isDeepStrictEqual(sent(first), sent(request))) return { conflict: true };
              const url = `https://checkout.example/${checkoutId}`;
              return { checkoutId, url, orderId: first.orderId, cents: agreedCents(first, 0), currency };
            }),
      read: (subject) =>
        respond(() => {
          const found = named(subject);
          return found && reportOf(found);
        }),
      expireCheckout: (checkoutId) => respond(() => expire(named(checkoutId))),
      cancel: (subscriptionId, when) => respond(() => cancel(named(subscriptionId), when)),
      async *changedSince(at, until) {
        yield* await respond(() => changedBetween(checkouts(), at, until).map(reportOf));
      },
      readEvent: async () => undefined,
    };
  };

  return {
    checkouts,
    of,
    seen,
    complete(name, payment = {}) {
      const checkout = of(name);
      const now = clock.now();
      if (checkout?.status === 'open') {
        const started = { status: 'unpaid', isEnding: false, invoices: [], card: 'works' } as const;
        const times = { startedAt: now, anchor: { at: now, index: 0 } };
        const subscription = { subscriptionId: testIds.next(), ...started, ...times };
        const completed = { ...checkout, status: 'completed', subscription } as const;
        put(payment.isWaiting ? completed : paid(completed, now, payment));
      } else if (checkout?.subscription?.status === 'unpaid') put(paid(checkout, now, payment));
    },
    expire: (name) => expire(of(name)),
    useCard(name, card) {
      const checkout = of(name);
      // The change is not reported: `changedAt` stays the same.
      if (checkout?.subscription)
        known.set(checkout.checkoutId, { ...checkout, subscription: { ...checkout.subscription, card } });
    },
    cancel: (name, when) => cancel(of(name), when),
    moveAnchor(name) {
      const checkout = of(name);
      const { status, invoices = [], card } = checkout?.subscription ?? {};
      const now = clock.now();
      // If a period began at the same time as the last one, the two would be identical.
      if (!checkout?.subscription || status !== 'active' || now <= (invoices.at(-1)?.periodStart ?? now)) return;
      if (card === 'fails') return;
      const anchor = { at: now, index: invoices.length };
      put(
        paid(
          { ...checkout, subscription: { ...checkout.subscription, anchor } },
          now,
          card === 'pays too little' ? { cents: 1 } : {},
        ),
      );
    },
    stray(name) {
      const request = of(name)?.request;
      if (request) add(request, { isStray: true });
    },
    refund: (invoiceId, cents) =>
      changeInvoice(invoiceId, (invoice) => {
        const refundedCents = Math.min(invoice.cents, invoice.refundedCents + (cents ?? invoice.cents));
        const isRefunded = refundedCents === invoice.cents;
        return { refundedCents, isRefunded, isDisputed: invoice.isDisputed && !isRefunded };
      }),
    failRefunds: (invoiceId) =>
      changeInvoice(invoiceId, ({ isRefunded }) =>
        isRefunded && !chargedBack.has(invoiceId) ? { isRefunded: false, refundedCents: 0 } : {},
      ),
    dispute: (invoiceId, step) =>
      changeInvoice(invoiceId, (invoice) => {
        const { cents, isDisputed, isRefunded, refundedCents } = invoice;
        if (step === 'opened') return isRefunded ? {} : { isDisputed: true };
        if (step === 'lost' && isDisputed) {
          chargedBack.set(invoiceId, refundedCents);
          return { isDisputed: false, isRefunded: true, refundedCents: cents };
        }
        const before = chargedBack.get(invoiceId);
        if (step !== 'won' || (!isDisputed && before === undefined)) return {};
        chargedBack.delete(invoiceId);
        return { isDisputed: false, isRefunded: false, ...(before !== undefined && { refundedCents: before }) };
      }),
  };
}
