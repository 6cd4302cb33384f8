/** Stores orders, and lists an account's orders without reading more than a page of them. */
import * as z from 'zod';
import { billingCycles } from '../../../contracts/billing-cycles.ts';
import { once } from '../../../contracts/once.ts';
import { type OrderStatus, orderStatuses } from '../../../contracts/order-statuses.ts';
import type { Action, Item, Table } from '../../../platform/dynamo-table.ts';
import { findableBy } from '../../handle-keys.ts';
import { indexes, ordersInStatus, ordersOwner, pendingOrders } from '../../index-keys.ts';
import { eventKey, expiryAttribute, orderIdOf, orderKey, reconciliationKey } from '../../keys.ts';
import { type ListRange, newestFirst } from '../../list-page.ts';
import { readableItems } from '../../readable-rows.ts';
import { parseRow } from '../../stored-row.ts';
import type { Order, PackOrder, SubscriptionOrder } from './order.ts';

/**
 * The id under which a processed event is stored. It includes the payment in case a gateway uses an event id more than
 * once.
 */
export interface ProcessedEvent {
  readonly gateway: string;
  readonly eventId: string;
  readonly paymentId: string;
}

export interface OrderStore {
  find(orderId: string): Promise<Order | undefined>;
  /** Finds the order of a pack; undefined also if the order is for a subscription. */
  findPack(orderId: string): Promise<PackOrder | undefined>;
  /** Lists an account's orders, newest first. */
  list(accountId: string, filter: { readonly status?: OrderStatus | undefined }, range: ListRange): Promise<Order[]>;
  /** The ids of pending orders of packs, oldest first, starting after the given one. */
  pending(after?: string): AsyncGenerator<string>;
  /** The time up to which a gateway's changes have been handled; undefined before the first search. */
  searchMark(gateway: string): Promise<number | undefined>;
  saveSearchMark(gateway: string, at: number): Promise<void>;
  /** Whether a payment event has already been processed. */
  hasEvent(event: ProcessedEvent): Promise<boolean>;
}

const anyOrder = {
  accountId: z.string(),
  status: z.enum(orderStatuses),
  credits: z.int().min(1),
  gateway: z.string(),
  payableUntil: z.int(),
  createdAt: z.int(),
  paidBy: z.exactOptional(z.string()),
  paidAt: z.exactOptional(z.int()),
  isLate: z.exactOptional(z.boolean()),
  canceledAt: z.exactOptional(z.int()),
  refundedAt: z.exactOptional(z.int()),
};

const OrderRow = once(() =>
  z.discriminatedUnion('type', [
    z.object({
      ...anyOrder,
      type: z.literal('pix_credit_pack'),
      cents: z.int().min(1),
      packId: z.string(),
      packName: z.string(),
      chargeId: z.string(),
      qrCode: z.string(),
      qrCodeBase64: z.string(),
    } satisfies Record<Exclude<keyof PackOrder, 'orderId'>, z.ZodType>),
    z.object({
      ...anyOrder,
      type: z.literal('subscription'),
      cents: z.int().min(0),
      planId: z.string(),
      planName: z.string(),
      billingCycle: z.enum(billingCycles),
      checkoutId: z.string(),
      checkoutUrl: z.string(),
      couponCode: z.exactOptional(z.string()),
    } satisfies Record<Exclude<keyof SubscriptionOrder, 'orderId'>, z.ZodType>),
  ]),
);

const SearchMark = once(() => z.object({ at: z.int() }));

/** Rows without a type are from before subscriptions existed, so they are orders of packs. */
export const toOrder = (item: Item): Order => ({
  orderId: orderIdOf(item),
  ...parseRow('order', OrderRow(), { type: 'pix_credit_pack', ...item }),
});

/** The id of the payment or checkout at the order's gateway. */
export const gatewayReferenceOf = (order: Order): string =>
  order.type === 'pix_credit_pack' ? order.chargeId : order.checkoutId;

/**
 * The attributes by which operators find an order: its charge or checkout, and the payment that paid it if that is
 * another one. An invoice that pays a subscription has its own attributes.
 */
export const orderHandles = (order: Order): Item => ({
  ...findableBy('byHandle', gatewayReferenceOf(order)),
  ...(order.type === 'pix_credit_pack' &&
    order.paidBy !== undefined &&
    order.paidBy !== order.chargeId &&
    findableBy('byAlias', order.paidBy)),
});

/** Inserts a new, pending order. */
export const insertOrder = ({ orderId, ...order }: Order): Action => ({
  Put: {
    Item: {
      ...orderKey(orderId),
      ...order,
      ...orderHandles({ orderId, ...order }),
      [indexes.byOwner.pk]: ordersOwner(order.accountId),
      [indexes.byOwner.sk]: orderId,
      [indexes.byState.pk]: ordersInStatus(order.accountId, order.status),
      // Only orders of packs are in the index of pending orders; those of subscriptions are checked with their
      // subscription.
      ...(order.type === 'pix_credit_pack' && { [indexes.open.pk]: pendingOrders, [indexes.open.sk]: orderId }),
    },
    ConditionExpression: 'attribute_not_exists(pk)',
  },
});

type Outcome = Pick<Order, 'status'> &
  Partial<Pick<Order, 'paidBy' | 'paidAt' | 'isLate' | 'canceledAt' | 'refundedAt'>>;

/** Changes an order's status, unless it has changed since the order was read. */
export function moveOrder(order: Order, outcome: Outcome): Action {
  const { orderId, accountId, status: from } = order;
  const attributes = Object.entries({
    ...outcome,
    ...orderHandles({ ...order, ...outcome }),
    [indexes.byState.pk]: ordersInStatus(accountId, outcome.status),
  });
  return {
    Update: {
      Key: orderKey(orderId),
      UpdateExpression: `SET ${attributes.map((_, index) => `#a${index} = :a${index}`).join(', ')} REMOVE #openPk, #openSk`,
      ConditionExpression: '#status = :from',
      ExpressionAttributeNames: {
        '#status': 'status',
        '#openPk': indexes.open.pk,
        '#openSk': indexes.open.sk,
        ...Object.fromEntries(attributes.map(([name], index) => [`#a${index}`, name])),
      },
      ExpressionAttributeValues: {
        ':from': from,
        ...Object.fromEntries(attributes.map(([, value], index) => [`:a${index}`, value])),
      },
    },
  };
}

/** How long a processed event is remembered: far longer than a gateway keeps resending it. */
const eventsKeptSeconds = 90 * 24 * 3600;

/** Marks an event as processed, unless it already is. */
export const recordEvent = ({ gateway, eventId, paymentId }: ProcessedEvent, now: number): Action => ({
  Put: {
    Item: {
      ...eventKey(gateway, eventId, paymentId),
      at: now,
      [expiryAttribute]: Math.ceil(now / 1000) + eventsKeptSeconds,
    },
    ConditionExpression: 'attribute_not_exists(pk)',
  },
});

/** The query for an account's orders, all of them or those with one status. */
const listed = (accountId: string, status: OrderStatus | undefined, after: string | undefined) =>
  status
    ? newestFirst({
        index: 'byState',
        pk: ordersInStatus(accountId, status),
        after: after === undefined ? undefined : orderKey(after).pk,
      })
    : newestFirst({ index: 'byOwner', pk: ordersOwner(accountId), after });

export function orderStore(table: Table): OrderStore {
  const find: OrderStore['find'] = async (orderId) => {
    const item = await table.get(orderKey(orderId));
    return item && toOrder(item);
  };
  return {
    find,
    async findPack(orderId) {
      const order = await find(orderId);
      return order?.type === 'pix_credit_pack' ? order : undefined;
    },
    async list(accountId, { status }, range) {
      const keys = await table.list(listed(accountId, status, range.after), range);
      if (keys.length === 0) return [];
      const items = await table.getMany(keys.map((key) => orderKey(orderIdOf(key))));
      // Orders are filtered again, because the index may lag behind them.
      const orders = readableItems(table, 'order', items, toOrder).filter(
        (order) => !status || order.status === status,
      );
      return orders.toSorted((one, other) => (one.orderId < other.orderId ? 1 : -1));
    },
    async searchMark(gateway) {
      const item = await table.get(reconciliationKey(gateway));
      return item && SearchMark().parse(item).at;
    },
    async saveSearchMark(gateway, at) {
      await table.put({ Item: { ...reconciliationKey(gateway), at } });
    },
    async hasEvent({ gateway, eventId, paymentId }) {
      return (await table.get(eventKey(gateway, eventId, paymentId))) !== undefined;
    },
    async *pending(after = '0') {
      const keys = table.walk({
        IndexName: 'open',
        KeyConditionExpression: '#pk = :pk AND #sk > :after',
        ExpressionAttributeNames: { '#pk': indexes.open.pk, '#sk': indexes.open.sk },
        ExpressionAttributeValues: { ':pk': pendingOrders, ':after': after },
      });
      for await (const key of keys) yield orderIdOf(key);
    },
  };
}
