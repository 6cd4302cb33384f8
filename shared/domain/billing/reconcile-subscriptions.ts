/** Compares subscriptions with what the gateway reports of them, and does what is due, so that a lost event costs minutes. */
import { checkoutHours } from '../../contracts/billing.ts';
import type { SubscriptionReport } from '../../gateways/subscription-gateway.ts';
import { type PaymentNeeds, recordCase } from './apply-payment.ts';
import { type AppliedReport, applyReport, applyTime, type SubscriptionNeeds } from './apply-report.ts';
import type { Subscription } from './subscription.ts';

export interface SubscriptionReconcileNeeds extends SubscriptionNeeds, PaymentNeeds {}

/** A repeat of a request can use its checkout, and store the order, for as long as the order can be paid. */
const orphanAfterMs = checkoutHours * 3_600_000 + 2 * 60_000;

/** How late a change may appear in a search, clocks that differ included. */
const overlapMs = 15 * 60_000;

/** Before the first reconciliation of a service: longer than its first one can be late. */
const firstLookBackMs = 24 * 3_600_000;

/** After which the rest waits for the next run, so that this one ends in time. */
const runMs = 4 * 60_000;

/** How many subscriptions are attended to at once. */
const atOnce = 8;

/** `too-early`: its order may be about to be stored. */
export type Attended = AppliedReport | 'too-early';

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
export async function attendReport(needs: SubscriptionReconcileNeeds, report: SubscriptionReport): Promise<Attended> {
  const applied = await applyReport(needs, report);
  const { orderId, createdAt } = report;
  if (applied.state || orderId === undefined) return applied;
  if (!applied.isStray && needs.clock.now() - createdAt < orphanAfterMs) return 'too-early';
  await endOrphan(needs, report, orderId);
  return applied;
}

type Key = Pick<Subscription, 'accountId' | 'subscriptionId'>;

/** A subscription for which something is due, at the gateway or by time alone. */
async function attendDue(needs: SubscriptionReconcileNeeds, { accountId, subscriptionId }: Key): Promise<void> {
  const { subscriptions, subscriptionGateway } = needs;
  const subscription = await subscriptions.find(accountId, subscriptionId);
  if (!subscription) return;
  const isHere = subscription.gateway === subscriptionGateway.name;
  const report = isHere ? await subscriptionGateway.read(subscription.checkoutId) : undefined;
  await (report ? attendReport(needs, report) : applyTime(needs, subscriptionId));
}

export interface Reconciliation {
  readonly attended: number;
  /** What could not be attended to, and the search if it has failed. */
  readonly failures: readonly { readonly id: string; readonly error: unknown }[];
  /** Since when the subscription that waits longest has been due. */
  readonly oldestDueAt: number | undefined;
}

type Attend = (id: string, work: () => Promise<unknown>) => Promise<void>;

/** Where the last complete search ended. The first one's start is stored, so that it stays where it is until one is complete. */
async function searchedUntil({ clock, orders, subscriptionGateway }: SubscriptionReconcileNeeds): Promise<number> {
  const mark = await orders.searchMark(subscriptionGateway.name);
  if (mark !== undefined) return mark;
  const first = clock.now() - firstLookBackMs;
  await orders.saveSearchMark(subscriptionGateway.name, first);
  return first;
}

/** The next search begins where this one does, unless everything in it has been attended to. */
async function attendChanged(needs: SubscriptionReconcileNeeds, attend: Attend, endsAt: number): Promise<void> {
  const { clock, orders, subscriptionGateway: gateway } = needs;
  let mark = clock.now();
  let missed = 0;
  for await (const found of gateway.changedSince((await searchedUntil(needs)) - overlapMs)) {
    if (clock.now() >= endsAt) return;
    missed += 1;
    await attend(`checkout ${found.subject}`, async () => {
      if ('error' in found) throw found.error;
      const attended = await attendReport(needs, found);
      // It may never change again: it has to be found once more.
      if (attended === 'too-early') mark = Math.min(mark, found.createdAt);
      missed -= 1;
    });
  }
  if (missed === 0) await orders.saveSearchMark(gateway.name, mark);
}

/** The longest overdue first. What fails stays due, and keeps nothing else waiting. */
async function attendAllDue(needs: SubscriptionReconcileNeeds, attend: Attend, endsAt: number): Promise<void> {
  const { clock, subscriptions } = needs;
  const due = await Array.fromAsync(subscriptions.due(clock.now()));
  for (let from = 0; from < due.length && clock.now() < endsAt; from += atOnce) {
    const some = due.slice(from, from + atOnce);
    await Promise.all(some.map((key) => attend(`subscription ${key.subscriptionId}`, () => attendDue(needs, key))));
  }
}

async function oldestDue({ subscriptions }: SubscriptionReconcileNeeds, before: number): Promise<number | undefined> {
  for await (const { accountId, subscriptionId } of subscriptions.due(before)) {
    const checkAt = (await subscriptions.find(accountId, subscriptionId))?.checkAt;
    // The index may be a moment behind the subscriptions.
    if (checkAt !== undefined && checkAt <= before) return checkAt;
  }
  return undefined;
}

/** One failure must not keep the others waiting, not even that of the search. */
export async function reconcileSubscriptions(needs: SubscriptionReconcileNeeds): Promise<Reconciliation> {
  const { clock } = needs;
  const failures: { id: string; error: unknown }[] = [];
  let attended = 0;
  const attend: Attend = async (id, work) => {
    attended += 1;
    await work().catch((error: unknown) => failures.push({ id, error }));
  };
  const startedAt = clock.now();
  // What is due is sure to get its half of the time.
  await attendChanged(needs, attend, startedAt + runMs / 2).catch((error: unknown) =>
    failures.push({ id: 'search', error }),
  );
  await attendAllDue(needs, attend, startedAt + runMs);
  return { attended, failures, oldestDueAt: await oldestDue(needs, startedAt) };
}
