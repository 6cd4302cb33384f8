/** Simulates customers with subscriptions and packs, two gateways and the service, with crashing processes. */
import { setImmediate as turn } from 'node:timers/promises';
import { defaultPlans } from '../../../shared/catalog/plans.ts';
import { createOrder } from '../../../shared/domain/billing/orders/create-order.ts';
import { handlePayment, reconcileOrders } from '../../../shared/domain/billing/reconciliation/reconcile-orders.ts';
import {
  handleReport,
  reconcileSubscriptions,
} from '../../../shared/domain/billing/reconciliation/reconcile-subscriptions.ts';
import { createSubscription } from '../../../shared/domain/billing/subscriptions/create-subscription.ts';
import { fingerprintOf, Replay } from '../../../shared/domain/idempotency/idempotency.ts';
import { Rejection } from '../../../shared/domain/rejection.ts';
import { stores } from '../../../shared/domain/stores.ts';
import { noSubscriptionGateway } from '../../../shared/gateways/no-subscription-gateway.ts';
import type { SubscriptionGateway, SubscriptionReport } from '../../../shared/gateways/subscription-gateway.ts';
import type { Table } from '../../../shared/platform/dynamo-table.ts';
import { randomIds } from '../../../shared/platform/ids.ts';
import { type Card, dayMs } from '../../support/actual-checkout.ts';
import { fakePixGateway } from '../../support/fake-pix-gateway.ts';
import { type DisputeStep, fakeSubscriptionGateway } from '../../support/fake-subscription-gateway.ts';
import { InjectedFault } from '../../support/gateway-outcome.ts';
import { recordedMetrics } from '../../support/recorded-metrics.ts';
import { anAccount, testTime } from '../../support/test-table.ts';
import { mortal, type Outcomes, pick, well } from './mortal-process.ts';
import { ownSubscriptions } from './own-subscriptions.ts';
import type { SeenInvoice } from './withheld-months.ts';

/** Waits for all of several actions, so that none continues in the background after one has failed. */
async function allEnded(works: readonly Promise<unknown>[]): Promise<void> {
  for (const ended of await Promise.allSettled(works)) if (ended.status === 'rejected') throw ended.reason;
}

/** Indexes are taken modulo the number of existing items. */
export type Step =
  | ({
      readonly do: 'subscribe';
      readonly customer: number;
      readonly plan: number;
      readonly billingCycle: 'monthly' | 'annual';
      readonly couponCode?: string;
      readonly key?: string;
    } & Outcomes)
  | {
      readonly do: 'complete';
      readonly checkout: number;
      readonly how: 'right' | 'wrong amount' | 'wrong currency' | 'waiting';
    }
  | { readonly do: 'abandon'; readonly checkout: number }
  | { readonly do: 'use card'; readonly checkout: number; readonly card: Card }
  | { readonly do: 'cancel'; readonly checkout: number; readonly when: 'now' | 'period-end' }
  | { readonly do: 'refund'; readonly invoice: number; readonly share: number }
  | { readonly do: 'fail refunds'; readonly invoice: number }
  | { readonly do: 'dispute'; readonly invoice: number; readonly becomes: DisputeStep }
  | { readonly do: 'move anchor' | 'stray'; readonly checkout: number }
  | ({ readonly do: 'notify'; readonly checkout: number } & Outcomes)
  | { readonly do: 'read ahead'; readonly checkout: number }
  | ({ readonly do: 'apply what was read' } & Outcomes)
  | ({ readonly do: 'reconcile' } & Outcomes)
  /** A reconciliation by a service that has been switched to another gateway. */
  | ({ readonly do: 'reconcile elsewhere' } & Outcomes)
  | { readonly do: 'spend'; readonly customer: number; readonly credits: number }
  | ({ readonly do: 'buy a pack'; readonly customer: number } & Outcomes)
  | ({ readonly do: 'pay the pack'; readonly pack: number } & Outcomes)
  | { readonly do: 'refund the pack'; readonly pack: number }
  | { readonly do: 'wait'; readonly hours: number };

/** The plans on sale, each of which has features. */
export const soldPlans = defaultPlans.plans.filter(({ features }) => features.length > 0);
/** A time that is longer than any process of the service lives. */
const longestLifeMs = 5 * 60_000;
const packId = defaultPlans.creditPacks[0]?.id ?? '';

export async function subscriptionWorld(sharedTable: Table) {
  let now = testTime;
  const clock = { now: () => now };
  const ids = randomIds(clock);
  const metrics = recordedMetrics();
  const logger = { info: () => undefined, warn: () => undefined };
  const truth = fakeSubscriptionGateway(clock);
  const packTruth = fakePixGateway(clock);
  const customers = [anAccount(), anAccount()].map(({ accountId }) => accountId);
  const table = ownSubscriptions(sharedTable, customers);
  const plain = { ...stores(table, clock), clock, ids };
  for (const accountId of customers)
    await plain.accounts.insert({ ...anAccount({ balance: 0 }), accountId }, undefined);
  /** The orders that customers were promised, and the orders whose checkouts were created under each key. */
  const promised = new Set<string>();
  const requested = new Map<string, Set<string>>();
  const buyers = new Map<string, string>();
  const readAhead: { readonly report: SubscriptionReport; readonly at: number }[] = [];

  const process = ({ gateway: outcome, crash }: Outcomes) => {
    return {
      ...stores(mortal(table, crash), clock),
      clock,
      ids,
      logger,
      metrics,
      subscriptionGateway: truth.seen(outcome),
      pixGateway: packTruth.seen(outcome),
      pause: async (milliseconds: number) => {
        now += milliseconds;
        await turn();
      },
    };
  };

  async function subscribe(step: Extract<Step, { do: 'subscribe' }>): Promise<void> {
    const { billingCycle, couponCode, key } = step;
    const accountId = pick(customers, step.customer) ?? '';
    const planId = pick(soldPlans, step.plan)?.id ?? '';
    const body = { planId, billingCycle, ...(couponCode !== undefined && { couponCode }) };
    const idempotency = key === undefined ? undefined : { key, fingerprint: fingerprintOf(body, key) };
    const needs = process(step);
    const createCheckout: SubscriptionGateway['createCheckout'] = async (request) => {
      const name = `${accountId} ${key ?? request.orderId}`;
      requested.set(name, (requested.get(name) ?? new Set()).add(request.orderId));
      buyers.set(request.orderId, accountId);
      return needs.subscriptionGateway.createCheckout(request);
    };
    const subscriptionGateway = { ...needs.subscriptionGateway, createCheckout };
    const response = await createSubscription({ ...needs, subscriptionGateway }, { accountId, body, idempotency });
    const { orderId } = response instanceof Replay ? JSON.parse(response.response.body).data : response;
    promised.add(String(orderId));
  }

  const checkoutOf = (index: number) => pick(truth.checkouts(), index)?.checkoutId ?? '';
  const paidInvoiceOf = (index: number) =>
    pick(
      truth.checkouts().flatMap(({ subscription }) => subscription?.invoices ?? []),
      index,
    );
  const invoiceOf = (index: number) => paidInvoiceOf(index)?.invoiceId ?? '';
  const packOf = (index: number) => pick([...packTruth.payments.values()], index);

  async function notify({ checkout, ...outcomes }: Extract<Step, { do: 'notify' }>): Promise<void> {
    const needs = process(outcomes);
    const report = await needs.subscriptionGateway.read(checkoutOf(checkout));
    if (report) await handleReport(needs, report);
  }

  async function payPack({ pack, ...outcomes }: Extract<Step, { do: 'pay the pack' }>): Promise<void> {
    const payment = packOf(pack);
    if (!payment) return;
    packTruth.pay(payment.orderId ?? '');
    const needs = process(outcomes);
    const paid = await needs.pixGateway.read(payment.paymentId);
    if (paid) await handlePayment(needs, paid);
  }

  /** Actions of the customer or the gateway, which the service learns of only later. */
  function happen(step: Step): unknown {
    switch (step.do) {
      case 'complete': {
        const amount = step.how === 'wrong amount' ? { cents: 1 } : {};
        const currency = step.how === 'wrong currency' ? { currency: 'USD' } : {};
        return truth.complete(checkoutOf(step.checkout), { ...amount, ...currency, isWaiting: step.how === 'waiting' });
      }
      case 'abandon':
        return truth.expire(checkoutOf(step.checkout));
      case 'use card':
        return truth.useCard(checkoutOf(step.checkout), step.card);
      case 'cancel':
        return truth.cancel(checkoutOf(step.checkout), step.when);
      case 'move anchor':
        return truth.moveAnchor(checkoutOf(step.checkout));
      case 'stray':
        return truth.stray(checkoutOf(step.checkout));
      case 'refund':
        return truth.refund(invoiceOf(step.invoice), Math.ceil((paidInvoiceOf(step.invoice)?.cents ?? 0) * step.share));
      case 'fail refunds':
        return truth.failRefunds(invoiceOf(step.invoice));
      case 'dispute':
        return truth.dispute(invoiceOf(step.invoice), step.becomes);
      case 'refund the pack':
        return packTruth.refund(packOf(step.pack)?.paymentId ?? '');
      default:
        return undefined;
    }
  }

  async function take(step: Step): Promise<unknown> {
    switch (step.do) {
      case 'subscribe':
        return subscribe(step);
      case 'notify':
        return notify(step);
      case 'read ahead': {
        const report = await truth.seen().read(checkoutOf(step.checkout));
        return report && readAhead.push({ report, at: now });
      }
      case 'apply what was read': {
        const read = readAhead.shift();
        return read && now - read.at <= longestLifeMs && handleReport(process(step), read.report);
      }
      case 'reconcile':
        return allEnded([reconcileSubscriptions(process(step)), reconcileOrders(process(step))]);
      case 'reconcile elsewhere': {
        const subscriptionGateway = { ...noSubscriptionGateway, name: `${truth.seen().name}-other` };
        return reconcileSubscriptions({ ...process(step), subscriptionGateway });
      }
      case 'spend': {
        const row = { id: ids.next(), accountId: pick(customers, step.customer) ?? '', amount: -step.credits, at: now };
        return plain.accounts.post({ ...row, reason: 'generation' });
      }
      case 'buy a pack': {
        const accountId = pick(customers, step.customer) ?? '';
        return createOrder(process(step), { accountId, body: { packId }, idempotency: undefined });
      }
      case 'pay the pack':
        return payPack(step);
      case 'wait':
        now += step.hours * 3_600_000;
        return undefined;
      default:
        return happen(step);
    }
  }

  // The schedule, which runs from the service's start on.
  await reconcileSubscriptions(process(well));

  return {
    clock,
    truth,
    packTruth,
    customers,
    promised,
    requested,
    /** The stored invoices, as the oracle saw them last. */
    lastSeen: new Map<string, SeenInvoice>(),
    buyerOf: (orderId: string) => buyers.get(orderId),
    metrics,
    stores: plain,
    /** A request may be rejected or fail because of an injected fault; any other error is a bug. */
    step: (step: Step): Promise<unknown> =>
      take(step).catch((error: unknown) => {
        if (!(error instanceof InjectedFault || error instanceof Rejection)) throw error;
      }),
    /** Advances the clock far enough for every checkout to end, without further faults. */
    async settle(): Promise<void> {
      now += 2 * dayMs;
      for (let round = 0; round < 3; round += 1) {
        const { failures } = await reconcileSubscriptions(process(well));
        await reconcileOrders(process(well));
        if (failures.length > 0) throw failures[0]?.error;
      }
    },
  };
}

export type SubscriptionWorld = Awaited<ReturnType<typeof subscriptionWorld>>;
