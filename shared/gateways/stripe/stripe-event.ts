/** Verifies Stripe's events and determines which subscription they are about; everything else is read from Stripe. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import { orderIdIn } from '../order-reference.ts';
import type { PaymentNotification } from '../pix-gateway.ts';
import { Event, objectId, referenceName } from './stripe-objects.ts';

export type StripeEvent = z.output<typeof Event>;

/** The event types that are processed; others are acknowledged and ignored. */
export const eventTypes = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.expired',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'invoice.paid',
  'invoice.payment_failed',
  'charge.refunded',
  'charge.dispute.created',
  'charge.dispute.closed',
  'charge.dispute.funds_reinstated',
] as const;

const windowMs = 300_000;

/** How far the sender's clock may be ahead. */
const skewMs = 30_000;

/** The header's names and values, in order. */
const partsOf = (header: string): readonly (readonly [string, string])[] =>
  header.split(',').map((part) => {
    const at = part.indexOf('=');
    return [part.slice(0, at), part.slice(at + 1)] as const;
  });

function isSigned(body: string, header: string, secret: string, now: number): boolean {
  const parts = partsOf(header);
  const [t = '', ...others] = parts.flatMap(([name, value]) => (name === 't' ? [value] : []));
  if (others.length > 0 || !/^\d{9,11}$/.test(t)) return false;
  const ageMs = now - Number(t) * 1000;
  if (ageMs > windowMs || ageMs < -skewMs) return false;
  const expected = createHmac('sha256', secret).update(`${t}.${body}`).digest();
  // While a secret is being replaced, there is a signature by each of the two.
  const signatures = parts.filter(([name, value]) => name === 'v1' && /^[0-9a-f]{64}$/.test(value));
  return signatures.some(([, value]) => timingSafeEqual(expected, Buffer.from(value, 'hex')));
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

const isProcessed = (type: unknown): boolean => eventTypes.some((known) => known === type);

/**
 * The event; undefined unless the body was signed with the secret less than five minutes ago, `irrelevant` if it is not
 * of a type that is processed, `unreadable` if it is of one but has an unknown form.
 */
export function verifiedEvent(
  { headers, body }: PaymentNotification,
  secret: string,
  now: number,
): StripeEvent | 'irrelevant' | 'unreadable' | undefined {
  if (!isSigned(body, headers['stripe-signature'] ?? '', secret, now)) return undefined;
  const value = parsed(body);
  const { type } = Object(value) as { readonly type?: unknown };
  if (!isProcessed(type)) return 'irrelevant';
  return Event.safeParse(value).data ?? 'unreadable';
}

const Identified = z.object({ id: objectId });
const SessionOrigin = Identified.extend({ client_reference_id: z.string().nullish() });
const SubscriptionOrigin = Identified.extend({
  metadata: z.object({ [referenceName]: z.unknown().optional() }).nullish(),
});
const InvoiceOrigin = Identified.extend({
  parent: z.object({ subscription_details: z.object({ subscription: objectId }).nullish() }).nullish(),
});

/** The object to read after an event, if the event has a known form and is about this stage. */
type Subject = { readonly subject: string } | 'irrelevant' | 'unreadable';

const subjectIn = (id: string | undefined): Subject => (id === undefined ? 'unreadable' : { subject: id });

/** The object's id, unless the reference belongs to another stage or system. */
const ownOnly = (id: string, reference: unknown, stageName: string): Subject =>
  typeof reference === 'string' && orderIdIn(reference, stageName) ? subjectIn(id) : 'irrelevant';

/** The subject of a checkout. */
export function sessionSubject(object: unknown, stageName: string): Subject {
  const { data } = SessionOrigin.safeParse(object);
  return data ? ownOnly(data.id, data.client_reference_id, stageName) : 'unreadable';
}

const subjects: Readonly<Record<string, (object: unknown, stageName: string) => Subject>> = {
  checkout: sessionSubject,
  customer(object, stageName) {
    const { data } = SubscriptionOrigin.safeParse(object);
    return data ? ownOnly(data.id, data.metadata?.[referenceName], stageName) : 'unreadable';
  },
  // Invoices from before 2025 name their subscription in another field, so these are always read.
  invoice(object) {
    const { data } = InvoiceOrigin.safeParse(object);
    if (data?.parent === undefined) return subjectIn(data?.id);
    const subscription = data.parent?.subscription_details?.subscription;
    return subscription === undefined ? 'irrelevant' : subjectIn(subscription);
  },
  charge: (object) => subjectIn(Identified.safeParse(object).data?.id),
};

/** Finds the subject of an event of a type that is processed. */
export function subjectOf({ type, data }: StripeEvent, stageName: string): Subject {
  const [family = ''] = type.split('.');
  return subjects[family]?.(data.object, stageName) ?? 'irrelevant';
}
