/** The limit of open orders when one of the account's open orders cannot be read. */
import { expect, test } from 'vitest';
import { openOrdersLimit } from '../../../../shared/contracts/limits.ts';
import { requireRoom } from '../../../../shared/domain/billing/orders/order-room.ts';
import { orderKey } from '../../../../shared/domain/keys.ts';
import { stores } from '../../../../shared/domain/stores.ts';
import type { LeftOutRow } from '../../../../shared/platform/dynamo-table.ts';
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
