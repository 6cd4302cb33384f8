/**
 * Compares subscriptions with the gateway and does what is due, so that a lost event delays a change by minutes only.
 */
import { checkoutHours } from '../../../contracts/billing.ts';
import type { SubscriptionReport } from '../../../gateways/subscription-gateway.ts';
import { ConditionFailed } from '../../../platform/dynamo-table.ts';
import { readableFinds } from '../../readable-rows.ts';
import { type PaymentNeeds, recordCase } from '../orders/apply-payment.ts';
import {
  type AppliedReport,
  applyReport,
  applyTime,
  applyTimeUnread,
  type SubscriptionNeeds,
} from '../subscriptions/apply-report.ts';
import { type Subscription, wasActive } from '../subscriptions/subscription.ts';
import { remainDue } from '../subscriptions/subscription-store.ts';
import { type Handle, type Reconciliation, runMs, runSteps } from './reconciliation.ts';
import { countPostponed, handlePostponed, type Search, searchChanges } from './search-changes.ts';

export interface SubscriptionReconcileNeeds extends SubscriptionNeeds, PaymentNeeds {}

/**
 * The age from which a checkout without an order counts as abandoned: until then, a repeated request can still use the
 * checkout and store the order.
 */
const orphanAfterMs = checkoutHours * 3_600_000 + 2 * 60_000;

/** How many subscriptions are processed concurrently. */
const atOnce = 8;

/** `too-early`: the order that the report belongs to may be about to be stored. */
export type Handled = AppliedReport | 'too-early';

/**
 * Cancels a subscription whose order was never stored, so that it is not charged again; opens a case for what was paid.
 */
async function endOrphan(
  needs: SubscriptionReconcileNeeds,
  report: SubscriptionReport,
  orderId: string,
): Promise<void> {
  const { subscriptionGateway: gateway } = needs;
  const { checkout, subject, subscription } = report;
  if (checkout === 'open') await gateway.expireCheckout(subject);
  if (!subscription) return;
  if (subscription.status !== 'canceled') await gateway.cancel(subscription.subscriptionId, 'now');
  const order = { orderId, gateway: gateway.name };
  for (const { invoiceId: paymentId, cents, currency, isRefunded } of subscription.invoices)
    if (cents > 0 && !isRefunded)
      await recordCase(needs, 'payment-without-order', order, { paymentId, cents, currency });
}

/** Applies a report. A subscription whose order was never stored, or that belongs to another checkout, is canceled. */
export async function handleReport(needs: SubscriptionReconcileNeeds, report: SubscriptionReport): Promise<Handled> {
  const applied = await applyReport(needs, report);
  const { orderId, createdAt } = report;
  if (applied.state || orderId === undefined) return applied;
  if (!applied.isStray && needs.clock.now() - createdAt < orphanAfterMs) return 'too-early';
  await endOrphan(needs, report, orderId);
  return applied;
}

type Key = Pick<Subscription, 'accountId' | 'subscriptionId'>;

async function reconcileSubscription(needs: SubscriptionReconcileNeeds, subscription: Subscription): Promise<void> {
  const { subscriptionGateway } = needs;
  const { subscriptionId, checkoutId, gateway } = subscription;
  const read = async () => (gateway === subscriptionGateway.name ? subscriptionGateway.read(checkoutId) : undefined);
  const report = await read().catch(async (error: unknown) => {
    if (wasActive(subscription)) await applyTimeUnread(needs, subscriptionId);
    throw error;
  });
  await (report ? handleReport(needs, report) : applyTime(needs, subscriptionId));
}

/** Processes a subscription that is due. If that fails, it is moved to the end of the queue. */
async function reconcileDue(needs: SubscriptionReconcileNeeds, key: Key): Promise<void> {
  const { clock, subscriptions, table } = needs;
  let dueSince: number | undefined;
  try {
    const subscription = await subscriptions.find(key.accountId, key.subscriptionId);
    dueSince = subscription?.checkAt;
    if (subscription) await reconcileSubscription(needs, subscription);
  } catch (error) {
    await table.update(remainDue(key, dueSince, clock.now())).catch((failed: unknown) => {
      if (!(failed instanceof ConditionFailed)) throw failed;
    });
    throw error;
  }
}

/** Processes all due subscriptions, the longest overdue first. Failures stay due without delaying the others. */
async function reconcileAllDue(needs: SubscriptionReconcileNeeds, handle: Handle, endsAt: number): Promise<void> {
  const { clock, subscriptions } = needs;
  const due = await Array.fromAsync(subscriptions.due(clock.now()));
  for (let from = 0; from < due.length && clock.now() < endsAt; from += atOnce) {
    const some = due.slice(from, from + atOnce);
    await Promise.all(some.map((key) => handle(`subscription ${key.subscriptionId}`, () => reconcileDue(needs, key))));
  }
}

/** How many due subscriptions are read to find the longest overdue one: failed ones are not sorted by time. */
const maxLooks = 100;

async function oldestDue(needs: SubscriptionReconcileNeeds, before: number): Promise<number | undefined> {
  const { clock, orders, subscriptionGateway, subscriptions, table } = needs;
  const times = [await orders.searchMark(subscriptionGateway.name)];
  for await (const key of subscriptions.due(clock.now())) {
    const find = (id: Key) => subscriptions.find(id.accountId, id.subscriptionId);
    const found = await readableFinds(table, { kind: 'subscription', idOf: (id) => id.subscriptionId }, [key], find);
    times.push(...found.map(({ checkAt }) => checkAt));
    if (times.length > maxLooks) break;
  }
  // The result is filtered, because the index may lag behind the subscriptions.
  const due = times.filter((time) => time !== undefined && time < before) as number[];
  return due.length > 0 ? Math.min(...due) : undefined;
}

const searchIn = (needs: SubscriptionReconcileNeeds): Search<SubscriptionReport> => ({
  gateway: needs.subscriptionGateway,
  kind: 'checkout',
  subjectOf: ({ subject }) => subject,
  async work(report) {
    const isEarly = (await handleReport(needs, report)) === 'too-early';
    // Nothing follows from expired ones, such as those that were withdrawn because the account had too many orders.
    return isEarly && report.checkout !== 'expired' ? report.createdAt + orphanAfterMs : undefined;
  },
});

/** Runs the reconciliation. `oldestDueAt` covers due subscriptions and changes that have not been searched for. */
export async function reconcileSubscriptions(needs: SubscriptionReconcileNeeds): Promise<Reconciliation> {
  const startedAt = needs.clock.now();
  const search = searchIn(needs);
  // The steps are separate, so that a slow one cannot use up the time of the search.
  const run = await runSteps({
    due: (handle) => reconcileAllDue(needs, handle, startedAt + runMs / 2),
    postponed: (handle) => handlePostponed(needs, search, { handle, endsAt: startedAt + (runMs * 3) / 4 }),
    search: (handle) => searchChanges(needs, search, { handle, endsAt: startedAt + runMs }),
  });
  const postponed = await countPostponed(needs, search, run.failures);
  return { ...run, postponed, oldestDueAt: await oldestDue(needs, startedAt) };
}
