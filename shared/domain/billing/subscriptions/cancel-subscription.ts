/** Cancels a subscription for an operator: first at its gateway, then in the service, as the gateway reports it. */
import { handleReport, type SubscriptionReconcileNeeds } from '../reconciliation/reconcile-subscriptions.ts';
import type { Subscription } from './subscription.ts';

/**
 * Cancels a subscription, or the checkout of one that is not paid yet. @throws {Error} if the gateway does not respond
 * as documented
 */
export async function cancelSubscription(
  needs: SubscriptionReconcileNeeds,
  { checkoutId }: Pick<Subscription, 'checkoutId'>,
  when: 'now' | 'period-end',
): Promise<void> {
  const { subscriptionGateway: gateway } = needs;
  const read = async () => {
    const report = await gateway.read(checkoutId);
    if (!report) throw new Error('the gateway does not have the subscription');
    return report;
  };
  let report = await read();
  if (!report.subscription) {
    await gateway.expireCheckout(checkoutId);
    report = await read();
  }
  // The checkout may have been paid just before it was canceled.
  if (report.subscription) {
    await gateway.cancel(report.subscription.subscriptionId, when);
    report = await read();
  }
  await handleReport(needs, report);
}
