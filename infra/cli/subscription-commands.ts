/** The commands for subscriptions. */

import { endsWithPeriod, type Subscription } from '../../shared/domain/billing/subscriptions/subscription.ts';
import { acts } from '../../shared/domain/operators/acts.ts';
import { timestamp } from '../../shared/platform/clock.ts';
import { accountId } from './account-kind.ts';
import { actCommand } from './act-command.ts';
import { type Command, command, optional, required } from './command.ts';
import { commandFailed } from './exit-error.ts';
import { findAccount } from './find-account.ts';
import { requireLocal, type Service } from './service.ts';
import { timeOrNull } from './time-or-null.ts';
import { futureTime, idOf, oneOf } from './value-kinds.ts';

const subscriptionId = idOf('SUBSCRIPTION', 'of a subscription, which is also the id of its order');

async function findSubscription({ orders, subscriptions }: Service, id: string) {
  const order = await orders.find(id);
  const found = order && (await subscriptions.find(order.accountId, id));
  if (!found) throw commandFailed(`There is no subscription ${id}.`);
  return found;
}

/** When it renews or ends; neither before its first payment, nor while a renewal is past due. */
function renewalOf(subscription: Subscription) {
  const { currentPeriodEnd, status } = subscription;
  const isLast = endsWithPeriod(subscription);
  return {
    renewsAt: status === 'active' && !isLast ? timeOrNull(currentPeriodEnd) : null,
    endsAt: isLast ? timeOrNull(currentPeriodEnd) : null,
  };
}

async function describe(service: Service, id: string) {
  const found = await findSubscription(service, id);
  const { accountId, currentPeriodStart, currentPeriodEnd, ...subscription } = found;
  const { status, planId, billingCycle, gateway, gatewayId = null, checkoutId, isEnding = false } = subscription;
  const invoices = await service.subscriptions.invoices(id);
  return {
    accountId,
    id,
    status,
    planId,
    billingCycle,
    currentPeriodStart: timeOrNull(currentPeriodStart),
    currentPeriodEnd: timeOrNull(currentPeriodEnd),
    isEnding,
    ...renewalOf(found),
    featuresEndedAt: timeOrNull(subscription.lapsedAt),
    gateway,
    gatewayId,
    checkoutId,
    createdAt: timestamp(subscription.createdAt),
    canceledAt: timeOrNull(subscription.canceledAt),
    invoices: invoices.map(({ invoiceId, cents, periodStart, periodEnd, granted, refundedCents }) => ({
      invoiceId,
      cents,
      periodStart: timestamp(periodStart),
      periodEnd: timestamp(periodEnd),
      monthsCredited: granted,
      refundedCents,
    })),
  };
}

const list = command({
  name: 'list',
  summary:
    'List the subscriptions of an account and when they renew or end, newest first, also those that were never paid.',
  options: { account: required(accountId, 'The account.') },
  async run({ account }, service) {
    await findAccount(service, account);
    const found = await Array.fromAsync(service.subscriptions.newestFirst(account));
    const subscriptions = found.map((subscription) => ({
      subscriptionId: subscription.subscriptionId,
      status: subscription.status,
      planId: subscription.planId,
      billingCycle: subscription.billingCycle,
      ...renewalOf(subscription),
      currentPeriodEnd: timeOrNull(subscription.currentPeriodEnd),
      gateway: subscription.gateway,
      gatewayId: subscription.gatewayId ?? null,
      createdAt: timestamp(subscription.createdAt),
    }));
    return { subscriptions };
  },
  rows: ({ subscriptions }) => subscriptions,
  whenEmpty: 'The account has no subscriptions.',
});

const show = command({
  name: 'show',
  summary: 'Show a subscription, its account and the periods that were paid.',
  options: { subscription: required(subscriptionId, 'The subscription.') },
  run: ({ subscription: id }, service) => describe(service, id),
});

const cancel = actCommand(acts.cancelSubscription, {
  name: 'cancel',
  summary: 'Cancel a subscription at its gateway; nothing is returned, and what was paid lasts until its end.',
  options: {
    subscription: required(subscriptionId, 'The subscription.'),
    when: optional(oneOf('WHEN', ['period-end', 'now']), 'When it ends; by default with the period that was paid.'),
  },
  async run({ subscription: id, when }, { connect, perform }) {
    const service = await connect();
    await perform(service, service, { subscription: id, when });
    return describe(service, id);
  },
});

const advance = actCommand(acts.advanceSubscription, {
  name: 'advance',
  summary:
    'On the local service only: do at once what is due for a subscription until a later time, such as its months.',
  options: {
    subscription: required(subscriptionId, 'The subscription.'),
    to: required(futureTime, 'The time.'),
  },
  async run({ subscription: id, to }, { connect, perform }) {
    const service = await connect();
    requireLocal(service);
    await perform(service, service, { subscription: id, to });
    return describe(service, id);
  },
});

export const subscriptionCommands: readonly Command[] = [list, show, cancel, advance];
