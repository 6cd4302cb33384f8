/** The port to who takes payments by PIX: what the service asks for, and what is reported of each payment. */
import type { TaxId } from '../contracts/tax-id.ts';
import type { ChangedSince } from './changed-since.ts';

/** Passed on to the gateway and stored nowhere. */
export interface Payer {
  readonly name: string;
  readonly email: string;
  readonly taxId?: TaxId;
}

export interface ChargeRequest {
  /** Also the idempotency key: the same order is charged once, however often it is requested. */
  readonly orderId: string;
  readonly cents: number;
  readonly description: string;
  readonly payer: Payer;
  readonly expiresAt: number;
}

export interface PixPayment {
  readonly paymentId: string;
  /** Undefined if it is for none of this service's orders. */
  readonly orderId: string | undefined;
  /** `refunded` also stands for a payment that was charged back, `disputed` for one that may yet be. */
  readonly status: 'pending' | 'paid' | 'disputed' | 'refunded' | 'expired' | 'canceled' | 'failed';
  readonly cents: number;
  readonly currency: string;
  /** What was returned of a payment that counts as paid. */
  readonly refundedCents: number;
  readonly createdAt: number;
  readonly changedAt: number;
}

/** A payment that can be made, and how. */
export interface PixCharge {
  readonly payment: PixPayment;
  /** The text that payers copy into their bank's app. */
  readonly qrCode: string;
  /** The same as a PNG image, in a data URL. */
  readonly qrCodeBase64: string;
}

/** The gateway has done nothing. */
export interface ChargeRefusal {
  /** For the log. */
  readonly refusal: string;
  /** What is wrong in the request, if the gateway says that it is the payer's data. */
  readonly invalidField?: 'payer' | 'payer.taxId' | undefined;
}

/** A request as it arrived. */
export interface PaymentNotification {
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly body: string;
}

/** What can be believed of an event: that something happened to a payment, which must be read from the gateway. */
export interface PaymentEvent {
  readonly eventId: string;
  /** The payment's id. */
  readonly subject: string;
}

/** All of them throw an Error if the gateway does not respond as documented; what was done is then unknown. */
export interface PixGateway {
  readonly name: string;
  createCharge(request: ChargeRequest): Promise<PixCharge | ChargeRefusal>;
  /** Undefined if the gateway has no such payment. */
  read(paymentId: string): Promise<PixPayment | undefined>;
  /** Does nothing if the payment can no longer be canceled. */
  cancel(paymentId: string): Promise<void>;
  readonly changedSince: ChangedSince<PixPayment>;
  /** Undefined unless the gateway itself has sent it, a short time ago. */
  readEvent(notification: PaymentNotification): Promise<PaymentEvent | undefined>;
}
