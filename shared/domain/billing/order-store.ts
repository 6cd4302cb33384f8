/** Stores orders, and lists an account's orders without reading more than a page of them. */
import * as z from 'zod';
import { once } from '../../contracts/once.ts';
import { type OrderStatus, orderStatuses } from '../../contracts/order-statuses.ts';
import type { Action, Item, Table } from '../../platform/dynamo-table.ts';
import {
  eventKey,
  expiryAttribute,
  indexes,
  orderIdOf,
  orderKey,
  ordersInStatus,
  ordersOwner,
  pendingOrders,
  reconciliationKey,
} from '../keys.ts';
import { parseRow } from '../stored-row.ts';
import type { Order } from './order.ts';

/** Told apart by the payment too, in case a gateway uses an id more than once. */
export interface ProcessedEvent {
  readonly gateway: string;
  readonly eventId: string;
  readonly paymentId: string;
}

export interface OrderStore {
  find(orderId: string): Promise<Order | undefined>;
  /** Newest first. */
  list(
    accountId: string,
    filter: { readonly status?: OrderStatus | undefined },
    range: { readonly limit: number; readonly offset: number },
  ): Promise<Order[]>;
  /** The ids of the orders that wait for their payment, oldest first. */
  pending(): AsyncGenerator<string>;
  /** Since when payments that have changed at a gateway may not have been attended to; undefined before the first search. */
  searchMark(gateway: string): Promise<number | undefined>;
  saveSearchMark(gateway: string, at: number): Promise<void>;
  /** Whether an event of a payment has been processed. */
  hasEvent(event: ProcessedEvent): Promise<boolean>;
}

const OrderRow = once(() =>
  z.object({
    accountId: z.string(),
    status: z.enum(orderStatuses),
    cents: z.int().min(1),
    credits: z.int().min(1),
    packId: z.string(),
    packName: z.string(),
    gateway: z.string(),
    chargeId: z.string(),
    qrCode: z.string(),
    qrCodeBase64: z.string(),
    payableUntil: z.int(),
    createdAt: z.int(),
    paidBy: z.exactOptional(z.string()),
    paidAt: z.exactOptional(z.int()),
    isLate: z.exactOptional(z.boolean()),
    canceledAt: z.exactOptional(z.int()),
    refundedAt: z.exactOptional(z.int()),
  } satisfies Record<Exclude<keyof Order, 'orderId'>, z.ZodType>),
);

const SearchMark = once(() => z.object({ at: z.int() }));

const toOrder = (item: Item): Order => ({ orderId: orderIdOf(item), ...parseRow('order', OrderRow(), item) });

/** A new order, which waits for its payment. */
export const insertOrder = ({ orderId, ...order }: Order): Action => ({
  Put: {
    Item: {
      ...orderKey(orderId),
      ...order,
      [indexes.byOwner.pk]: ordersOwner(order.accountId),
      [indexes.byOwner.sk]: orderId,
      [indexes.byState.pk]: ordersInStatus(order.accountId, order.status),
      [indexes.open.pk]: pendingOrders,
      [indexes.open.sk]: orderId,
    },
    ConditionExpression: 'attribute_not_exists(pk)',
  },
});

type Outcome = Pick<Order, 'status'> &
  Partial<Pick<Order, 'paidBy' | 'paidAt' | 'isLate' | 'canceledAt' | 'refundedAt'>>;

/** Changes an order's status, unless it has changed since the order was read. */
export function moveOrder({ orderId, accountId, status: from }: Order, outcome: Outcome): Action {
  const attributes = Object.entries({
    ...outcome,
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

/** Far longer than a gateway repeats an event. */
const eventsKeptSeconds = 90 * 24 * 3600;

/** Marks an event as processed, unless it is already. */
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

export function orderStore(table: Table): OrderStore {
  const listed = (accountId: string, status: OrderStatus | undefined) => {
    const [name, pk] = status
      ? (['byState', ordersInStatus(accountId, status)] as const)
      : (['byOwner', ordersOwner(accountId)] as const);
    return {
      IndexName: name,
      KeyConditionExpression: '#pk = :pk',
      ExpressionAttributeNames: { '#pk': indexes[name].pk },
      ExpressionAttributeValues: { ':pk': pk },
      ScanIndexForward: false,
    };
  };
  return {
    async find(orderId) {
      const item = await table.get(orderKey(orderId));
      return item && toOrder(item);
    },
    async list(accountId, { status }, range) {
      const keys = await table.list(listed(accountId, status), range);
      if (keys.length === 0) return [];
      const items = await table.getMany(keys.map((key) => orderKey(orderIdOf(key))));
      // The index may be a moment behind the orders.
      const orders = items.map(toOrder).filter((order) => !status || order.status === status);
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
    async *pending() {
      const keys = table.walk({
        IndexName: 'open',
        KeyConditionExpression: '#pk = :pk',
        ExpressionAttributeNames: { '#pk': indexes.open.pk },
        ExpressionAttributeValues: { ':pk': pendingOrders },
      });
      for await (const key of keys) yield orderIdOf(key);
    },
  };
}
