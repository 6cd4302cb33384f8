/** A PIX gateway in memory, which knows the actual payments, whatever the service learns about them. */
import type { PixCharge, PixGateway, PixPayment } from '../../shared/gateways/pix-gateway.ts';
import type { Clock } from '../../shared/platform/clock.ts';
import { changedBetween, type GatewayOutcome, respondingBy } from './gateway-outcome.ts';
import { testIds } from './test-table.ts';

export interface ActualPayment extends PixPayment {
  /** Whether the charge was ever paid or refunded. */
  readonly wasPaid: boolean;
  readonly wasReturned?: boolean;
}

export interface FakePixGateway {
  readonly payments: ReadonlyMap<string, ActualPayment>;
  /** The gateway as the service sees it: its requests have this outcome. */
  seen(outcome?: GatewayOutcome): PixGateway;
  paymentsOf(orderId: string): ActualPayment[];
  /** Actions of the payer: pays the charge while it is pending, and further payments for the same code after that. */
  pay(orderId: string, as?: { readonly cents?: number; readonly currency?: string }): void;
  /** Actions of the gateway or the payer's bank. */
  refund(paymentId: string, cents?: number): void;
  end(paymentId: string, status: 'expired' | 'canceled' | 'failed'): void;
  /** The payer has disputed the payment, which is not yet decided. */
  dispute(paymentId: string): void;
  /** A dispute or chargeback is decided in the seller's favor. */
  win(paymentId: string): void;
}

export function fakePixGateway(clock: Clock): FakePixGateway {
  // Each test has a gateway with its own name, because the progress of searches is stored by the gateway's name.
  const name = `fake-${testIds.next()}`;
  const payments = new Map<string, ActualPayment>();
  const paymentsOf = (orderId: string) => [...payments.values()].filter((payment) => payment.orderId === orderId);
  /** Stores a payment; no two changes of a payment have the same time. */
  const put = (payment: Omit<ActualPayment, 'changedAt'>) => {
    const last = payments.get(payment.paymentId)?.changedAt ?? 0;
    payments.set(payment.paymentId, { ...payment, changedAt: Math.max(clock.now(), last + 1) });
  };
  const add = (orderId: string, cents: number, given: Partial<ActualPayment> = {}): ActualPayment => {
    const paymentId = testIds.next();
    const made = { paymentId, orderId, status: 'pending', cents, currency: 'BRL', refundedCents: 0 } as const;
    put({ ...made, createdAt: clock.now(), wasPaid: false, ...given });
    return payments.get(paymentId) as ActualPayment;
  };
  const chargeOf = (payment: ActualPayment): PixCharge => ({
    payment,
    qrCode: `pix ${payment.orderId}`,
    qrCodeBase64: 'data:image/png;base64,AAAA',
  });

  const end: FakePixGateway['end'] = (paymentId, status) => {
    const payment = payments.get(paymentId);
    if (payment?.status === 'pending') put({ ...payment, status });
  };

  const seen: FakePixGateway['seen'] = (outcome = 'responds') => {
    const respond = respondingBy(outcome);
    return {
      name,
      createCharge: async ({ orderId, cents }) =>
        outcome === 'refuses'
          ? { refusal: 'the seller has no PIX key' }
          : respond(() => chargeOf(paymentsOf(orderId)[0] ?? add(orderId, cents))),
      read: (paymentId) => respond(() => payments.get(paymentId)),
      cancel: (paymentId) => respond(() => end(paymentId, 'canceled')),
      async *changedSince(at, until) {
        const changed = await respond(() => changedBetween(payments.values(), at, until));
        yield* changed.toSorted((one, other) => one.changedAt - other.changedAt);
      },
      readEvent: async () => undefined,
    };
  };

  return {
    payments,
    paymentsOf,
    seen,
    end,
    pay(orderId, { cents, currency = 'BRL' } = {}) {
      const [first] = paymentsOf(orderId);
      if (!first) return;
      const paid = { cents: cents ?? first.cents, currency, status: 'paid', wasPaid: true } as const;
      if (first.status === 'pending') put({ ...first, ...paid });
      else add(orderId, first.cents, paid);
    },
    dispute(paymentId) {
      const payment = payments.get(paymentId);
      if (payment?.status === 'paid') put({ ...payment, status: 'disputed' });
    },
    win(paymentId) {
      const payment = payments.get(paymentId);
      if (payment?.status === 'disputed') put({ ...payment, status: 'paid' });
      if (payment?.status === 'refunded') put({ ...payment, status: 'paid', refundedCents: 0 });
    },
    refund(paymentId, cents) {
      const payment = payments.get(paymentId);
      if (payment?.status !== 'paid' && payment?.status !== 'disputed') return;
      const refundedCents = Math.min(payment.cents, payment.refundedCents + (cents ?? payment.cents));
      put({
        ...payment,
        refundedCents,
        ...(refundedCents === payment.cents && { status: 'refunded', wasReturned: true }),
      });
    },
  };
}
