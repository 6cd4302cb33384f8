/** Compares subscriptions with what the gateway reports of them, and does what is due, so that a lost event costs minutes. */
import { checkoutHours } from '../../contracts/billing.ts';
import type { SubscriptionReport } from '../../gateways/subscription-gateway.ts';
import { ConditionFailed } from '../../platform/dynamo-table.ts';
import { readableFinds } from '../readable-rows.ts';
import { type PaymentNeeds, recordCase } from './apply-payment.ts';
import { type AppliedReport, applyReport, applyTime, applyTimeUnread, type SubscriptionNeeds } from './apply-report.ts';
import { type Handle, type Reconciliation, runMs, runSteps } from './reconciliation.ts';
import { countPostponed, handlePostponed, type Search, searchChanges } from './search-changes.ts';
import { type Subscription, wasActive } from './subscription.ts';
import { remainDue } from './subscription-store.ts';

export interface SubscriptionReconcileNeeds extends SubscriptionNeeds, PaymentNeeds {}

/** A repeat of a request can use its checkout, and store the order, for as long as the order can be paid. */
const orphanAfterMs = checkoutHours * 3_600_000 + 2 * 60_000;

/** How many subscriptions are handled at once. */
const atOnce = 8;

/** `too-early`: its order may be about to be stored. */
export type Handled = AppliedReport | 'too-early';

/** Nobody may be charged for an order that was never stored; what was paid already is a case. */
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

/** Applies a report; a subscription whose order was never stored, or has another checkout, is ended. */
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

/** A subscription for which something is due, at the gateway or by time alone. After a failure it is the last in the line. */
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

/** The longest overdue first. What fails stays due, and keeps nothing else waiting. */
async function reconcileAllDue(needs: SubscriptionReconcileNeeds, handle: Handle, endsAt: number): Promise<void> {
  const { clock, subscriptions } = needs;
  const due = await Array.fromAsync(subscriptions.due(clock.now()));
  for (let from = 0; from < due.length && clock.now() < endsAt; from += atOnce) {
    const some = due.slice(from, from + atOnce);
    await Promise.all(some.map((key) => handle(`subscription ${key.subscriptionId}`, () => reconcileDue(needs, key))));
  }
}

/** How many are looked at to find the one that has been due longest: those that fail are not in the order of their times. */
const mostLooks = 100;

async function oldestDue(needs: SubscriptionReconcileNeeds, before: number): Promise<number | undefined> {
  const { clock, orders, subscriptionGateway, subscriptions, table } = needs;
  const times = [await orders.searchMark(subscriptionGateway.name)];
  for await (const key of subscriptions.due(clock.now())) {
    const find = (id: Key) => subscriptions.find(id.accountId, id.subscriptionId);
    const found = await readableFinds(table, { kind: 'subscription', idOf: (id) => id.subscriptionId }, [key], find);
    times.push(...found.map(({ checkAt }) => checkAt));
    if (times.length > mostLooks) break;
  }
  // The index may be a moment behind the subscriptions.
  const due = times.filter((time) => time !== undefined && time < before) as number[];
  return due.length > 0 ? Math.min(...due) : undefined;
}

const searchIn = (needs: SubscriptionReconcileNeeds): Search<SubscriptionReport> => ({
  gateway: needs.subscriptionGateway,
  kind: 'checkout',
  subjectOf: ({ subject }) => subject,
  work: async (report) =>
    (await handleReport(needs, report)) === 'too-early' ? report.createdAt + orphanAfterMs : undefined,
});

/** `oldestDueAt` is about subscriptions that are due, and changes that have not been searched for. */
export async function reconcileSubscriptions(needs: SubscriptionReconcileNeeds): Promise<Reconciliation> {
  const startedAt = needs.clock.now();
  const search = searchIn(needs);
  // Whatever takes long, the search is sure to get its part of the time.
  const run = await runSteps({
    due: (handle) => reconcileAllDue(needs, handle, startedAt + runMs / 2),
    aside: (handle) => handlePostponed(needs, search, { handle, endsAt: startedAt + (runMs * 3) / 4 }),
    search: (handle) => searchChanges(needs, search, { handle, endsAt: startedAt + runMs }),
  });
  const postponed = await countPostponed(needs, search, run.failures);
  return { ...run, postponed, oldestDueAt: await oldestDue(needs, startedAt) };
}
