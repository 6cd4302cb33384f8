/** Room for an account's unpaid orders, checkouts of subscriptions included: each one costs the gateway and the reconciliation work. */
import * as z from 'zod';
import { openOrdersLimit } from '../../contracts/limits.ts';
import { once } from '../../contracts/once.ts';
import type { Action } from '../../platform/dynamo-table.ts';
import { accountKey } from '../keys.ts';
import { Rejection } from '../rejection.ts';
import type { Stores } from '../stores.ts';

/** DynamoDB has no empty sets: an absent attribute stands for one. */
const OpenOrders = once(() => z.object({ openOrders: z.set(z.string()).default(new Set()) }));

/** Waiting does not help an account that pays nothing, so there is no time after which to try again. */
export const noRoom = (): Rejection => new Rejection('too-many-orders');

const isRoom = 'attribute_exists(pk) AND (attribute_not_exists(openOrders) OR size(openOrders) < :most)';

/**
 * Counts an order in the transaction that stores it, so that requests at the same moment cannot exceed the limit. Its end
 * is not written: what has ended leaves the count when room is next looked for.
 */
export const takeRoom = (accountId: string, orderId: string) =>
  ({
    Update: {
      Key: accountKey(accountId),
      UpdateExpression: 'ADD openOrders :order',
      ConditionExpression: isRoom,
      ExpressionAttributeValues: { ':order': new Set([orderId]), ':most': openOrdersLimit },
    },
  }) as const satisfies Action;

/** Of an order of a subscription: no other subscription of the account is active or past due. */
export const takeCheckoutRoom = (accountId: string, orderId: string): Action => {
  const { Update } = takeRoom(accountId, orderId);
  return {
    Update: {
      ...Update,
      ConditionExpression: `${isRoom} AND attribute_not_exists(activeSubscription)`,
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    },
  };
};

/** Before anything is created at a gateway. @throws {Rejection} too-many-orders */
export async function requireRoom({ orders, table }: Pick<Stores, 'orders' | 'table'>, accountId: string) {
  const { openOrders } = OpenOrders().parse((await table.get(accountKey(accountId))) ?? {});
  const counted = await Promise.all([...openOrders].map((orderId) => orders.find(orderId)));
  const waiting = counted.flatMap((order) => (order?.status === 'pending' ? [order.orderId] : []));
  const ended = openOrders.difference(new Set(waiting));
  if (ended.size > 0)
    await table.update({
      Key: accountKey(accountId),
      UpdateExpression: 'DELETE openOrders :ended',
      ExpressionAttributeValues: { ':ended': ended },
    });
  if (waiting.length >= openOrdersLimit) throw noRoom();
}
