/** Room for an account's orders that wait for their payment: each one costs the gateway and the reconciliation work. */
import * as z from 'zod';
import { mostPendingOrders } from '../../contracts/billing.ts';
import { once } from '../../contracts/once.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Action } from '../../platform/dynamo-table.ts';
import { accountKey } from '../keys.ts';
import { Rejection } from '../rejection.ts';
import type { Stores } from '../stores.ts';

const leastRetrySeconds = 60;

/** DynamoDB has no empty sets: an absent attribute stands for one. */
const OpenOrders = once(() => z.object({ openOrders: z.set(z.string()).default(new Set()) }));

/** There is no room until then. */
export const noRoom = (retryAfterSeconds = leastRetrySeconds): Rejection =>
  new Rejection('rate-limited', {
    message: `The account has ${mostPendingOrders} orders that wait for their payment: pay one of them, or wait until one expires.`,
    retryAfterSeconds: Math.max(leastRetrySeconds, retryAfterSeconds),
  });

/**
 * Counts an order in the transaction that stores it, so that requests at the same moment cannot exceed the limit. Its end
 * is not written: what has ended leaves the count when room is next looked for.
 */
export const takeRoom = (accountId: string, orderId: string): Action => ({
  Update: {
    Key: accountKey(accountId),
    UpdateExpression: 'ADD openOrders :order',
    ConditionExpression: 'attribute_exists(pk) AND (attribute_not_exists(openOrders) OR size(openOrders) < :most)',
    ExpressionAttributeValues: { ':order': new Set([orderId]), ':most': mostPendingOrders },
  },
});

/** Before anything is charged. @throws {Rejection} rate-limited */
export async function requireRoom(
  { clock, orders, table }: Pick<Stores, 'orders' | 'table'> & { readonly clock: Clock },
  accountId: string,
): Promise<void> {
  const { openOrders } = OpenOrders().parse((await table.get(accountKey(accountId))) ?? {});
  const counted = await Promise.all([...openOrders].map((orderId) => orders.findPack(orderId)));
  const waiting = counted.flatMap((order) => (order?.status === 'pending' ? [order] : []));
  const ended = openOrders.difference(new Set(waiting.map(({ orderId }) => orderId)));
  if (ended.size > 0)
    await table.update({
      Key: accountKey(accountId),
      UpdateExpression: 'DELETE openOrders :ended',
      ExpressionAttributeValues: { ':ended': ended },
    });
  if (waiting.length < mostPendingOrders) return;
  const freeAt = Math.min(...waiting.map(({ payableUntil }) => payableUntil));
  throw noRoom(Math.ceil((freeAt - clock.now()) / 1000));
}
