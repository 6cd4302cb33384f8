/** Simulates buyers, a gateway and the service, with crashing processes and lost responses. */
import { setImmediate as turn } from 'node:timers/promises';
import { defaultPlans, type PackEntry } from '../../../shared/catalog/plans.ts';
import type { PaymentNeeds } from '../../../shared/domain/billing/orders/apply-payment.ts';
import { createOrder } from '../../../shared/domain/billing/orders/create-order.ts';
import { handlePayment, reconcileOrders } from '../../../shared/domain/billing/reconciliation/reconcile-orders.ts';
import { fingerprintOf, Replay } from '../../../shared/domain/idempotency/idempotency.ts';
import { Rejection } from '../../../shared/domain/rejection.ts';
import { stores } from '../../../shared/domain/stores.ts';
import type { PixGateway, PixPayment } from '../../../shared/gateways/pix-gateway.ts';
import type { Table } from '../../../shared/platform/dynamo-table.ts';
import { randomIds } from '../../../shared/platform/ids.ts';
import { fakePixGateway } from '../../support/fake-pix-gateway.ts';
import { InjectedFault } from '../../support/gateway-outcome.ts';
import { recordedMetrics } from '../../support/recorded-metrics.ts';
import { anAccount, testTime } from '../../support/test-table.ts';
import { billingTasks } from './billing-tasks.ts';
import { type Crash, mortal, type Outcomes, pick, well } from './mortal-process.ts';

/** Indexes are taken modulo the number of existing items. */
export type Step =
  | ({ readonly do: 'buy'; readonly buyer: number; readonly pack: number; readonly key?: string } & Outcomes)
  | { readonly do: 'pay'; readonly order: number; readonly how: 'right' | 'wrong amount' | 'wrong currency' }
  | { readonly do: 'refund'; readonly payment: number; readonly part: boolean }
  | { readonly do: 'end'; readonly payment: number; readonly status: 'expired' | 'canceled' | 'failed' }
  | { readonly do: 'dispute' | 'win'; readonly payment: number }
  | ({ readonly do: 'notify'; readonly payment: number; readonly event: number } & Outcomes)
  | { readonly do: 'read ahead'; readonly payment: number }
  | { readonly do: 'apply what was read'; readonly crash: Crash }
  | { readonly do: 'spend'; readonly buyer: number; readonly credits: number }
  | { readonly do: 'start'; readonly buyer: number; readonly credits: number; readonly crash: Crash }
  | { readonly do: 'end task'; readonly task: number; readonly isFailed: boolean; readonly crash: Crash }
  /** How much a run can do within its time limit; everything by default. */
  | ({ readonly do: 'reconcile'; readonly max?: number } & Outcomes)
  | { readonly do: 'wait'; readonly minutes: number };

const packs: readonly PackEntry[] = defaultPlans.creditPacks;
export async function billingWorld(table: Table) {
  let now = testTime;
  const clock = { now: () => now };
  const ids = randomIds(clock);
  const metrics = recordedMetrics();
  /** The cases that operators were notified of. */
  const reported: unknown[] = [];
  const warn: PaymentNeeds['logger']['warn'] = (message, ...data) => {
    if (message === 'payment needs a decision') reported.push(...data);
  };
  const logger = { info: () => undefined, warn };
  const truth = fakePixGateway(clock);
  const buyers = [anAccount({ balance: 0 }), anAccount({ balance: 0 })].map(({ accountId }) => accountId);
  const plain = { ...stores(table, clock), clock, ids };
  for (const accountId of buyers) await plain.accounts.insert({ ...anAccount({ balance: 0 }), accountId }, undefined);
  /** The orders that buyers were promised, and the orders that were charged under each idempotency key. */
  const promised = new Set<string>();
  const charged = new Map<string, Set<string>>();
  const readAhead: PixPayment[] = [];
  const tasks = billingTasks(table, { clock, ids });

  const process = ({ gateway: outcome, crash }: Outcomes) => {
    const pixGateway = truth.seen(outcome);
    const pause = async (milliseconds: number) => {
      now += milliseconds;
      await turn();
    };
    return { ...stores(mortal(table, crash), clock), clock, ids, pixGateway, pause, logger, metrics };
  };

  async function buy(step: Extract<Step, { do: 'buy' }>): Promise<void> {
    const accountId = pick(buyers, step.buyer) ?? '';
    const body = { packId: pick(packs, step.pack)?.id ?? '' };
    const idempotency =
      step.key === undefined ? undefined : { key: step.key, fingerprint: fingerprintOf(body, step.key) };
    const needs = process(step);
    const createCharge: PixGateway['createCharge'] = async (request) => {
      const made = needs.pixGateway.createCharge(request);
      if (step.key === undefined) return made;
      const name = `${accountId} ${step.key}`;
      charged.set(name, (charged.get(name) ?? new Set()).add(request.orderId));
      return made;
    };
    const pixGateway = { ...needs.pixGateway, createCharge };
    const response = await createOrder({ ...needs, pixGateway }, { accountId, body, idempotency });
    const { id } = response instanceof Replay ? JSON.parse(response.response.body).data : response;
    promised.add(String(id));
  }

  async function notify({ payment, event, ...outcomes }: Extract<Step, { do: 'notify' }>): Promise<void> {
    const paymentId = pick([...truth.payments.keys()], payment);
    const needs = process(outcomes);
    const found = paymentId === undefined ? undefined : await needs.pixGateway.read(paymentId);
    if (found) await handlePayment(needs, found, `event ${event}`);
  }

  async function take(step: Step): Promise<unknown> {
    const paymentIds = [...truth.payments.keys()];
    switch (step.do) {
      case 'buy':
        return buy(step);
      case 'pay': {
        const orderIds = [...new Set([...truth.payments.values()].map(({ orderId = '' }) => orderId))];
        const amount = step.how === 'wrong amount' ? { cents: 1 } : {};
        const currency = step.how === 'wrong currency' ? { currency: 'USD' } : {};
        return truth.pay(pick(orderIds, step.order) ?? '', { ...amount, ...currency });
      }
      case 'refund':
        return truth.refund(pick(paymentIds, step.payment) ?? '', step.part ? 100 : undefined);
      case 'end':
        return truth.end(pick(paymentIds, step.payment) ?? '', step.status);
      case 'dispute':
      case 'win':
        return truth[step.do](pick(paymentIds, step.payment) ?? '');
      case 'notify':
        return notify(step);
      case 'read ahead': {
        const found = truth.payments.get(pick(paymentIds, step.payment) ?? '');
        return found && readAhead.push(found);
      }
      case 'apply what was read': {
        const found = readAhead.shift();
        return found && handlePayment(process({ ...well, crash: step.crash }), found);
      }
      case 'spend': {
        const row = { id: ids.next(), accountId: pick(buyers, step.buyer) ?? '', amount: -step.credits, at: now };
        return plain.accounts.post({ ...row, reason: 'generation' });
      }
      case 'start':
        return tasks.start(pick(buyers, step.buyer) ?? '', step.credits, step.crash);
      case 'end task':
        return tasks.end(step.task, step.isFailed, step.crash);
      case 'reconcile': {
        // The clock advances with each reading, so that a run ends after a certain number of readings.
        let looks = 0;
        const passing = {
          now() {
            looks += 1;
            return now + looks;
          },
        };
        return reconcileOrders({ ...process(step), clock: passing }, 10 * (step.max ?? 99));
      }
      default:
        now += step.minutes * 60_000;
        return undefined;
    }
  }

  return {
    truth,
    buyers,
    promised,
    charged,
    reported,
    metrics,
    stores: plain,
    tasks,
    /** A request may be rejected or fail because of an injected fault; any other error is a bug. */
    step: (step: Step): Promise<unknown> =>
      take(step).catch((error: unknown) => {
        if (!(error instanceof InjectedFault || error instanceof Rejection)) throw error;
      }),
    /** Advances the clock far enough for every order to end, and fails all open tasks, without further faults. */
    async settle(): Promise<void> {
      now += 60 * 60_000;
      for (let round = 0; round < 2; round += 1) {
        const { failures } = await reconcileOrders(process(well));
        if (failures.length > 0) throw failures[0]?.error;
      }
      await tasks.failAll();
    },
  };
}

export type BillingWorld = Awaited<ReturnType<typeof billingWorld>>;
