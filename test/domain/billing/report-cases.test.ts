/** Operators learn of every payment that needs their decision. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestTable, testTable } from '../../support/test-table.ts';
import { billingWorld, type Step } from './billing-world.ts';
import { well } from './mortal-process.ts';

let host: TestTable;

beforeAll(async () => {
  host = await testTable();
});
afterAll(() => host.close());

const buy: Step = { do: 'buy', buyer: 0, pack: 0, ...well };
const pay: Step = { do: 'pay', order: 0, how: 'right' };
const refund: Step = { do: 'refund', payment: 0, part: false };
const part: Step = { do: 'refund', payment: 0, part: true };
const reconcile: Step = { do: 'reconcile', ...well };

test.for<[string, Step[]]>([
  ['second-payment', [buy, pay, pay]],
  ['wrong-amount', [buy, { do: 'pay', order: 0, how: 'wrong amount' }]],
  ['payment-of-canceled-order', [buy, { do: 'end', payment: 0, status: 'canceled' }, reconcile, pay]],
  ['payment-without-order', [{ ...buy, gateway: 'is lost' }, pay, { do: 'wait', minutes: 33 }]],
  ['partial-refund', [buy, pay, part]],
  ['disputed-payment', [buy, pay, reconcile, { do: 'dispute', payment: 0 }]],
  ['payment-after-refund', [buy, pay, reconcile, refund, reconcile, { do: 'win', payment: 0 }]],
  // That the order is canceled afterwards makes no second case of the payment.
  [
    'wrong-amount',
    [
      buy,
      { do: 'end', payment: 0, status: 'canceled' },
      { do: 'pay', order: 0, how: 'wrong amount' },
      { do: 'notify', payment: 1, event: 1, ...well },
    ],
  ],
  ['used-credits', [buy, pay, reconcile, { do: 'spend', buyer: 0, credits: 1 }, refund]],
])('a case is reported once, in a metric and in the log: %s', async ([kind, steps]) => {
  const world = await billingWorld(host.table);
  const known = new Set((await world.stores.cases.list({ onlyOpen: true })).map(({ caseId }) => caseId));
  for (const step of [...steps, reconcile, reconcile]) await world.step(step);
  const found = (await world.stores.cases.list({ onlyOpen: true })).filter(({ caseId }) => !known.has(caseId));
  expect(found.map((one) => one.kind)).toEqual([kind]);
  expect(world.reported).toEqual(
    found.map(({ caseId, accountId, orderId, paymentId }) => ({ caseId, case: kind, accountId, orderId, paymentId })),
  );
  expect(world.metrics.recorded.filter(([{ BillingCases }]) => BillingCases !== undefined)).toEqual([
    [{ BillingCases: 1 }],
  ]);
});
