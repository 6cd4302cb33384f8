/** An account with a subscription that cannot be read. */
import { expect, test } from 'vitest';
import { subscriptionKey } from '../../../shared/domain/keys.ts';
import { InvalidRow } from '../../../shared/domain/stored-row.ts';
import { stores } from '../../../shared/domain/stores.ts';
import type { LeftOutRow } from '../../../shared/platform/dynamo-table.ts';
import { randomIds } from '../../../shared/platform/ids.ts';
import { fakeSubscriptionGateway } from '../../support/fake-subscription-gateway.ts';
import { giveSubscription } from '../../support/given-subscription.ts';
import { tableInTests, testTime } from '../../support/test-table.ts';
import { subscriptionShop } from './subscription-shop.ts';

const clock = { now: () => testTime };

const host = await tableInTests();

test('a list omits a subscription that cannot be read, and decisions about the account’s plan fail until it can be read', async () => {
  const { accountId } = await subscriptionShop(host.table);
  const leftOut: LeftOutRow[] = [];
  const table = { ...host.table, leftOut: (row: LeftOutRow) => void leftOut.push(row) };
  const { subscriptions } = stores(table, clock);
  const gateway = fakeSubscriptionGateway(clock).seen('responds');
  const give = () => giveSubscription({ clock, ids: randomIds(clock), table }, gateway, accountId);
  const [damaged, whole] = [await give(), await give()];
  await table.update({
    Key: subscriptionKey(accountId, damaged),
    UpdateExpression: 'SET cents = :cents',
    ExpressionAttributeValues: { ':cents': 'free' },
  });
  const listed = await Array.fromAsync(subscriptions.newestFirst(accountId));
  expect(listed.map(({ subscriptionId }) => subscriptionId)).toEqual([whole]);
  expect(leftOut).toHaveLength(1);
  await expect(Array.fromAsync(subscriptions.newestFirst(accountId, { isStrict: true }))).rejects.toThrow(InvalidRow);
});
