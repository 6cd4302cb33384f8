/** Creates, pays and expires checkout sessions. */
import type { CheckoutRequest } from './checkout-request.ts';
import {
  amountOff,
  couponReduction,
  promotionCodeNamed,
  promotionReduction,
  type Reduction,
  redeem,
} from './discounts.ts';
import { issueInvoice, periodEnd, settleInvoice } from './invoices.ts';
import { newCustomer } from './new-customer.ts';
import { newPrice } from './new-price.ts';
import { newSession, totalsOf } from './new-session.ts';
import { newSubscription } from './new-subscription.ts';
import { missing, StripeFault } from './stripe-fault.ts';
import { idOf, type Price, type Session, type Subscription } from './stripe-objects.ts';
import type { CheckoutDetails } from './stripe-records.ts';
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

/** The reduction by the session's discount; undefined if it has none. */
function reductionOf({ records }: StripeWorld, discounts: CheckoutRequest['discounts'], now: number) {
  const [given] = discounts ?? [];
  if (given?.coupon !== undefined) return couponReduction(records, given.coupon, now);
  if (given?.promotion_code === undefined) return undefined;
  const code = records.find('promotion_code', given.promotion_code);
  if (!code) throw missing('promotion_code', given.promotion_code, 'discounts[0][promotion_code]');
  return promotionReduction(records, code, now);
}

const discountsOf = (reduction: Reduction | undefined): NonNullable<Session['discounts']> =>
  reduction ? [{ coupon: reduction.coupon.id, promotion_code: reduction.promotionCode?.id ?? null }] : [];

export function createSession(world: StripeWorld, request: CheckoutRequest): Session {
  const { records } = world;
  const now = nowIn(world);
  const expiresAt = expiryOf(request, now);
  const reduction = reductionOf(world, request.discounts, now);
  if (request.customer !== undefined && !records.find('customer', request.customer)) {
    throw missing('customer', request.customer, 'customer');
  }
  const [{ price_data: priceData, quantity }] = request.line_items;
  const { price, product } = newPrice(priceData, now);
  records.put(product);
  records.put(price);
  const subtotal = priceData.unit_amount * quantity;
  const session = newSession(
    {
      allow_promotion_codes: request.allow_promotion_codes ?? null,
      cancel_url: request.cancel_url ?? null,
      client_reference_id: request.client_reference_id ?? null,
      created: now,
      currency: priceData.currency,
      customer: request.customer ?? null,
      customer_email: request.customer_email ?? null,
      discounts: discountsOf(reduction),
      expires_at: expiresAt,
      locale: request.locale ?? null,
      metadata: request.metadata,
      success_url: request.success_url,
      subtotal,
      discount: reduction ? amountOff(reduction.coupon, subtotal) : 0,
    },
    (id) => world.pageUrl(`/checkout/${id}`),
  );
  const { metadata, description = null } = request.subscription_data;
  records.put({
    object: 'sandbox.checkout',
    id: `sandbox.${session.id}`,
    priceId: price.id,
    quantity,
    description,
    metadata,
  });
  return records.put(session);
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

interface Sold {
  readonly details: CheckoutDetails;
  readonly price: Price;
}

export function soldIn({ records }: StripeWorld, { id }: Session): Sold {
  const details = records.find('sandbox.checkout', `sandbox.${id}`);
  const price = details && records.find('price', details.priceId);
  if (!price) throw missing('price', id);
  return { details, price };
}

/** Applies a promotion code. @throws {StripeFault} if the code cannot be used */
export function applyCode(world: StripeWorld, session: Session, code: string): Session {
  const found = promotionCodeNamed(world.records, code.trim());
  if (!session.allow_promotion_codes || !found) throw new StripeFault('This code is invalid.');
  const reduction = promotionReduction(world.records, found, nowIn(world));
  const subtotal = session.amount_subtotal ?? 0;
  return world.records.put({
    ...session,
    ...totalsOf(subtotal, amountOff(reduction.coupon, subtotal)),
    discounts: discountsOf(reduction),
  });
}

function customerOf({ records }: StripeWorld, session: Session, email: string, now: number) {
  const known = typeof session.customer === 'string' ? records.find('customer', session.customer) : undefined;
  return known ?? records.put(newCustomer(session.customer_email ?? email, now));
}

function startSubscription(world: StripeWorld, session: Session, customerId: string): Subscription {
  const { records } = world;
  const start = nowIn(world);
  const { details, price } = soldIn(world, session);
  const subscription = newSubscription({
    start,
    end: periodEnd(start, start, price.recurring?.interval),
    price,
    quantity: details.quantity,
    customerId,
    discountIds: [],
    description: details.description,
    metadata: details.metadata,
  });
  const [given] = session.discounts ?? [];
  const reduction = reductionOf(
    world,
    given && [
      typeof given.promotion_code === 'string'
        ? { promotion_code: given.promotion_code }
        : { coupon: idOf(given.coupon) },
    ],
    start,
  );
  const ids = { sessionId: session.id, subscriptionId: subscription.id, customerId };
  const discounts = reduction ? [redeem(records, reduction, { ...ids, start }).id] : [];
  return records.put({ ...subscription, discounts });
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
  const customer = customerOf(world, session, email, nowIn(world));
  const subscription = startSubscription(world, session, customer.id);
  setDetails(world, subscription.id, { card: card.number });
  const invoice = settleInvoice(world, issueInvoice(world, subscription));
  const completed = world.records.put<Session>({
    ...session,
    customer: customer.id,
    customer_details: {
      address: null,
      business_name: null,
      email: customer.email,
      individual_name: null,
      name: null,
      phone: null,
      tax_exempt: 'none',
      tax_ids: [],
    },
    invoice: invoice.id,
    payment_status: session.amount_total === 0 ? 'no_payment_required' : 'paid',
    status: 'complete',
    subscription: subscription.id,
    url: null,
  });
  emit(world, 'customer.subscription.created', world.records.find('subscription', subscription.id) ?? subscription);
  emit(world, 'checkout.session.completed', completed);
  return completed;
}
