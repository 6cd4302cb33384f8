/**
 * Verifies notifications of Mercado Pago. The signature covers the payment's id, the notification's id (if any) and the
 * time, but not the body, so nothing in the body is used.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { PaymentEvent, PaymentNotification } from '../pix-gateway.ts';

const windowMs = 300_000;

/** Converts the time, because notifications have been signed with seconds and with milliseconds. */
const millisecondsOf = (ts: string): number => (ts.length > 11 ? Number(ts) : Number(ts) * 1000);

/**
 * The event; undefined unless it was signed with the secret less than five minutes ago, `irrelevant` if it is not about
 * a payment.
 */
export function verifiedEvent(
  { headers, query }: PaymentNotification,
  secret: string,
  now: number,
): PaymentEvent | 'irrelevant' | undefined {
  const [, ts = '', signature = ''] = /^ts=(\d{10,13}),v1=([0-9a-f]{64})$/.exec(headers['x-signature'] ?? '') ?? [];
  const { type, 'data.id': subject = '' } = query;
  const { 'x-request-id': requestId } = headers;
  // The signed time identifies a notification without an id, together with the payment's id.
  const eventId = requestId ?? `ts-${ts}`;
  if (!ts || !/^[\w.:=-]{1,128}$/.test(eventId)) return undefined;
  if (Math.abs(now - millisecondsOf(ts)) > windowMs) return undefined;
  // A pair is signed only if its value is sent.
  const pairs = Object.entries({ id: subject, 'request-id': requestId, ts }).filter(([, value]) => value);
  const manifest = pairs.map(([name, value]) => `${name}:${value};`).join('');
  const expected = createHmac('sha256', secret).update(manifest).digest();
  if (!timingSafeEqual(expected, Buffer.from(signature, 'hex'))) return undefined;
  return type === 'payment' && /^\d{1,20}$/.test(subject) ? { eventId, subject } : 'irrelevant';
}
