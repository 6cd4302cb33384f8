/** The payments of the fake, and the actions of sellers, payers and time that change them. */
import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import type { PaymentRecords } from './payment-records.ts';
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
      /** The end-to-end id that the payer's bank assigns to a payment. */
      readonly e2e_id: string | null;
    };
  };
}

/** A valid request for a payment. */
export interface NewPayment {
  readonly cents: number;
  readonly reference: string;
  readonly description: string;
  readonly notificationUrl: string;
  readonly expiresAt: number;
  readonly email: string;
}

/** Actions of a payer, the payer's bank or time. */
export const actions = [
  'pay',
  'pay-wrong-amount',
  'expire',
  'refund',
  'refund-part',
  'dispute',
  'charge-back',
  'win',
] as const;
export type Action = (typeof actions)[number];

const sellerKey = '7d9f0335-8dcc-4054-9bf9-0dbd61d36906';

/** The UTC offset of Brasilia, which all dates use. */
const offsetMs = 3 * 3_600_000;
export const dated = (at: number): string => new Date(at - offsetMs).toISOString().replace('Z', '-03:00');

interface Options {
  readonly records: PaymentRecords;
  readonly now: () => number;
  /** The URL of a payment's page. */
  readonly pageUrl: (id: number) => string;
  readonly onChange: (payment: FakePayment, action: 'payment.created' | 'payment.updated') => void;
}

type Content = Omit<FakePayment, 'id' | 'date_created' | 'date_last_updated'>;

/** Stores all payments and reports each change. */
function paymentBook({ records, now, onChange }: Options) {
  let latest = records.ids().at(-1) ?? randomInt(1e11, 2e11);
  const change = (id: number, changes: Partial<FakePayment>): FakePayment | undefined => {
    const payment = records.find(id);
    if (!payment) return undefined;
    const changed = { ...payment, ...changes, date_last_updated: dated(now()) };
    records.put(changed);
    onChange(changed, 'payment.updated');
    return changed;
  };
  const find = (id: number): FakePayment | undefined => {
    const payment = records.find(id);
    const isOver = payment?.status === 'pending' && Date.parse(payment.date_of_expiration) <= now();
    return isOver ? change(id, { status: 'cancelled', status_detail: 'expired' }) : payment;
  };
  return {
    change,
    find,
    all: (): FakePayment[] => records.ids().flatMap((id) => find(id) ?? []),
    /** The next id: higher than all earlier ones, as in the real API, and never a number that could be a timestamp. */
    nextId(): number {
      latest += randomInt(1, 1000);
      return latest;
    },
    add(id: number, content: Content): FakePayment {
      const made = { id, date_created: dated(now()), date_last_updated: dated(now()), ...content };
      records.put(made);
      onChange(made, 'payment.created');
      return made;
    },
  };
}

type Book = ReturnType<typeof paymentBook>;

async function make(
  book: Book,
  { cents, reference, description, notificationUrl, expiresAt, email }: NewPayment,
  pageUrl: Options['pageUrl'],
): Promise<number> {
  const id = book.nextId();
  const code = pixCode({ key: sellerKey, cents, transaction: `mp${randomUUID().replaceAll('-', '').slice(0, 23)}` });
  const image = await qrImage(code);
  book.add(id, {
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
      transaction_data: {
        qr_code: code,
        qr_code_base64: image.toString('base64'),
        ticket_url: pageUrl(id),
        e2e_id: null,
      },
    },
  });
  return id;
}

const payersBank = '18236120';

/** An end-to-end id: the bank's number, the minute in UTC, and eleven letters and digits. */
const endToEndId = (now: number): string =>
  `E${payersBank}${new Date(now)
    .toISOString()
    .replaceAll(/[^0-9]/g, '')
    .slice(0, 12)}${randomBytes(6).toString('hex').slice(1)}`;

/** Pays a code; if it has already been paid, the second payment becomes a separate one. */
function pay(book: Book, payment: FakePayment, amount: number, now: number): FakePayment | undefined {
  const { point_of_interaction: point } = payment;
  const paid = {
    status: 'approved',
    status_detail: 'accredited',
    date_approved: dated(now),
    transaction_amount: amount,
    point_of_interaction: { ...point, transaction_data: { ...point.transaction_data, e2e_id: endToEndId(now) } },
  };
  if (payment.status === 'pending') return book.change(payment.id, paid);
  const { id: _first, date_created: _created, date_last_updated: _updated, ...again } = payment;
  return book.add(book.nextId(), { ...again, ...paid, transaction_amount_refunded: 0 });
}

function refund(book: Book, payment: FakePayment, amount: number): FakePayment | undefined {
  if (payment.status !== 'approved') return undefined;
  const refunded = Math.min(payment.transaction_amount, payment.transaction_amount_refunded + amount);
  const isWhole = refunded === payment.transaction_amount;
  return book.change(payment.id, {
    transaction_amount_refunded: refunded,
    ...(isWhole ? { status: 'refunded', status_detail: 'refunded' } : { status_detail: 'partially_refunded' }),
  });
}

/** A decision of the payer's bank or Mercado Pago about a disputed payment. */
function quarrel(book: Book, { id, status }: FakePayment, action: 'dispute' | 'charge-back' | 'win') {
  if (action === 'dispute')
    return status === 'approved' ? book.change(id, { status: 'in_mediation', status_detail: 'pending' }) : undefined;
  if (action === 'charge-back') {
    const isPaid = status === 'approved' || status === 'in_mediation';
    return isPaid ? book.change(id, { status: 'charged_back', status_detail: 'settled' }) : undefined;
  }
  const isOpen = status === 'in_mediation' || status === 'charged_back';
  return isOpen ? book.change(id, { status: 'approved', status_detail: 'accredited' }) : undefined;
}

function perform(book: Book, payment: FakePayment, action: Action, now: number): FakePayment | undefined {
  const { id, status, transaction_amount: amount } = payment;
  switch (action) {
    case 'pay':
      return pay(book, payment, amount, now);
    case 'pay-wrong-amount':
      return pay(book, payment, 0.01, now);
    case 'expire':
      return status === 'pending' ? book.change(id, { status: 'cancelled', status_detail: 'expired' }) : undefined;
    case 'refund':
      return refund(book, payment, amount);
    case 'refund-part':
      return refund(book, payment, 1);
    default:
      return quarrel(book, payment, action);
  }
}

export function fakePayments(options: Options) {
  const book = paymentBook(options);
  /** Payment ids by idempotency key, assigned from the first request on. */
  const beingMade = new Map<string, Promise<number>>();
  return {
    find: book.find,
    all: book.all,
    /** Creates one payment per idempotency key, even if a repeated request differs. */
    async create(key: string, given: NewPayment): Promise<FakePayment | undefined> {
      const made = options.records.idOf(key);
      if (made !== undefined) return book.find(made);
      const making = beingMade.get(key) ?? make(book, given, options.pageUrl);
      beingMade.set(key, making);
      const id = await making;
      options.records.setKey(key, id);
      beingMade.delete(key);
      return book.find(id);
    },
    cancel(id: number): FakePayment | undefined {
      const isPending = book.find(id)?.status === 'pending';
      return isPending ? book.change(id, { status: 'cancelled', status_detail: 'by_collector' }) : undefined;
    },
    /** Performs an action; undefined if it is not possible in the payment's state. */
    do(id: number, action: Action): FakePayment | undefined {
      const payment = book.find(id);
      return payment && perform(book, payment, action, options.now());
    },
  };
}
