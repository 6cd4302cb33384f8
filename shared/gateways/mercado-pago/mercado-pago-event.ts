/**
 * Verifies notifications of Mercado Pago. The signature covers the payment's id, the notification's id (if any) and the
 * time, but not the body, so nothing in the body is used.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { PaymentEvent, PaymentNotification } from '../pix-gateway.ts';

const windowMs = 300_000;

/** Converts the time, because notifications have been signed with seconds and with milliseconds. */
const millisecondsOf = (ts: string): number => (ts.length > 11 ? Number(ts) : Number(ts) * 1000);

/** A pair is signed only if its value is sent. */
const manifestOf = (values: Readonly<Record<string, string | undefined>>): string =>
  Object.entries(values)
    .filter(([, value]) => value)
    .map(([name, value]) => `${name}:${value};`)
    .join('');

const isSigned = (manifest: string, secret: string, signature: string): boolean =>
  timingSafeEqual(createHmac('sha256', secret).update(manifest).digest(), Buffer.from(signature, 'hex'));

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
  // The documentation signs ids with letters in lower case, and the gateway's own library as they are sent.
  const ids = [subject, subject.toLowerCase()];
  const manifests = ids.map((id) => manifestOf({ id, 'request-id': requestId, ts }));
  if (!manifests.some((manifest) => isSigned(manifest, secret, signature))) return undefined;
  return type === 'payment' && /^\d{1,20}$/.test(subject) ? { eventId, subject } : 'irrelevant';
}
