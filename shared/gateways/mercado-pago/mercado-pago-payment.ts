/** Parses payments of Mercado Pago's API. */
import * as z from 'zod';
import { pixCodeLimits } from '../../contracts/pix-code-limits.ts';
import { claimedTime, earliestClaim } from '../../platform/claimed-time.ts';
import { timeOfId } from '../../platform/ids.ts';
import { outsideLine } from '../../platform/outside-text.ts';
import type { Unreadable } from '../changed-since.ts';
import { orderIdIn } from '../order-reference.ts';
import { currencyField } from '../outside-fields.ts';
import { parseResponse } from '../parse-response.ts';
import type { PixCharge, PixPayment } from '../pix-gateway.ts';

const moment = z.string().transform((text) => claimedTime(Date.parse(text)));

/** An amount in reais; an implausible one makes the payment unreadable. */
const amount = z.number().min(0).max(10_000_000_000);

const Payment = z.object({
  id: z.int().min(0),
  status: z.string(),
  status_detail: z.string().nullish(),
  external_reference: z.string().nullish(),
  transaction_amount: amount,
  transaction_amount_refunded: amount.nullish(),
  currency_id: currencyField,
  date_created: moment,
  date_last_updated: moment,
  point_of_interaction: z
    .object({
      transaction_data: z.object({ qr_code: z.string().nullish(), qr_code_base64: z.string().nullish() }).nullish(),
    })
    .nullish(),
});

type Payment = z.infer<typeof Payment>;

const Changed = Payment.pick({ date_last_updated: true });

/** How many payments a page of a search may have. */
export const pageSize = 100;

const SearchResult = z.object({ results: z.array(z.unknown()).max(pageSize) });

/** The fields that determine whether a payment belongs to this service. */
const Origin = z.object({ id: z.unknown(), external_reference: z.string() });

const statuses: Readonly<Record<string, PixPayment['status']>> = {
  pending: 'pending',
  authorized: 'pending',
  in_process: 'pending',
  approved: 'paid',
  in_mediation: 'disputed',
  rejected: 'failed',
  cancelled: 'canceled',
  refunded: 'refunded',
  charged_back: 'refunded',
};

/** Status details that override a status: a chargeback that is undecided, or that the seller has won. */
const detailed: Readonly<Record<string, PixPayment['status']>> = {
  'cancelled expired': 'expired',
  'charged_back in_process': 'disputed',
  'charged_back reimbursed': 'paid',
};

const inCents = (amount: number): number => Math.round(amount * 100);

/** The name of the stage that reads the payment, and the current time. */
export interface Reader {
  readonly stageName: string;
  readonly now: number;
}

/**
 * The times of a payment. An impossible time does not invalidate the payment: it is replaced by the time of its order,
 * so that it is the same on every read.
 */
function timesOf(
  { date_created: created, date_last_updated: changed }: Payment,
  orderId: string | undefined,
  now: number,
) {
  const createdAt = created.pastBy(now) ?? (orderId === undefined ? earliestClaim : timeOfId(orderId));
  return { createdAt, changedAt: changed.pastBy(now) ?? createdAt };
}

function toPayment(payment: Payment, { stageName, now }: Reader): PixPayment {
  const { id, status, status_detail: detail, external_reference: reference } = payment;
  const known = detailed[`${status} ${detail}`] ?? statuses[status];
  if (!known) throw new Error(`Mercado Pago reported a payment with the unknown status ${status.slice(0, 40)}`);
  const orderId = orderIdIn(reference ?? '', stageName);
  return {
    paymentId: String(id),
    orderId,
    status: known,
    cents: inCents(payment.transaction_amount),
    currency: payment.currency_id,
    refundedCents: inCents(payment.transaction_amount_refunded ?? 0),
    ...timesOf(payment, orderId, now),
  };
}

export const paymentIn = (value: unknown, reader: Reader): PixPayment =>
  toPayment(parseResponse('Mercado Pago', Payment, value), reader);

export interface FoundPayments {
  /** The payments of this deployment. */
  readonly own: readonly (PixPayment | Unreadable)[];
  /** The number of payments on the page, including those of other deployments. */
  readonly total: number;
  /** When the last payment on the page changed. */
  readonly lastChangeAt: number | undefined;
}

/** How far Mercado Pago's clock may be ahead for a search to continue from a time, instead of skipping what follows. */
const clockAheadMs = 5 * 60_000;

/** A time of change; undefined if it is invalid or impossible. */
const changeIn = (value: unknown, { now }: Reader): number | undefined =>
  Changed.safeParse(value).data?.date_last_updated.pastBy(now, clockAheadMs);

/** The id of a payment; undefined for anything else, which could not be stored to read the payment again. */
export const paymentIdIn = (id: unknown): string | undefined => {
  const text = typeof id === 'number' ? String(id) : id;
  return typeof text === 'string' && /^\d{1,20}$/.test(text) ? text : undefined;
};

function tryPaymentIn(value: unknown, reader: Reader): PixPayment | Unreadable | undefined {
  const { data: origin } = Origin.safeParse(value);
  if (!origin || orderIdIn(origin.external_reference, reader.stageName) === undefined) return undefined;
  try {
    return paymentIn(value, reader);
  } catch (error) {
    return { subject: paymentIdIn(origin.id) ?? 'unknown', error: error as Error };
  }
}

/** Parses a page of a search; an unreadable payment does not affect the others. @throws {Error} if it is not a page */
export function paymentsIn(value: unknown, reader: Reader): FoundPayments {
  const { results } = parseResponse('Mercado Pago', SearchResult, value);
  const own = results.flatMap((one) => tryPaymentIn(one, reader) ?? []);
  return { own, total: results.length, lastChangeAt: changeIn(results.at(-1), reader) };
}

/**
 * Whether a charge's code and QR image can be shown. The code's text is not repaired, because it ends with a checksum
 * of itself.
 */
const canBeShown = (qrCode: string, png: string): boolean =>
  outsideLine(qrCode, qrCode.length) === qrCode && /^[A-Za-z0-9+/]+={0,2}$/.test(png);

/** Parses a new charge. @throws {Error} also if it cannot be paid by PIX, or its code cannot be shown */
export function chargeIn(value: unknown, reader: Reader): PixCharge {
  const payment = parseResponse('Mercado Pago', Payment, value);
  const { qr_code: qrCode, qr_code_base64: png } = payment.point_of_interaction?.transaction_data ?? {};
  if (!qrCode || !png) {
    throw new Error('Mercado Pago created a payment without a PIX code');
  }
  const qrCodeBase64 = `data:image/png;base64,${png}`;
  if (qrCode.length > pixCodeLimits.qrCode || qrCodeBase64.length > pixCodeLimits.qrCodeBase64) {
    throw new Error('Mercado Pago created a payment with a PIX code that is too long');
  }
  if (!canBeShown(qrCode, png)) throw new Error('Mercado Pago created a payment with a PIX code that cannot be shown');
  return { payment: toPayment(payment, reader), qrCode, qrCodeBase64 };
}
