/** A subscription of one account, and changes of it at the gateway. */
import type { SubscriptionAction } from '../../fakes/stripe/subscription-actions.ts';
import type { BillingCycle } from '../../shared/contracts/billing-cycles.ts';
import { subscriptionGateway } from '../../shared/gateways/subscription-gateways.ts';
import { giveSubscription } from '../support/given-subscription.ts';
import type { TestAccount, TestService } from '../support/test-service.ts';

export function subscriptionScene(
  { service }: Pick<TestService, 'service'>,
  { accountId }: Pick<TestAccount, 'accountId'>,
) {
  const { context, subscriptions: gateway } = service;
  const find = async (orderId: string) => {
    const found = await context.subscriptions.find(accountId, orderId);
    if (!found) throw new Error('there is no such subscription');
    return found;
  };
  return {
    find,
    /** The id of the order. */
    subscribe: (billingCycle?: BillingCycle) =>
      giveSubscription(context, subscriptionGateway(context), accountId, billingCycle),
    /** Completes the checkout, and waits for the events of this change and of earlier ones. */
    pay: async (orderId: string, card?: string): Promise<void> => {
      await gateway.sent();
      gateway.pay((await find(orderId)).checkoutId, card);
      await gateway.sent();
    },
    /** Waits until the service knows the subscription. */
    change: async (orderId: string, ...actions: readonly SubscriptionAction[]): Promise<void> => {
      const { gatewayId = '' } = await find(orderId);
      for (const action of actions) {
        gateway.do(gatewayId, action);
        await gateway.sent();
      }
    },
    /** The state of the newest subscription, and the plan and credits that it gives the account. */
    standing: async () => {
      const account = await context.accounts.find(accountId);
      const [newest] = await Array.fromAsync(context.subscriptions.newestFirst(accountId));
      return { status: newest?.status, plan: account?.planId, features: account?.features, balance: account?.balance };
    },
    orderStatus: async (orderId: string) => (await context.orders.find(orderId))?.status,
    openCases: async (orderId: string) =>
      (await context.cases.list({ onlyOpen: true })).filter((one) => one.orderId === orderId).map(({ kind }) => kind),
  };
}
