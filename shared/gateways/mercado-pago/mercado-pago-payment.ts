/** Payments as Mercado Pago's API describes them, and what they mean to the service. */
import * as z from 'zod';
import { pixCodeLimits } from '../../contracts/pix-code-limits.ts';
import type { Unreadable } from '../changed-since.ts';
import { orderIdIn } from '../order-reference.ts';
import { parseResponse } from '../parse-response.ts';
import type { PixCharge, PixPayment } from '../pix-gateway.ts';

const Payment = z.object({
  id: z.int(),
  status: z.string(),
  status_detail: z.string().nullish(),
  external_reference: z.string().nullish(),
  transaction_amount: z.number(),
  transaction_amount_refunded: z.number().nullish(),
  currency_id: z.string(),
  date_created: z.string(),
  date_last_updated: z.string(),
  point_of_interaction: z
    .object({
      transaction_data: z.object({ qr_code: z.string().nullish(), qr_code_base64: z.string().nullish() }).nullish(),
    })
    .nullish(),
});

type Payment = z.infer<typeof Payment>;

const SearchResult = z.object({ results: z.array(z.unknown()) });

/** What tells whose payment it is. */
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

/** What the detail says beyond the status: of a chargeback, that it is undecided, or that the seller has won. */
const detailed: Readonly<Record<string, PixPayment['status']>> = {
  'cancelled expired': 'expired',
  'charged_back in_process': 'disputed',
  'charged_back reimbursed': 'paid',
};

const inCents = (amount: number): number => Math.round(amount * 100);

function momentOf(text: string): number {
  const at = Date.parse(text);
  if (Number.isNaN(at)) throw new Error('Mercado Pago reported a payment with an invalid date');
  return at;
}

function toPayment({ id, status, status_detail: detail, ...payment }: Payment, stageName: string): PixPayment {
  const known = detailed[`${status} ${detail}`] ?? statuses[status];
  if (!known) throw new Error(`Mercado Pago reported a payment with the unknown status ${status.slice(0, 40)}`);
  const { external_reference: reference } = payment;
  return {
    paymentId: String(id),
    orderId: orderIdIn(reference ?? '', stageName),
    status: known,
    cents: inCents(payment.transaction_amount),
    currency: payment.currency_id,
    refundedCents: inCents(payment.transaction_amount_refunded ?? 0),
    createdAt: momentOf(payment.date_created),
    changedAt: momentOf(payment.date_last_updated),
  };
}

export const paymentIn = (value: unknown, stageName: string): PixPayment =>
  toPayment(parseResponse('Mercado Pago', Payment, value), stageName);

export interface FoundPayments {
  /** Those of this deployment. */
  readonly own: readonly (PixPayment | Unreadable)[];
  /** How many there are on the page, of whomever. */
  readonly total: number;
  /** When the last one has changed. */
  readonly lastChangeAt: number | undefined;
}

/** Undefined if that cannot be read. */
function changeIn(value: unknown): number | undefined {
  const at = Date.parse(String(Object(value).date_last_updated));
  return Number.isNaN(at) ? undefined : at;
}

function tryPaymentIn(value: unknown, stageName: string): PixPayment | Unreadable | undefined {
  const { data: origin } = Origin.safeParse(value);
  if (!origin || orderIdIn(origin.external_reference, stageName) === undefined) return undefined;
  try {
    return paymentIn(value, stageName);
  } catch (error) {
    return { subject: String(origin.id), error: error as Error };
  }
}

/** A page of a search: one payment that cannot be read does not hide the others. @throws {Error} if it is no page */
export function paymentsIn(value: unknown, stageName: string): FoundPayments {
  const { results } = parseResponse('Mercado Pago', SearchResult, value);
  const own = results.flatMap((one) => tryPaymentIn(one, stageName) ?? []);
  return { own, total: results.length, lastChangeAt: changeIn(results.at(-1)) };
}

/** @throws {Error} also if the payment cannot be made by PIX, or its code is too long to be shown */
export function chargeIn(value: unknown, stageName: string): PixCharge {
  const payment = parseResponse('Mercado Pago', Payment, value);
  const { qr_code: qrCode, qr_code_base64: png } = payment.point_of_interaction?.transaction_data ?? {};
  if (!qrCode || !png) {
    throw new Error('Mercado Pago created a payment without a PIX code');
  }
  const qrCodeBase64 = `data:image/png;base64,${png}`;
  if (qrCode.length > pixCodeLimits.qrCode || qrCodeBase64.length > pixCodeLimits.qrCodeBase64) {
    throw new Error('Mercado Pago created a payment with a PIX code that is too long');
  }
  return { payment: toPayment(payment, stageName), qrCode, qrCodeBase64 };
}
