/** Creates, pays and expires checkout sessions. */
import type { CheckoutRequest } from './checkout-request.ts';
import { amountOff, couponOf } from './discounts.ts';
import { issueInvoice, periodEnd, settleInvoice } from './invoices.ts';
import { missing, StripeFault } from './stripe-fault.ts';
import type { Session, Subscription } from './stripe-objects.ts';
import { type CheckoutDetails, newId } from './stripe-records.ts';
import { emit, nowIn, type StripeWorld, setDetails } from './stripe-world.ts';
import { cardWith } from './test-cards.ts';

const shortestSeconds = 30 * 60;
const longestSeconds = 24 * 3600;

function expiryOf({ expires_at: given }: CheckoutRequest, now: number): number {
  if (given === undefined) return now + longestSeconds;
  if (given < now + shortestSeconds || given > now + longestSeconds) {
    throw new StripeFault(
      'The `expires_at` timestamp must be at least 30 minutes and less than 24 hours from Checkout Session creation.',
      { param: 'expires_at' },
    );
  }
  return given;
}

export function createSession({ records, now, pageUrl }: StripeWorld, request: CheckoutRequest): Session {
  const created = Math.floor(now() / 1000);
  const expiresAt = expiryOf(request, created);
  const [discount] = request.discounts ?? [];
  const coupon = discount && couponOf(records, { coupon: discount.coupon, promotion_code: discount.promotion_code });
  const [{ price_data: price }] = request.line_items;
  const id = newId('cs_test');
  records.put({
    object: 'sandbox.checkout',
    id: `sandbox.${id}`,
    planName: price.product_data.name,
    interval: price.recurring.interval,
    couponId: coupon?.id,
    metadata: request.subscription_data.metadata,
  });
  return records.put<Session>({
    id,
    object: 'checkout.session',
    amount_subtotal: price.unit_amount,
    amount_total: price.unit_amount - amountOff(coupon, price.unit_amount),
    cancel_url: request.cancel_url ?? null,
    client_reference_id: request.client_reference_id ?? null,
    created,
    currency: price.currency,
    customer: null,
    customer_email: request.customer_email ?? null,
    expires_at: expiresAt,
    metadata: request.metadata,
    mode: 'subscription',
    payment_status: 'unpaid',
    status: 'open',
    subscription: null,
    success_url: request.success_url,
    url: pageUrl(`/checkout/${id}`),
  });
}

function expire(world: StripeWorld, session: Session): Session {
  const expired = world.records.put<Session>({ ...session, status: 'expired', url: null });
  emit(world, 'checkout.session.expired', expired);
  return expired;
}

/** A session by id, expired if its time is up; undefined if it does not exist. */
export function findSession(world: StripeWorld, id: string): Session | undefined {
  const session = world.records.find('checkout.session', id);
  return session?.status === 'open' && session.expires_at <= nowIn(world) ? expire(world, session) : session;
}

export function expireSession(world: StripeWorld, id: string): Session {
  const session = findSession(world, id);
  if (!session) throw missing('checkout.session', id);
  if (session.status === 'open') return expire(world, session);
  throw new StripeFault(
    `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of "${String(session.status)}".`,
  );
}

/** What a session sells. */
export function soldIn({ records }: StripeWorld, { id }: Session): CheckoutDetails {
  const details = records.find('sandbox.checkout', `sandbox.${id}`);
  if (!details) throw missing('checkout.session', id);
  return details;
}

function startSubscription(world: StripeWorld, session: Session, email: string): Subscription {
  const { records } = world;
  const start = nowIn(world);
  const { interval, metadata } = soldIn(world, session);
  const customer = records.put({ id: newId('cus'), object: 'customer', created: start, email });
  const item = {
    current_period_start: start,
    current_period_end: periodEnd(start, start, interval),
    price: { unit_amount: session.amount_subtotal ?? 0, recurring: { interval } },
  };
  return records.put<Subscription>({
    id: newId('sub'),
    object: 'subscription',
    billing_cycle_anchor: start,
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    created: start,
    currency: session.currency ?? '',
    customer: customer.id,
    ended_at: null,
    items: { data: [item] },
    metadata,
    status: 'active',
  });
}

/** Pays a session; returns what was paid for, or why the card was declined, in which case the session stays open. */
export function paySession(
  world: StripeWorld,
  session: Session,
  { number, email }: { readonly number: string; readonly email: string },
): Session | { readonly declineCode: string } {
  const card = cardWith(number);
  if (!card) return { declineCode: 'incorrect_number' };
  if (card.declineCode !== undefined && session.amount_total !== 0) return { declineCode: card.declineCode };
  const subscription = startSubscription(world, session, session.customer_email ?? email);
  const { couponId, planName } = soldIn(world, session);
  setDetails(world, subscription.id, { card: card.number, couponId, planName });
  settleInvoice(world, issueInvoice(world, subscription, 'subscription_create'));
  const completed = world.records.put<Session>({
    ...session,
    customer: subscription.customer,
    payment_status: session.amount_total === 0 ? 'no_payment_required' : 'paid',
    status: 'complete',
    subscription: subscription.id,
    url: null,
  });
  emit(world, 'customer.subscription.created', subscription);
  emit(world, 'checkout.session.completed', completed);
  return completed;
}
