/**
 * Orders a subscription: creates its checkout at the gateway first, then stores the order with the response to its
 * idempotency key.
 */

import type { CouponEntry } from '../../../catalog/coupons.ts';
import type { PlanEntry } from '../../../catalog/plans.ts';
import { checkoutHours } from '../../../contracts/billing.ts';
import type { BillingCycle } from '../../../contracts/billing-cycles.ts';
import { subscriptionContracts } from '../../../contracts/subscriptions.ts';
import type { Checkout, Discount, SubscriptionGateway } from '../../../gateways/subscription-gateway.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Item } from '../../../platform/dynamo-table.ts';
import { type Ids, timeOfId } from '../../../platform/ids.ts';
import type { Account } from '../../accounts/account.ts';
import { couponsRow } from '../../catalog/coupons-row.ts';
import { plansRow } from '../../catalog/plans-row.ts';
import { requireAvailable } from '../../catalog/require-available.ts';
import type { Idempotency } from '../../idempotency/idempotency.ts';
import { type Attempt, runOnce } from '../../idempotency/run-once.ts';
import { Rejection } from '../../rejection.ts';
import type { Stores } from '../../stores.ts';
import { outdated, rejectOther, respondedBy, unavailableIfUnanswered, withdrawOrLeave } from '../gateway-call.ts';
import { orderCurrency, type SubscriptionOrder } from '../orders/order.ts';
import { noRoom, requireRoom, takeCheckoutRoom } from '../orders/order-room.ts';
import { insertOrder } from '../orders/order-store.ts';
import { couponOf, discountBy, discounted } from './coupon.ts';
import { redeem, requireRedeemable } from './coupon-redemption.ts';
import { nextCheckAt, type Subscription } from './subscription.ts';
import { insertSubscription } from './subscription-store.ts';

const contract = subscriptionContracts.createSubscription;

interface Needs extends Pick<Stores, 'accounts' | 'catalog' | 'orders' | 'table'> {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly subscriptionGateway: SubscriptionGateway;
  readonly pause: (milliseconds: number) => Promise<void>;
}

interface SubscriptionRequest {
  readonly accountId: string;
  readonly body: {
    readonly planId: string;
    readonly billingCycle: BillingCycle;
    readonly couponCode?: string | undefined;
  };
  readonly idempotency: Idempotency | undefined;
}

/** The plan, billing cycle and discount of a purchase. */
interface Purchase {
  readonly account: Account;
  readonly plan: PlanEntry;
  readonly billingCycle: BillingCycle;
  /** The price of a period before the discount. */
  readonly cents: number;
  readonly coupon: CouponEntry | undefined;
  readonly discount: Discount | undefined;
}

/** The minimum time left to pay a new order: gateways reject checkouts that expire within half an hour. */
const minMs = 31 * 60_000;

const payableUntilOf = (orderId: string): number => timeOfId(orderId) + checkoutHours * 3_600_000;

const alreadyActive = (): Rejection => new Rejection('subscription-active');

/** Validates what the request asks to buy. @throws {Rejection} not-found, invalid, subscription-active */
async function purchaseOf(
  { accounts, catalog, clock }: Needs,
  { accountId, body: { planId, billingCycle, couponCode } }: SubscriptionRequest,
): Promise<Purchase> {
  const [account, { plans }, coupons] = await Promise.all([
    accounts.find(accountId),
    catalog.read(plansRow),
    catalog.read(couponsRow),
  ]);
  if (!account) throw new Error('token references a missing account');
  const plan = plans.find(({ id }) => id === planId);
  if (!plan) throw new Rejection('not-found', { message: 'There is no plan with this id.' });
  const wanted = { planId, billingCycle, at: clock.now() };
  const coupon = couponCode === undefined ? undefined : couponOf(coupons, couponCode, wanted);
  if (couponCode !== undefined && !coupon) {
    const message = 'couponCode is unknown, has expired, or is for another plan or billing cycle';
    throw new Rejection('invalid', { message });
  }
  if (account.activeSubscription !== undefined) throw alreadyActive();
  const cents = billingCycle === 'annual' ? plan.priceAnnualCents : plan.priceMonthlyCents;
  return { account, plan, billingCycle, cents, coupon, discount: coupon && discountBy(coupon) };
}

/** Whether the checkout has the agreed price; a gateway may round half a cent of a percentage differently. */
function isAgreed({ cents, discount }: Purchase, made: Checkout): boolean {
  const tolerance = discount && 'percent' in discount.off ? 1 : 0;
  const expected = discount ? discounted(cents, discount) : cents;
  return Math.abs(made.cents - expected) <= tolerance && made.currency === orderCurrency;
}

/**
 * Creates the checkout. A repeated request creates the same one, because everything in it derives from the order's id
 * and the purchase.
 */
async function checkOut(
  { clock, subscriptionGateway }: Needs,
  purchase: Purchase,
  orderId: string,
  attempt: Attempt,
): Promise<Checkout> {
  const { account, plan, billingCycle, cents, discount } = purchase;
  const expiresAt = payableUntilOf(orderId);
  if (clock.now() + minMs > expiresAt) throw outdated();
  const made = await respondedBy(
    subscriptionGateway.createCheckout({
      orderId,
      planId: plan.id,
      planName: plan.name,
      billingCycle,
      cents,
      ...(discount && { discount }),
      email: account.email,
      expiresAt,
    }),
    attempt,
  );
  if (made.orderId === orderId && isAgreed(purchase, made)) return made;
  return rejectOther(attempt, async () => {
    if (made.orderId !== orderId) throw new Error('the gateway returned the checkout of another order');
    await subscriptionGateway.expireCheckout(made.checkoutId);
  });
}

function rowsOf({ account, plan, billingCycle, cents, discount }: Purchase, made: Checkout, gateway: string) {
  const { orderId, checkoutId } = made;
  const createdAt = timeOfId(orderId);
  const both = {
    accountId: account.accountId,
    status: 'pending',
    planId: plan.id,
    planName: plan.name,
    billingCycle,
    gateway,
    checkoutId,
    payableUntil: payableUntilOf(orderId),
    createdAt,
  } as const;
  const order: SubscriptionOrder = {
    ...both,
    type: 'subscription',
    orderId,
    cents: made.cents,
    credits: plan.credits,
    checkoutUrl: made.url,
    ...(discount && { couponCode: discount.code }),
  };
  const subscription: Subscription = {
    ...both,
    subscriptionId: orderId,
    version: 0,
    creditsPerMonth: plan.credits,
    features: plan.features,
    cents,
    ...(discount?.duration === 'forever' && { discountedCents: made.cents }),
  };
  return { order, subscription: { ...subscription, checkAt: nextCheckAt(subscription, [], createdAt) } };
}

/**
 * Creates an order for a subscription. @throws {Rejection} switched-off, not-found, invalid, forbidden,
 * subscription-active, too-many-orders, dependency-unavailable, in-progress, other-body
 */
export async function createSubscription(needs: Needs, request: SubscriptionRequest) {
  const { accountId, idempotency } = request;
  await requireAvailable(needs, contract, accountId);
  const purchase = await purchaseOf(needs, request);
  const work = {
    isRepeatable: false,
    call: async (orderId: string, attempt: Attempt) => {
      await Promise.all([
        requireRoom(needs, accountId),
        purchase.coupon && requireRedeemable(needs.table, purchase.coupon, accountId),
      ]);
      return checkOut(needs, purchase, orderId, attempt);
    },
    commit: (made: Checkout) => {
      const { order, subscription } = rowsOf(purchase, made, needs.subscriptionGateway.name);
      const { orderId, gateway: paymentMethod, planId, billingCycle, checkoutUrl } = order;
      return {
        writes: [
          {
            action: takeCheckoutRoom(accountId, orderId),
            rejection: (item: Item | undefined) =>
              item?.activeSubscription === undefined ? noRoom(item) : alreadyActive(),
          },
          ...(purchase.coupon ? redeem(purchase.coupon, order) : []),
          { action: insertOrder(order) },
          { action: insertSubscription(subscription) },
        ],
        data: { orderId, paymentMethod, status: 'pending' as const, planId, billingCycle, checkoutUrl },
      };
    },
    withdraw: ({ checkoutId }: Checkout) => withdrawOrLeave(needs.subscriptionGateway.expireCheckout(checkoutId)),
  };
  return runOnce(needs, { accountId, contract, idempotency }, work).catch(unavailableIfUnanswered);
}
