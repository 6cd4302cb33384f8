/**
 * Limits an account's unpaid orders, including subscription checkouts, because each order causes work for the gateway
 * and the reconciliation.
 */
import * as z from 'zod';
import { openOrdersLimit } from '../../../contracts/limits.ts';
import { once } from '../../../contracts/once.ts';
import type { Action, Item } from '../../../platform/dynamo-table.ts';
import { accountClosed, isClosed, isOpen } from '../../accounts/closed-account.ts';
import { accountKey } from '../../keys.ts';
import { Rejection } from '../../rejection.ts';
import { InvalidRow } from '../../stored-row.ts';
import type { Stores } from '../../stores.ts';

/** An absent attribute stands for the empty set, which DynamoDB cannot store. */
const OpenOrders = once(() => z.object({ openOrders: z.set(z.string()).default(new Set()) }));

/** Why an order was not counted. It has no `Retry-After`: waiting does not help an account that does not pay. */
export const noRoom = (account: Item | undefined): Rejection =>
  account && isClosed(account) ? accountClosed() : new Rejection('too-many-orders');

const isRoom = `attribute_exists(pk) AND ${isOpen} AND (attribute_not_exists(openOrders) OR size(openOrders) < :max)`;

/**
 * Counts an order in the transaction that stores it, so that concurrent requests cannot exceed the limit, and a closed
 * account gets no order. The count is not updated when an order ends; ended orders are removed when the limit is next
 * reached.
 */
export const takeRoom = (accountId: string, orderId: string) =>
  ({
    Update: {
      Key: accountKey(accountId),
      UpdateExpression: 'ADD openOrders :order',
      ConditionExpression: isRoom,
      ExpressionAttributeValues: { ':order': new Set([orderId]), ':max': openOrdersLimit },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    },
  }) as const satisfies Action;

/** Like `takeRoom`, but also requires that no subscription of the account is active or past due. */
export const takeCheckoutRoom = (accountId: string, orderId: string): Action => {
  const { Update } = takeRoom(accountId, orderId);
  return {
    Update: {
      ...Update,
      ConditionExpression: `${isRoom} AND attribute_not_exists(activeSubscription)`,
    },
  };
};

/** Whether an order is pending. One that cannot be read counts as pending and is reported. */
async function isWaiting({ orders, table }: Pick<Stores, 'orders' | 'table'>, orderId: string): Promise<boolean> {
  try {
    return (await orders.find(orderId))?.status === 'pending';
  } catch (error) {
    if (!(table.leftOut && error instanceof InvalidRow)) throw error;
    table.leftOut({ kind: 'order', id: orderId, error });
    return true;
  }
}

/** The ids of an account's orders that may be pending. */
export const countedOrders = (account: Item | undefined): ReadonlySet<string> =>
  OpenOrders().parse(account ?? {}).openOrders;

/** Checks the account before anything is created at a gateway. @throws {Rejection} forbidden, too-many-orders */
export async function requireRoom(stores: Pick<Stores, 'orders' | 'table'>, accountId: string) {
  const { table } = stores;
  const account = await table.get(accountKey(accountId));
  if (account && isClosed(account)) throw accountClosed();
  const openOrders = countedOrders(account);
  const counted = await Promise.all(
    [...openOrders].map(async (orderId) => ((await isWaiting(stores, orderId)) ? [orderId] : [])),
  );
  const waiting = new Set(counted.flat());
  const ended = openOrders.difference(waiting);
  if (ended.size > 0)
    await table.update({
      Key: accountKey(accountId),
      UpdateExpression: 'DELETE openOrders :ended',
      ExpressionAttributeValues: { ':ended': ended },
    });
  if (waiting.size >= openOrdersLimit) throw noRoom(account);
}
