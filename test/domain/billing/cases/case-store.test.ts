/** Storing, listing and resolving cases, on the real table. */
import { expect, test } from 'vitest';
import { type BillingCase, caseIdOf } from '../../../../shared/domain/billing/cases/billing-case.ts';
import { caseStore, insertCase } from '../../../../shared/domain/billing/cases/case-store.ts';
import { tableInTests, testIds, testTime } from '../../../support/test-table.ts';

const host = await tableInTests();

async function recorded(orderId: string, paymentId: string): Promise<BillingCase> {
  const finding = { kind: 'second-payment', orderId, gateway: 'fake', paymentId, cents: 1 } as const;
  const found = { ...finding, caseId: caseIdOf(finding), currency: 'BRL', createdAt: testTime };
  await host.table.transact([insertCase(found)]);
  return found;
}

test('the cases of an order are found without reading those of other orders', async () => {
  const orderId = testIds.next();
  const others = [orderId.slice(0, -1), `${orderId}0`, testIds.next(), testIds.next()];
  const own = [await recorded(orderId, '1'), await recorded(orderId, '2')];
  for (const other of others) await recorded(other, '3');
  let read = 0;
  const cases = caseStore({
    ...host.table,
    async *walk(query) {
      const { FilterExpression: _, ...unfiltered } = query;
      for await (const item of host.table.walk(unfiltered)) {
        read += 1;
        yield item;
      }
    },
  });
  expect(new Set(await cases.ofOrder(orderId))).toEqual(new Set(own));
  expect(read).toBe(own.length);
  expect(await cases.ofOrder(testIds.next())).toEqual([]);
});
