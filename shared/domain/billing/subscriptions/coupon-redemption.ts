/**
 * Counts the redemptions of coupons: one per account, and in total as many as the catalog allows. A redemption is
 * reserved in the transaction that stores the order, released in the one in which the order ends unpaid, and final once
 * the order is paid.
 */
import * as z from 'zod';
import type { CouponEntry } from '../../../catalog/coupons.ts';
import { once } from '../../../contracts/once.ts';
import type { OrderStatus } from '../../../contracts/order-statuses.ts';
import type { Action, Item, Table } from '../../../platform/dynamo-table.ts';
import type { Write } from '../../idempotency/run-once.ts';
import { couponKey, redemptionKey } from '../../keys.ts';
import { Rejection } from '../../rejection.ts';
import { parseRow } from '../../stored-row.ts';
import type { SubscriptionOrder } from '../orders/order.ts';

type CouponOrder = Pick<SubscriptionOrder, 'accountId' | 'orderId' | 'couponCode'>;

/** `orderId` is absent after the redemption was released. */
const RedemptionRow = once(() => z.object({ orderId: z.exactOptional(z.string()) }));
const CouponRow = once(() => z.object({ used: z.int() }));

const orderOf = (item: Item): string | undefined => parseRow('redemption', RedemptionRow(), item).orderId;

const alreadyUsed = (orderId = ''): Rejection =>
  new Rejection('invalid', {
    message: `couponCode is used by order ${orderId} of this account: an order that ends unpaid frees it within minutes`,
  });

const exhausted = (): Rejection =>
  new Rejection('invalid', { message: 'couponCode has been used as often as it can be' });

/** The order for which the account has redeemed the coupon; undefined if there is none. */
export async function redeemedBy(
  table: Table,
  { accountId, couponCode }: Pick<CouponOrder, 'accountId' | 'couponCode'>,
): Promise<string | undefined> {
  const item = couponCode === undefined ? undefined : await table.get(redemptionKey(couponCode, accountId));
  return item && orderOf(item);
}

/** Checks that a coupon can be redeemed, before anything is created at the gateway. @throws {Rejection} invalid */
export async function requireRedeemable(
  table: Table,
  { code, maxRedemptions = Number.POSITIVE_INFINITY }: CouponEntry,
  accountId: string,
): Promise<void> {
  const [own, coupon] = await Promise.all([
    redeemedBy(table, { accountId, couponCode: code }),
    table.get(couponKey(code)),
  ]);
  if (own !== undefined) throw alreadyUsed(own);
  if (coupon && parseRow('coupon', CouponRow(), coupon).used >= maxRedemptions) throw exhausted();
}

const reserve = (code: string, { accountId, orderId }: CouponOrder): Action => ({
  Put: {
    Item: { ...redemptionKey(code, accountId), orderId },
    ConditionExpression: 'attribute_not_exists(orderId)',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  },
});

const count = (code: string, uses: 1 | -1, max?: number): Action => ({
  Update: {
    Key: couponKey(code),
    UpdateExpression: 'ADD used :uses',
    ...(max !== undefined && { ConditionExpression: 'attribute_not_exists(pk) OR used < :max' }),
    ExpressionAttributeValues: { ':uses': uses, ...(max !== undefined && { ':max': max }) },
  },
});

/** Reserves a redemption for an order, in the transaction that stores the order. */
export const redeem = ({ code, maxRedemptions }: CouponEntry, order: CouponOrder): readonly Write[] => [
  { action: reserve(code, order), rejection: (item) => (item ? alreadyUsed(orderOf(item)) : exhausted()) },
  { action: count(code, 1, maxRedemptions), rejection: exhausted },
];

const changeHolder = (code: string, { accountId }: CouponOrder, from: string) => ({
  Key: redemptionKey(code, accountId),
  ConditionExpression: 'orderId = :from',
  ExpressionAttributeValues: { ':from': from },
});

/**
 * Keeps or releases the redemption when its order's status changes. If an order was paid although it had expired, its
 * discount was promised: it takes the redemption again, whatever the limit, even from an order that waits for its
 * payment.
 */
export function settleRedemption(order: CouponOrder, status: OrderStatus, holder: string | undefined): Action[] {
  const { couponCode: code, orderId } = order;
  if (code === undefined) return [];
  const isOwn = holder === orderId;
  if (status === 'expired' || status === 'canceled' || status === 'failed')
    return isOwn
      ? [{ Update: { ...changeHolder(code, order, orderId), UpdateExpression: 'REMOVE orderId' } }, count(code, -1)]
      : [];
  if (status !== 'paid' || isOwn) return [];
  if (holder === undefined) return [reserve(code, order), count(code, 1)];
  const { ExpressionAttributeValues, ...held } = changeHolder(code, order, holder);
  const taken = { ...ExpressionAttributeValues, ':order': orderId };
  return [{ Update: { ...held, UpdateExpression: 'SET orderId = :order', ExpressionAttributeValues: taken } }];
}
