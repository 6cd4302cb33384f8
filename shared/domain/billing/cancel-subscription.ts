/** Ends a subscription for an operator: at its gateway first, then here, by what the gateway reports of it. */
import { attendReport, type SubscriptionReconcileNeeds } from './reconcile-subscriptions.ts';
import type { Subscription } from './subscription.ts';

/** One that is not paid yet can no longer be paid. @throws {Error} if the gateway does not respond as documented */
export async function cancelSubscription(
  needs: SubscriptionReconcileNeeds,
  { checkoutId }: Pick<Subscription, 'checkoutId'>,
  when: 'now' | 'period-end',
): Promise<void> {
  const { subscriptionGateway: gateway } = needs;
  const before = await gateway.read(checkoutId);
  if (!before) throw new Error('the gateway does not have the subscription');
  if (before.subscription) await gateway.cancel(before.subscription.subscriptionId, when);
  else await gateway.expireCheckout(checkoutId);
  const after = await gateway.read(checkoutId);
  if (after) await attendReport(needs, after);
}
