/** The commands for orders. */

import { orderStatuses } from '../../shared/contracts/order-statuses.ts';
import { cancelOrder, settleOrder } from '../../shared/domain/billing/orders/operate-order.ts';
import type { Order, PackOrder, SubscriptionOrder } from '../../shared/domain/billing/orders/order.ts';
import { presentOrder } from '../../shared/domain/billing/orders/present-order.ts';
import { handleReport } from '../../shared/domain/billing/reconciliation/reconcile-subscriptions.ts';
import { readable, readableFinds } from '../../shared/domain/readable-rows.ts';
import { pixGateway } from '../../shared/gateways/pix-gateways.ts';
import { timestamp } from '../../shared/platform/clock.ts';
import { accountId } from './account-commands.ts';
import { type Command, command, optional, required } from './command.ts';
import { commandFailed, usageError } from './exit-error.ts';
import { redriveTo } from './redrive.ts';
import { hasSandbox, payInSandbox } from './sandbox-payments.ts';
import type { Service } from './service.ts';
import { idOf, integer, oneOf } from './value-kinds.ts';

const orderId = idOf('ORDER', 'of an order, as returned when it was created');

/** Finds an order. @throws {ExitError} if it does not exist */
async function findOrder({ orders }: Service, id: string): Promise<Order> {
  const order = await orders.find(id);
  if (!order) throw commandFailed(`There is no order ${id}.`);
  return order;
}

const withGateway = (service: Service) => ({ ...service, pixGateway: pixGateway(service) });

/** Finds an order of a pack. @throws {ExitError} if it does not exist or is not for a pack */
async function findPackOrder(service: Service, id: string): Promise<PackOrder> {
  const order = await findOrder(service, id);
  if (order.type === 'pix_credit_pack') return order;
  throw commandFailed(`Order ${id} is for a subscription: use the command subscription cancel instead.`);
}

const summaryOf = (order: Order) => {
  const { id, type, status, amount, currency, credits, createdAt, paidAt } = presentOrder(order);
  return { orderId: id, accountId: order.accountId, type, status, amount, currency, credits, createdAt, paidAt };
};

async function pendingOrders({ orders, table: rows }: Service, limit: number): Promise<Order[]> {
  const found: Order[] = [];
  for await (const id of orders.pending()) {
    const read = await readableFinds(rows, { kind: 'order', idOf: String }, [id], (orderId) => orders.find(orderId));
    found.push(...read.filter(({ status }) => status === 'pending'));
    if (found.length === limit) break;
  }
  return found;
}

const list = command({
  name: 'list',
  summary:
    'List the orders of an account, newest first, or the orders of packs of all accounts that wait for their payment.',
  options: {
    account: optional(accountId, 'The account; without it, orders that wait for their payment are listed.'),
    status: optional(oneOf('STATUS', orderStatuses), 'Only orders with this status.'),
    limit: optional(integer(1, 1000), 'How many orders at most; 100 by default.'),
  },
  async run({ account, status, limit = 100 }, service) {
    if (account === undefined && status !== undefined) throw usageError('--status requires --account.');
    const found =
      account === undefined
        ? await pendingOrders(service, limit)
        : await service.orders.list(account, { status }, { limit, offset: 0 });
    return { orders: readable(service.table, { kind: 'order', idOf: ({ orderId }) => orderId }, found, summaryOf) };
  },
  rows: ({ orders }) => orders,
  whenEmpty: 'There are no such orders.',
});

/** Details that accounts do not see, such as the payment at the gateway. */
const internalsOf = (order: Order, cases: readonly string[]) => ({
  payableUntil: timestamp(order.payableUntil),
  paymentId: order.type === 'pix_credit_pack' ? order.chargeId : order.checkoutId,
  paidBy: order.paidBy ?? null,
  isLate: order.isLate ?? false,
  cases,
});

const show = command({
  name: 'show',
  summary: 'Show an order, its account, its payment at the gateway and its cases.',
  options: { order: required(orderId, 'The order.') },
  async run({ order: id }, service) {
    const order = await findOrder(service, id);
    const cases = (await service.cases.list({ onlyOpen: false })).filter((one) => one.orderId === id);
    const caseIds = cases.map(({ caseId }) => caseId);
    // Omits the PIX code, which cannot be scanned from a terminal.
    const { pix: _code, ...shown } = presentOrder(order);
    return { accountId: order.accountId, ...shown, ...internalsOf(order, caseIds) };
  },
});

const resultOf = ({ orderId: id, status, credits }: Order) => ({ orderId: id, status, credits });

async function settledSubscription(service: Service, { orderId, gateway, checkoutId }: SubscriptionOrder) {
  const { subscriptionGateway } = service;
  if (gateway !== subscriptionGateway.name)
    throw commandFailed(`Order ${orderId} is paid by ${gateway}, which the service does not use.`);
  const report = await subscriptionGateway.read(checkoutId);
  if (report) await handleReport(service, report);
  const after = await findOrder(service, orderId);
  if (after.status === 'paid') return resultOf(after);
  const known = report?.checkout ?? 'unknown';
  throw commandFailed(
    `Order ${orderId} is ${after.status}, and its checkout is ${known} at ${gateway}: no credits were added.`,
  );
}

async function settled(service: Service, id: string) {
  const order = await findOrder(service, id);
  if (order.type === 'subscription') return settledSubscription(service, order);
  if (order.status === 'paid') return resultOf(order);
  const needs = withGateway(service);
  const { pixGateway: gateway, settings } = needs;
  if (order.gateway !== gateway.name)
    throw commandFailed(`Order ${id} was charged by ${order.gateway}, which the service does not use.`);
  const payment = await gateway.read(order.chargeId);
  if (payment?.status === 'pending' && hasSandbox(settings)) await payInSandbox(settings, order.chargeId);
  const after = await settleOrder(needs, order);
  if (after.status === 'paid') return resultOf(after);
  const known = (await gateway.read(order.chargeId))?.status ?? 'unknown';
  throw commandFailed(
    `Order ${id} is ${after.status}, and its payment is ${known} at ${order.gateway}: no credits were added.`,
  );
}

const settle = command({
  name: 'settle',
  summary: 'Credit an order that its payment gateway says is paid; the sandbox pays a pack first.',
  options: { order: required(orderId, 'The order.') },
  run: ({ order }, service) => settled(service, order),
  print: ({ orderId: id, credits }) => `Order ${id} is paid: its ${credits} credits were added.`,
});

async function canceled(service: Service, id: string) {
  const order = await findPackOrder(service, id);
  if (order.status === 'canceled') return resultOf(order);
  const after = order.status === 'pending' ? await cancelOrder(withGateway(service), order) : order;
  if (after.status === 'canceled' || (after.status === 'expired' && order.status === 'pending')) return resultOf(after);
  throw commandFailed(`Order ${id} is ${after.status}: only an order that waits for its payment can be canceled.`);
}

const cancel = command({
  name: 'cancel',
  summary: 'Cancel an order of a pack that waits for its payment, here and at the payment gateway.',
  options: { order: required(orderId, 'The order.') },
  run: ({ order }, service) => canceled(service, order),
  print: ({ orderId: id, status }) => `Order ${id} is ${status}.`,
});

export const orderCommands: readonly Command[] = [list, show, settle, cancel, redriveTo('queue of payment events')];
