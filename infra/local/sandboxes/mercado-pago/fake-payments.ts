/** The payments of the fake: what sellers, payers and time do to them. */
import { randomUUID } from 'node:crypto';
import { pixCode } from './pix-code.ts';
import { qrImage } from './qr-image.ts';

export interface FakePayment {
  readonly id: number;
  readonly status: string;
  readonly status_detail: string;
  readonly external_reference: string;
  readonly description: string;
  readonly transaction_amount: number;
  readonly transaction_amount_refunded: number;
  readonly currency_id: string;
  readonly payment_method_id: 'pix';
  readonly notification_url: string;
  readonly date_created: string;
  readonly date_last_updated: string;
  readonly date_approved: string | null;
  readonly date_of_expiration: string;
  readonly payer: { readonly email: string };
  readonly point_of_interaction: {
    readonly type: 'PIX';
    readonly transaction_data: {
      readonly qr_code: string;
      readonly qr_code_base64: string;
      readonly ticket_url: string;
    };
  };
}

/** A request that was found to be valid. */
export interface NewPayment {
  readonly cents: number;
  readonly reference: string;
  readonly description: string;
  readonly notificationUrl: string;
  readonly expiresAt: number;
  readonly email: string;
}

/** What a payer, the payer's bank or time does. */
export const deeds = ['pay', 'pay-wrong-amount', 'expire', 'refund', 'refund-part', 'charge-back'] as const;
export type Deed = (typeof deeds)[number];

const sellerKey = '7d9f0335-8dcc-4054-9bf9-0dbd61d36906';

/** Dates have the offset of Brasilia. */
const offsetMs = 3 * 3_600_000;
export const dated = (at: number): string => new Date(at - offsetMs).toISOString().replace('Z', '-03:00');

interface Options {
  readonly now: () => number;
  /** The page of a payment. */
  readonly pageUrl: (id: number) => string;
  readonly onChange: (payment: FakePayment, action: 'payment.created' | 'payment.updated') => void;
}

export function fakePayments({ now, pageUrl, onChange }: Options) {
  const payments = new Map<number, FakePayment>();
  /** The ids by idempotency key: a payment is being made from the first request on. */
  const byKey = new Map<string, Promise<number>>();

  const change = (id: number, changes: Partial<FakePayment>): FakePayment | undefined => {
    const payment = payments.get(id);
    if (!payment) return undefined;
    const changed = { ...payment, ...changes, date_last_updated: dated(now()) };
    payments.set(id, changed);
    onChange(changed, 'payment.updated');
    return changed;
  };

  const add = (payment: Omit<FakePayment, 'id' | 'date_created' | 'date_last_updated'>, id: number): FakePayment => {
    const made = { id, date_created: dated(now()), date_last_updated: dated(now()), ...payment };
    payments.set(id, made);
    onChange(made, 'payment.created');
    return made;
  };

  /** Of the real one, too, ids only grow. */
  let latest = now();
  const nextId = (): number => {
    latest += 1;
    return latest;
  };

  async function make({ cents, reference, description, notificationUrl, expiresAt, email }: NewPayment) {
    const id = nextId();
    const code = pixCode({ key: sellerKey, cents, transaction: `mp${randomUUID().replaceAll('-', '').slice(0, 23)}` });
    const image = await qrImage(code);
    add(
      {
        status: 'pending',
        status_detail: 'pending_waiting_transfer',
        external_reference: reference,
        description,
        transaction_amount: cents / 100,
        transaction_amount_refunded: 0,
        currency_id: 'BRL',
        payment_method_id: 'pix',
        notification_url: notificationUrl,
        date_approved: null,
        date_of_expiration: dated(expiresAt),
        payer: { email },
        point_of_interaction: {
          type: 'PIX',
          transaction_data: { qr_code: code, qr_code_base64: image.toString('base64'), ticket_url: pageUrl(id) },
        },
      },
      id,
    );
    return id;
  }

  const find = (id: number): FakePayment | undefined => {
    const payment = payments.get(id);
    const isOver = payment?.status === 'pending' && Date.parse(payment.date_of_expiration) <= now();
    return isOver ? change(id, { status: 'cancelled', status_detail: 'expired' }) : payment;
  };

  const approved = () => ({ status: 'approved', status_detail: 'accredited', date_approved: dated(now()) });

  /** A code that was paid already is paid once more. */
  const pay = (payment: FakePayment, amount: number): FakePayment | undefined => {
    const paid = { ...approved(), transaction_amount: amount };
    if (payment.status === 'pending') return change(payment.id, paid);
    const { id: _first, date_created: _created, date_last_updated: _updated, ...again } = payment;
    return add({ ...again, ...paid, transaction_amount_refunded: 0 }, nextId());
  };

  const refund = (payment: FakePayment, amount: number): FakePayment | undefined => {
    if (payment.status !== 'approved') return undefined;
    const refunded = Math.min(payment.transaction_amount, payment.transaction_amount_refunded + amount);
    const isWhole = refunded === payment.transaction_amount;
    return change(payment.id, {
      transaction_amount_refunded: refunded,
      ...(isWhole ? { status: 'refunded', status_detail: 'refunded' } : { status_detail: 'partially_refunded' }),
    });
  };

  return {
    find,
    /** One payment for each key, whatever a repeat asks for. */
    async create(key: string, given: NewPayment): Promise<FakePayment | undefined> {
      const making = byKey.get(key) ?? make(given);
      byKey.set(key, making);
      return find(await making);
    },
    all: (): FakePayment[] => [...payments.keys()].flatMap((id) => find(id) ?? []),
    cancel(id: number): FakePayment | undefined {
      const isPending = find(id)?.status === 'pending';
      return isPending ? change(id, { status: 'cancelled', status_detail: 'by_collector' }) : undefined;
    },
    /** Undefined if it is not possible in the payment's state. */
    do(id: number, deed: Deed): FakePayment | undefined {
      const payment = find(id);
      if (!payment) return undefined;
      const { transaction_amount: amount } = payment;
      switch (deed) {
        case 'pay':
          return pay(payment, amount);
        case 'pay-wrong-amount':
          return pay(payment, 0.01);
        case 'expire':
          return payment.status === 'pending'
            ? change(id, { status: 'cancelled', status_detail: 'expired' })
            : undefined;
        case 'refund':
          return refund(payment, amount);
        case 'refund-part':
          return refund(payment, 1);
        case 'charge-back': {
          const isPaid = payment.status === 'approved';
          return isPaid ? change(id, { status: 'charged_back', status_detail: 'settled' }) : undefined;
        }
      }
    },
  };
}

export type FakePayments = ReturnType<typeof fakePayments>;
