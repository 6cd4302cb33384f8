/** The commands for orders. */

import { orderStatuses } from '../../shared/contracts/order-statuses.ts';
import type { Order } from '../../shared/domain/billing/orders/order.ts';
import { presentOrder } from '../../shared/domain/billing/orders/present-order.ts';
import { acts } from '../../shared/domain/operators/acts.ts';
import { paymentAtGateway } from '../../shared/domain/operators/payment-at-gateway.ts';
import { readable, readableFinds } from '../../shared/domain/readable-rows.ts';
import { pixGateway } from '../../shared/gateways/pix-gateways.ts';
import { timestamp } from '../../shared/platform/clock.ts';
import { accountId } from './account-kind.ts';
import { actCommand } from './act-command.ts';
import { type Command, command, optional, required } from './command.ts';
import { commandFailed, usageError } from './exit-error.ts';
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
const internalsOf = (order: Order, cases: readonly string[], atGateway: string) => ({
  payableUntil: timestamp(order.payableUntil),
  paymentId: order.type === 'pix_credit_pack' ? order.chargeId : order.checkoutId,
  paymentAtGateway: atGateway,
  paidBy: order.paidBy ?? null,
  isLate: order.isLate ?? false,
  cases,
});

const show = command({
  name: 'show',
  summary: 'Show an order, its account, what the gateway says of its payment now, and its cases.',
  options: { order: required(orderId, 'The order.') },
  async run({ order: id }, service) {
    const order = await findOrder(service, id);
    const cases = (await service.cases.list({ onlyOpen: false })).filter((one) => one.orderId === id);
    const caseIds = cases.map(({ caseId }) => caseId);
    // Omits the PIX code, which cannot be scanned from a terminal.
    const { pix: _code, ...shown } = presentOrder(order);
    const atGateway = await paymentAtGateway(withGateway(service), order);
    return { accountId: order.accountId, ...shown, ...internalsOf(order, caseIds, atGateway) };
  },
});

const settle = actCommand(acts.settleOrder, {
  name: 'settle',
  summary: 'Credit an order that its payment gateway says is paid; the sandbox pays a pack first.',
  options: { order: required(orderId, 'The order.') },
  async run({ order }, { connect, perform }) {
    const service = await connect();
    const { settings } = service;
    const paying = hasSandbox(settings) && { payInSandbox: (charge: string) => payInSandbox(settings, charge) };
    return perform(service, { ...withGateway(service), ...paying }, { order });
  },
  print: ({ orderId: id, credits, addedCredits }) =>
    addedCredits === 0
      ? `Order ${id} was paid already: its ${credits} credits were not added again.`
      : `Order ${id} is paid: ${addedCredits} credits were added.`,
});

const cancel = actCommand(acts.cancelOrder, {
  name: 'cancel',
  summary: 'Cancel an order of a pack that waits for its payment, here and at the payment gateway.',
  options: { order: required(orderId, 'The order.') },
  async run({ order }, { connect, perform }) {
    const service = await connect();
    return perform(service, withGateway(service), { order });
  },
  print: ({ orderId: id, status }) => `Order ${id} is ${status}.`,
});

export const orderCommands: readonly Command[] = [list, show, settle, cancel];
