/** Ends a subscription for an operator: at its gateway first, then here, by what the gateway reports of it. */
import { handleReport, type SubscriptionReconcileNeeds } from './reconcile-subscriptions.ts';
import type { Subscription } from './subscription.ts';

/** One that is not paid yet can no longer be paid. @throws {Error} if the gateway does not respond as documented */
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
  // It may have been paid just before.
  if (report.subscription) {
    await gateway.cancel(report.subscription.subscriptionId, when);
    report = await read();
  }
  await handleReport(needs, report);
}
