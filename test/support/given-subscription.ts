/** Creates subscriptions in the table directly, as if the account had ordered them, with a checkout at the gateway. */
import { checkoutHours } from '../../shared/contracts/billing.ts';
import type { BillingCycle } from '../../shared/contracts/billing-cycles.ts';
import { insertOrder } from '../../shared/domain/billing/orders/order-store.ts';
import { insertSubscription } from '../../shared/domain/billing/subscriptions/subscription-store.ts';
import type { CheckoutRequest, SubscriptionGateway } from '../../shared/gateways/subscription-gateway.ts';
import type { FullContext } from '../../shared/runtime/full-context.ts';

export async function giveSubscription(
  { clock, ids, table }: Pick<FullContext, 'clock' | 'ids' | 'table'>,
  gateway: SubscriptionGateway,
  accountId: string,
  billingCycle: BillingCycle = 'monthly',
): Promise<string> {
  const orderId = ids.next();
  const createdAt = clock.now();
  const plan = { planId: 'pro', planName: 'Pro', billingCycle, cents: 14_990 } as const;
  const payableUntil = createdAt + checkoutHours * 3_600_000;
  const request: CheckoutRequest = { ...plan, orderId, email: 'ana@example.com', expiresAt: payableUntil };
  const made = await gateway.createCheckout(request);
  if (!('checkoutId' in made)) throw new Error(`no checkout: ${JSON.stringify(made)}`);
  const { checkoutId, url: checkoutUrl } = made;
  const given = {
    ...plan,
    accountId,
    gateway: gateway.name,
    checkoutId,
    payableUntil,
    createdAt,
    status: 'pending',
  } as const;
  await table.transact([
    insertOrder({ ...given, orderId, type: 'subscription', credits: 2000, checkoutUrl }),
    insertSubscription({
      ...given,
      subscriptionId: orderId,
      version: 0,
      creditsPerMonth: 2000,
      features: ['cortes', 'studio'],
      checkAt: payableUntil,
    }),
  ]);
  return orderId;
}
