/** The port to gateways for PIX payments. */
import type { TaxId } from '../contracts/tax-id.ts';
import type { ChangedSince } from './changed-since.ts';

/** The payer's data, which is passed on to the gateway and never stored. */
export interface Payer {
  readonly name: string;
  readonly email: string;
  readonly taxId?: TaxId;
}

export interface ChargeRequest {
  /** The order's id, which is also the idempotency key: repeated requests for an order create one charge. */
  readonly orderId: string;
  readonly cents: number;
  readonly description: string;
  readonly payer: Payer;
  readonly expiresAt: number;
}

export interface PixPayment {
  readonly paymentId: string;
  /** The order's id; undefined if the payment is not for an order of this service. */
  readonly orderId: string | undefined;
  /** `refunded` includes payments that were charged back; a `disputed` payment may still be charged back. */
  readonly status: 'pending' | 'paid' | 'disputed' | 'refunded' | 'expired' | 'canceled' | 'failed';
  readonly cents: number;
  readonly currency: string;
  /** The amount that was refunded, although the payment counts as paid. */
  readonly refundedCents: number;
  readonly createdAt: number;
  readonly changedAt: number;
}

/** A charge that can be paid, and the codes to pay it with. */
export interface PixCharge {
  readonly payment: PixPayment;
  /** The text that payers copy into their bank's app. */
  readonly qrCode: string;
  /** The QR code as a PNG image in base64. */
  readonly qrCodeBase64: string;
}

/** The gateway refused and did nothing. */
export interface ChargeRefusal {
  /** The reason for the refusal, for the log. */
  readonly refusal: string;
  /** The invalid field, if the gateway blames the payer's data. */
  readonly invalidField?: 'payer' | 'payer.taxId' | undefined;
}

/** A notification request as received. */
export interface PaymentNotification {
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly body: string;
}

/** The trustworthy part of an event: something happened to a payment, which must be read from the gateway. */
export interface PaymentEvent {
  readonly eventId: string;
  /** The payment's id. */
  readonly subject: string;
}

/** All functions throw an Error if the gateway does not respond as documented; it is then unknown what was done. */
export interface PixGateway {
  readonly name: string;
  createCharge(request: ChargeRequest): Promise<PixCharge | ChargeRefusal>;
  /** Reads a payment; undefined if the gateway does not have it. */
  read(paymentId: string): Promise<PixPayment | undefined>;
  /** Cancels a payment; does nothing if it can no longer be canceled. */
  cancel(paymentId: string): Promise<void>;
  readonly changedSince: ChangedSince<PixPayment>;
  /**
   * Verifies a notification; undefined unless the gateway itself sent it recently, `irrelevant` if it is not about a
   * payment.
   */
  readEvent(notification: PaymentNotification): Promise<PaymentEvent | 'irrelevant' | undefined>;
}
