/**
 * Applies a gateway's report to a subscription, its order, its account and the ledger. Each state transition is one
 * transaction, conditional on none of them having changed since they were read. Actions at the gateway that follow from
 * the new state come last.
 */
import { strict as assert } from 'node:assert';
import type { Logger } from '@aws-lambda-powertools/logger';
import type { SubscriptionGateway, SubscriptionReport } from '../../../gateways/subscription-gateway.ts';
import type { Clock } from '../../../platform/clock.ts';
import { ConditionFailed } from '../../../platform/dynamo-table.ts';
import type { Ids } from '../../../platform/ids.ts';
import type { ServiceMetrics } from '../../metrics.ts';
import type { Stores } from '../../stores.ts';
import { mayEndCases } from '../cases/subscription-cases.ts';
import { writeIfUnchanged } from '../write-if-unchanged.ts';
import { redeemedBy } from './coupon-redemption.ts';
import { featuresEndAt, isOverdue, type Subscription } from './subscription.ts';
import { endsPlan } from './subscription-changes.ts';
import {
  actionDueAtGateway,
  isDoubtful,
  moveFor,
  moveInTime,
  type SubscriptionMove,
  type SubscriptionState,
} from './subscription-move.ts';
import { makeDue } from './subscription-store.ts';
import { type SubscriptionWrites, writesBefore, writesOf } from './subscription-writes.ts';

export interface SubscriptionNeeds extends Pick<Stores, 'accounts' | 'cases' | 'orders' | 'subscriptions' | 'table'> {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  readonly metrics: ServiceMetrics;
  readonly subscriptionGateway: SubscriptionGateway;
}

export interface AppliedReport {
  /** The state transitions that were made, in order. */
  readonly moves: readonly SubscriptionMove[];
  /** The state as last read; undefined if there is no such subscription. */
  readonly state: SubscriptionState | undefined;
  /** The report is about a checkout other than the order's, so the order was not changed. */
  readonly isStray?: true;
}

/**
 * The limit of attempts, which exceeds the number of changes that one report can cause: it may grant the monthly
 * credits of several years.
 */
const maxAttempts = 100;

async function readState(
  { accounts, orders, subscriptions }: SubscriptionNeeds,
  orderId: string,
): Promise<SubscriptionState | undefined> {
  const order = await orders.find(orderId);
  if (order?.type !== 'subscription') return undefined;
  // The subscription is read first, because its version guards everything that is read after it.
  const subscription = await subscriptions.find(order.accountId, orderId);
  // An abandoned subscription is deleted eventually; a payment after that is treated as one without an order.
  if (!subscription) return undefined;
  const [account, invoices] = await Promise.all([accounts.find(order.accountId), subscriptions.invoices(orderId)]);
  assert(account, 'an order belongs to a missing account');
  return { order, subscription, account, invoices };
}

/** Logs and counts a state transition, for operators. */
function record(
  { logger, metrics }: SubscriptionNeeds,
  { order, subscription }: SubscriptionState,
  move: SubscriptionMove,
  { orderStatus }: SubscriptionWrites,
): void {
  if (move.kind === 'postpone') return;
  if (orderStatus === 'paid') metrics.record({ OrdersPaid: 1 });
  if (orderStatus === 'refunded') metrics.record({ OrdersRefunded: 1 });
  if (move.kind === 'activate') metrics.record({ SubscriptionsStarted: 1 });
  if (move.kind === 'follow' && move.status === 'past_due') metrics.record({ SubscriptionsPastDue: 1 });
  if (move.kind === 'end' || (move.kind === 'refund' && move.isLast)) metrics.record({ SubscriptionsEnded: 1 });
  const { accountId, orderId } = order;
  logger.info('subscription changed', { accountId, orderId, from: subscription.status, by: move.kind });
}

/**
 * Another subscription that provides the account's plan, while this one is canceled but still paid for. The other one
 * may be about to end: it must then find out that this one has been paid again, or the account would lose its plan.
 */
async function conflictingSubscription(
  { subscriptions }: SubscriptionNeeds,
  { account, subscription: { accountId, subscriptionId } }: SubscriptionState,
): Promise<Subscription | undefined> {
  const { planSource } = account;
  return planSource === undefined || planSource === subscriptionId
    ? undefined
    : subscriptions.find(accountId, planSource);
}

/** The newest other subscription that is paid for and takes over when the account's current plan ends. */
async function successorOf(
  { clock, subscriptions }: SubscriptionNeeds,
  { subscription: { accountId, subscriptionId } }: SubscriptionState,
): Promise<Subscription | undefined> {
  // Throws for a subscription that cannot be read, because it may be paid for; the report is applied again later.
  for await (const other of subscriptions.newestFirst(accountId, { isStrict: true })) {
    const paysFor = (featuresEndAt(other) ?? 0) > clock.now();
    if (paysFor && other.subscriptionId !== subscriptionId) return other;
  }
  return undefined;
}

/**
 * Makes the account's other checkouts due, so that they are closed. Best effort: if one is paid meanwhile, that becomes
 * a case.
 */
async function makeOthersDue({ clock, subscriptions, table }: SubscriptionNeeds, { subscription }: SubscriptionState) {
  for await (const other of subscriptions.newestFirst(subscription.accountId)) {
    // Older checkouts are overdue too, so they are already being checked.
    if (isOverdue(other, clock.now())) break;
    if (other.status !== 'pending') continue;
    await table.update(makeDue(other, clock.now())).catch((error: unknown) => {
      if (!(error instanceof ConditionFailed)) throw error;
    });
  }
}

/** Performs the action that is due at the gateway; false if there was none. */
async function isDutyDone(needs: SubscriptionNeeds, state: SubscriptionState, report: SubscriptionReport) {
  const { clock, logger, subscriptionGateway } = needs;
  const duty = actionDueAtGateway(state, report, clock.now());
  if (!duty) return false;
  const { accountId, orderId, checkoutId } = state.order;
  const { subscriptionId } = report.subscription ?? {};
  if (subscriptionId === undefined) await subscriptionGateway.expireCheckout(checkoutId);
  else await subscriptionGateway.cancel(subscriptionId, 'now');
  logger.info('subscription ended at the gateway', { accountId, orderId, by: duty });
  return true;
}

/** Adds to the state whatever else a transition depends on. */
async function withOthers(needs: SubscriptionNeeds, state: SubscriptionState, move: SubscriptionMove) {
  return {
    ...state,
    successor: endsPlan(state, move) ? await successorOf(needs, state) : undefined,
    conflicting: move.kind === 'renew' ? await conflictingSubscription(needs, state) : undefined,
    redeemedBy: await redeemedBy(needs.table, state.order),
    cases: mayEndCases(move) ? await needs.cases.ofOrder(state.order.orderId) : [],
  };
}

/**
 * The writes, without a case that is already recorded: a payment may have been reported for another checkout of its
 * order before.
 */
async function withNewCase(
  { cases }: SubscriptionNeeds,
  { found, ...writes }: SubscriptionWrites,
): Promise<SubscriptionWrites> {
  return found && !(await cases.find(found.caseId)) ? { ...writes, found } : writes;
}

async function apply(
  needs: SubscriptionNeeds,
  orderId: string,
  reading: SubscriptionReport | 'unknown' | 'unreadable',
): Promise<AppliedReport> {
  const { clock, ids, subscriptionGateway } = needs;
  let report = typeof reading === 'string' ? undefined : reading;
  const moves: SubscriptionMove[] = [];
  for (let tries = 0; tries < maxAttempts; tries += 1) {
    const state = await readState(needs, orderId);
    if (!state) return { moves, state };
    if (report && report.subject !== state.order.checkoutId) return { moves, state: undefined, isStray: true };
    const isRead = reading !== 'unreadable' && (report || state.subscription.gateway === subscriptionGateway.name);
    let move = isRead ? moveFor(state, report, clock.now()) : moveInTime(state, clock.now());
    if (report && move && isDoubtful(move)) {
      // The report is read after the stored state, so that it is at least as recent.
      report = (await subscriptionGateway.read(report.subject)) ?? report;
      move = moveFor(state, report, clock.now());
    }
    if (!move) return { moves, state };
    const all = await withOthers(needs, state, move);
    const row = { id: ids.next(), at: clock.now() };
    const before = writesBefore(all, move, row.at);
    const writes = await withNewCase(needs, writesOf(all, move, report, row));
    if (!(await writeIfUnchanged(needs, before ?? writes)) || before) continue;
    record(needs, state, move, writes);
    moves.push(move);
    if (move.kind === 'activate') await makeOthersDue(needs, state);
  }
  throw new Error(`subscription ${orderId} keeps changing`);
}

/**
 * Applies a report. It can be applied any number of times: it completes what an earlier process did not finish, and
 * does nothing else.
 */
export async function applyReport(needs: SubscriptionNeeds, report: SubscriptionReport): Promise<AppliedReport> {
  const { orderId, subject } = report;
  if (orderId === undefined) return { moves: [], state: undefined };
  const applied = await apply(needs, orderId, report);
  if (!applied.state || !(await isDutyDone(needs, applied.state, report))) return applied;
  const after = await needs.subscriptionGateway.read(subject);
  if (!after) return applied;
  const { moves, state } = await apply(needs, orderId, after);
  return { moves: [...applied.moves, ...moves], state };
}

/**
 * Applies changes that depend only on time, for a subscription that its gateway does not know, or that is at another
 * gateway.
 */
export const applyTime = (needs: SubscriptionNeeds, subscriptionId: string): Promise<AppliedReport> =>
  apply(needs, subscriptionId, 'unknown');

/**
 * Applies changes that depend only on time when the subscription's report cannot be read; its checkout is left open.
 */
export const applyTimeUnread = (needs: SubscriptionNeeds, subscriptionId: string): Promise<AppliedReport> =>
  apply(needs, subscriptionId, 'unreadable');
