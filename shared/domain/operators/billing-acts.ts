/** Operators' acts on orders, subscriptions and cases. */
import * as z from 'zod';
import { id } from '../../contracts/fields.ts';
import { timestamp } from '../../platform/clock.ts';
import { billingForms } from '../act-forms/billing-forms.ts';
import { resolveCase as resolve } from '../billing/cases/open-cases.ts';
import { cancelOrder as cancelPackOrder, settleOrder as settlePackOrder } from '../billing/orders/operate-order.ts';
import type { Order, PackOrder, SubscriptionOrder } from '../billing/orders/order.ts';
import type { ReconcileNeeds } from '../billing/reconciliation/reconcile-orders.ts';
import { handleReport, type SubscriptionReconcileNeeds } from '../billing/reconciliation/reconcile-subscriptions.ts';
import { cancelSubscription as cancelAtGateway } from '../billing/subscriptions/cancel-subscription.ts';
import { addsMonth } from '../billing/subscriptions/subscription-changes.ts';
import { Rejection } from '../rejection.ts';
import type { Stores } from '../stores.ts';
import { act } from './act.ts';
import { aboutPartOf, missing } from './find-subject.ts';
import { paymentAtGateway } from './payment-at-gateway.ts';
import type { ActNeeds } from './perform-act.ts';

const refused = (message: string): Rejection => new Rejection('invalid', { message });

/** @throws {Rejection} not-found */
async function findOrder({ orders }: Pick<Stores, 'orders'>, orderId: string): Promise<Order> {
  const order = await orders.find(orderId);
  if (!order) throw missing(`order ${orderId}`);
  return order;
}

const aboutOrder = (state: Order) => ({
  ...aboutPartOf(state.accountId, `order ${state.orderId}`),
  before: { status: state.status },
  state,
});

const resultOf = ({ orderId, status, credits }: Order) => ({ orderId, status, credits });

type PackNeeds = ActNeeds & ReconcileNeeds;

export interface SettleNeeds
  extends PackNeeds,
    Pick<SubscriptionReconcileNeeds, 'subscriptionGateway' | 'subscriptions'> {
  /** Pays a charge in the sandbox; of a charge at a real gateway, only the state is read. */
  readonly payInSandbox?: (chargeId: string) => Promise<void>;
}

async function settleSubscription(
  needs: SettleNeeds & SubscriptionReconcileNeeds,
  { orderId, gateway, checkoutId }: SubscriptionOrder,
) {
  const { subscriptionGateway } = needs;
  if (gateway !== subscriptionGateway.name) {
    throw refused(`Order ${orderId} is paid by ${gateway}, which the service does not use.`);
  }
  const report = await subscriptionGateway.read(checkoutId);
  const handled = report && (await handleReport(needs, report));
  const after = await findOrder(needs, orderId);
  if (after.status === 'paid') {
    const moves = typeof handled === 'object' ? handled.moves : [];
    return { ...resultOf(after), addedCredits: moves.filter(addsMonth).length * after.credits };
  }
  const known = report?.checkout ?? 'unknown';
  throw refused(
    `Order ${orderId} is ${after.status}, and its checkout is ${known} at ${gateway}: no credits were added.`,
  );
}

async function settlePack(needs: SettleNeeds, order: PackOrder) {
  const { orderId, gateway, chargeId } = order;
  if (order.status === 'paid') return { ...resultOf(order), addedCredits: 0 };
  const { pixGateway, payInSandbox } = needs;
  if (gateway !== pixGateway.name) {
    throw refused(`Order ${orderId} was charged by ${gateway}, which the service does not use.`);
  }
  const payment = await pixGateway.read(chargeId);
  if (payment?.status === 'pending') await payInSandbox?.(chargeId);
  const after = await settlePackOrder(needs, order);
  if (after.status === 'paid') return { ...resultOf(after), addedCredits: after.credits };
  const known = (await pixGateway.read(chargeId))?.status ?? 'unknown';
  throw refused(
    `Order ${orderId} is ${after.status}, and its payment is ${known} at ${gateway}: no credits were added.`,
  );
}

export const settleOrder = act({
  ...billingForms.settleOrder,
  commits: 'in-steps',
  async find(needs: SettleNeeds & SubscriptionReconcileNeeds, { order: orderId }) {
    const order = await findOrder(needs, orderId);
    const found = aboutOrder(order);
    return { ...found, before: { ...found.before, paymentAtGateway: await paymentAtGateway(needs, order) } };
  },
  async perform(needs, _input, { found: { state } }) {
    const result = await (state.type === 'subscription' ? settleSubscription(needs, state) : settlePack(needs, state));
    return { ...result, paymentAtGateway: await paymentAtGateway(needs, state) };
  },
  changed: ({ status, addedCredits, paymentAtGateway: atGateway }) => ({
    status,
    credits: addedCredits,
    paymentAtGateway: atGateway,
  }),
});

export const cancelOrder = act({
  ...billingForms.cancelOrder,
  commits: 'in-steps',
  async find(needs: PackNeeds, { order: orderId }) {
    const order = await findOrder(needs, orderId);
    if (order.type !== 'pix_credit_pack') {
      throw refused(`Order ${orderId} is for a subscription: cancel the subscription instead.`);
    }
    return { ...aboutOrder(order), state: order };
  },
  async perform(needs, { order: orderId }, { found: { state: order } }) {
    const wasPending = order.status === 'pending';
    const after = wasPending ? await cancelPackOrder(needs, order) : order;
    if (after.status === 'canceled' || (after.status === 'expired' && wasPending)) return resultOf(after);
    throw refused(`Order ${orderId} is ${after.status}: only an order that waits for its payment can be canceled.`);
  },
  changed: ({ status }) => ({ status }),
});

async function findSubscription(
  { orders, subscriptions }: Pick<Stores, 'orders' | 'subscriptions'>,
  subscriptionId: string,
) {
  const order = await orders.find(subscriptionId);
  const state = order && (await subscriptions.find(order.accountId, subscriptionId));
  if (!state) throw missing(`subscription ${subscriptionId}`);
  const before = { status: state.status };
  return { ...aboutPartOf(state.accountId, `subscription ${subscriptionId}`), before, state };
}

type SubscriptionNeeds = ActNeeds & SubscriptionReconcileNeeds & Pick<Stores, 'orders' | 'subscriptions'>;

const statusAfter = async (needs: SubscriptionNeeds, subscriptionId: string) => {
  const { state } = await findSubscription(needs, subscriptionId);
  return { subscriptionId, status: state.status };
};

export const cancelSubscription = act({
  ...billingForms.cancelSubscription,
  commits: 'in-steps',
  find: (needs: SubscriptionNeeds, { subscription }) => findSubscription(needs, subscription),
  after: ({ when }) => ({ ends: when }),
  async perform(needs, { subscription, when }, { found }) {
    await cancelAtGateway(needs, found.state, when);
    return statusAfter(needs, subscription);
  },
  changed: ({ status }) => ({ status }),
});

export const advanceSubscription = act({
  name: 'advanceSubscription',
  role: 'admin',
  summary: 'On the local service only: do at once what is due for a subscription until a later time.',
  commits: 'in-steps',
  isForCommandLine: true,
  input: () => z.strictObject({ subscription: id(), to: z.int() }),
  find: (needs: SubscriptionNeeds, { subscription }) => findSubscription(needs, subscription),
  after: ({ to }) => ({ advancedTo: timestamp(to) }),
  async perform(needs, { subscription, to }, { found }) {
    const report = await needs.subscriptionGateway.read(found.state.checkoutId);
    if (!report) throw refused(`The sandbox does not have the checkout of subscription ${subscription}.`);
    await handleReport({ ...needs, clock: { now: () => to } }, report);
    return statusAfter(needs, subscription);
  },
});

export const resolveCase = act({
  ...billingForms.resolveCase,
  commits: 'at-once',
  async find({ cases }: ActNeeds & Pick<Stores, 'cases'>, { case: caseId }) {
    const found = await cases.find(caseId);
    if (!found) throw missing(`case ${caseId}`);
    const subject = `case ${caseId}`;
    const about = found.accountId === undefined ? { subject } : aboutPartOf(found.accountId, subject);
    return { ...about, before: { state: found.resolvedAt === undefined ? 'open' : 'resolved' }, state: found };
  },
  after: () => ({ state: 'resolved' }),
  async perform({ cases }, { case: caseId }, { at, reason, recording }) {
    const isNew = await resolve(recording(), caseId, { resolution: reason, resolvedAt: at });
    if (isNew) return { caseId };
    const found = await cases.find(caseId);
    throw refused(`Case ${caseId} has already been resolved: ${found?.resolution ?? 'without a text'}`);
  },
});
