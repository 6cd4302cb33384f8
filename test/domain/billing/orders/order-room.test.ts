/** The limit of open orders when one of the account's open orders cannot be read. */
import { expect, test } from 'vitest';
import { openOrdersLimit } from '../../../../shared/contracts/limits.ts';
import { requireRoom, takeCheckoutRoom, takeRoom } from '../../../../shared/domain/billing/orders/order-room.ts';
import { orderKey } from '../../../../shared/domain/keys.ts';
import { closeAccount } from '../../../../shared/domain/privacy/closing.ts';
import { stores } from '../../../../shared/domain/stores.ts';
import { type LeftOutRow, TransactionCanceled } from '../../../../shared/platform/dynamo-table.ts';
import { giveOrder } from '../../../support/given-order.ts';
import { tableInTests, testIds, testTime } from '../../../support/test-table.ts';
import { subscriptionShop } from '../subscription-shop.ts';

const clock = { now: () => testTime };

const host = await tableInTests();

test('an open order that cannot be read is reported, still counts towards the limit and does not close any other', async () => {
  const { accountId } = await subscriptionShop(host.table);
  const leftOut: LeftOutRow[] = [];
  const table = { ...host.table, leftOut: (row: LeftOutRow) => void leftOut.push(row) };
  const needs = { ...stores(table, clock), table };
  const give = () => giveOrder({ clock, ids: testIds, table }, accountId);
  const orderId = await give();
  await table.update({
    Key: orderKey(orderId),
    UpdateExpression: 'SET cents = :cents',
    ExpressionAttributeValues: { ':cents': 'free' },
  });
  await requireRoom(needs, accountId);
  expect(leftOut).toMatchObject([{ kind: 'order', id: orderId }]);
  for (let count = 1; count < openOrdersLimit; count += 1) await give();
  await expect(requireRoom(needs, accountId)).rejects.toMatchObject({ kind: 'too-many-orders' });
});

test('a closed account gets no order and no checkout, not even if it is closed just before they are stored', async () => {
  const { accountId } = await subscriptionShop(host.table);
  const { table } = host;
  const needs = { ...stores(table, clock), clock, table };
  await requireRoom(needs, accountId);
  await closeAccount(needs, accountId);
  for (const take of [takeRoom, takeCheckoutRoom]) {
    await expect(table.transact([take(accountId, testIds.next())])).rejects.toThrow(TransactionCanceled);
  }
  await expect(requireRoom(needs, accountId)).rejects.toMatchObject({ kind: 'forbidden' });
});
