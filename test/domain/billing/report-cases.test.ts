/** Operators are notified of every payment that needs their decision. */
import { expect, test } from 'vitest';
import { resolveCase } from '../../../shared/domain/billing/cases/open-cases.ts';
import { tableInTests, testTime } from '../../support/test-table.ts';
import { billingWorld, type Step } from './billing-world.ts';
import { well } from './mortal-process.ts';

const host = await tableInTests();

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
  // Canceling the order afterwards opens no second case for the payment.
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
])('a case is reported once, in a metric and in the log (kind: %s)', async ([kind, steps]) => {
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

const dispute: Step = { do: 'dispute', payment: 0 };
const win: Step = { do: 'win', payment: 0 };
const byService = /^Resolved by the service: (the whole payment was returned|the dispute was decided)\.$/;

/** The cases that the steps opened, oldest first, with the reason why each was resolved. */
async function casesAfter(steps: readonly Step[]) {
  const world = await billingWorld(host.table);
  const known = new Set((await world.stores.cases.list({ onlyOpen: false })).map(({ caseId }) => caseId));
  for (const step of steps) await world.step(step);
  const found = (await world.stores.cases.list({ onlyOpen: false })).filter(({ caseId }) => !known.has(caseId));
  return { world, found };
}

test.for<[string, Step[]]>([
  ['partial-refund', [buy, pay, reconcile, part, reconcile, refund]],
  ['second-payment', [buy, pay, reconcile, pay, reconcile, { ...refund, payment: 1 }]],
  ['wrong-amount', [buy, { do: 'pay', order: 0, how: 'wrong amount' }, reconcile, refund]],
  ['payment-without-order', [{ ...buy, gateway: 'is lost' }, pay, { do: 'wait', minutes: 33 }, reconcile, refund]],
  ['disputed-payment', [buy, pay, reconcile, dispute, reconcile, win]],
  ['disputed-payment', [buy, pay, reconcile, dispute, reconcile, refund]],
  ['payment-after-refund', [buy, pay, reconcile, refund, reconcile, win, reconcile, refund]],
])('a case is resolved once its reason no longer exists (kind: %s)', async ([kind, steps]) => {
  const { found } = await casesAfter([...steps, reconcile, reconcile]);
  expect(found).toMatchObject([{ kind, resolution: expect.stringMatching(byService) }]);
});

test('a payment that is returned again opens a case if an operator had decided about its credits, each time', async () => {
  const { found, world } = await casesAfter([buy, pay, reconcile, refund, reconcile]);
  expect(found).toEqual([]);
  const before = new Set((await world.stores.cases.list({ onlyOpen: true })).map(({ caseId }) => caseId));
  const own = async () =>
    (await world.stores.cases.list({ onlyOpen: true })).filter(({ caseId }) => !before.has(caseId));
  for (const times of [1, 2]) {
    for (const step of [win, reconcile]) await world.step(step);
    const won = (await own()).find(({ kind }) => kind === 'payment-after-refund');
    await resolveCase(host.table, won?.caseId ?? '', { resolution: 'granted', resolvedAt: testTime });
    for (const step of [refund, reconcile, reconcile]) await world.step(step);
    expect((await own()).map(({ kind }) => kind)).toEqual(Array(times).fill('returned-again'));
  }
});

test('a dispute that reopens is a new case, whether an operator or the service resolved the first one', async () => {
  const { found, world } = await casesAfter([buy, pay, reconcile, dispute, reconcile]);
  const [first] = found;
  await resolveCase(host.table, first?.caseId ?? '', { resolution: 'answered', resolvedAt: testTime });
  for (const step of [reconcile, win, reconcile, dispute, reconcile, reconcile, win, reconcile, dispute, reconcile])
    await world.step(step);
  const all = (await world.stores.cases.list({ onlyOpen: false })).filter(({ orderId }) => orderId === first?.orderId);
  expect(all.map(({ resolution }) => resolution)).toEqual(
    expect.arrayContaining(['answered', expect.stringMatching(byService), undefined]),
  );
  expect(all.map(({ kind }) => kind)).toEqual(Array(3).fill('disputed-payment'));
});

test('data that was read before a dispute was decided opens no new case', async () => {
  const steps: Step[] = [buy, pay, reconcile, dispute, { do: 'read ahead', payment: 0 }, reconcile, win, reconcile];
  const { found } = await casesAfter([...steps, { do: 'apply what was read', crash: well.crash }, reconcile]);
  expect(found).toMatchObject([{ kind: 'disputed-payment', resolution: expect.stringMatching(byService) }]);
});
