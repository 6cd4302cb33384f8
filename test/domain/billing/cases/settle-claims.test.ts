/** What accounts get back for failed tasks that were open when the payment for their credits was returned. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changeClaims } from '../../../../shared/domain/accounts/refund-claims.ts';
import { updateAccount } from '../../../../shared/domain/accounts/update-account.ts';
import { caseIdOf } from '../../../../shared/domain/billing/cases/billing-case.ts';
import { insertCase } from '../../../../shared/domain/billing/cases/case-store.ts';
import { resolveCase } from '../../../../shared/domain/billing/cases/open-cases.ts';
import { settleClaims } from '../../../../shared/domain/billing/cases/settle-claims.ts';
import { TransactionCanceled } from '../../../../shared/platform/dynamo-table.ts';
import { type TestTable, testIds, testTable } from '../../../support/test-table.ts';
import { appliedSubscriptions } from '../applied-subscriptions.ts';
import { billingTasks } from '../billing-tasks.ts';
import { billingWorld, type Step } from '../billing-world.ts';
import { well } from '../mortal-process.ts';
import { annual, returned, wholeYear } from '../subscription-scene.ts';

let host: TestTable;

beforeAll(async () => {
  host = await testTable();
});
afterAll(() => host.close());

const { crash } = well;
const buys: Step[] = [
  { do: 'buy', buyer: 0, pack: 0, ...well },
  { do: 'pay', order: 0, how: 'right' },
  { do: 'notify', payment: 0, event: 1, ...well },
];
const starts = (credits: number): Step => ({ do: 'start', buyer: 0, credits, crash });
const returns: Step[] = [
  { do: 'refund', payment: 0, part: false },
  { do: 'notify', payment: 0, event: 2, ...well },
];
const isWonBack: Step[] = [
  { do: 'win', payment: 0 },
  { do: 'notify', payment: 0, event: 3, ...well },
];
const fails = (task: number): Step => ({ do: 'end task', task, isFailed: true, crash });
const completes = (task: number): Step => ({ do: 'end task', task, isFailed: false, crash });

/** A buyer of a pack of 100 credits, after some steps. */
async function buyerAfter(...steps: readonly (Step | readonly Step[])[]) {
  const world = await billingWorld(host.table);
  const take = async (more: readonly (Step | readonly Step[])[]) => {
    for (const step of more.flat()) await world.step(step);
  };
  await take([buys, ...steps]);
  const [accountId = ''] = world.buyers;
  return {
    take,
    stores: world.stores,
    account: async () => (await world.stores.accounts.find(accountId)) ?? expect.fail('the account is gone'),
    /** The amounts of the ledger, oldest first. */
    ledger: async () => {
      const rows = await world.stores.ledger.list(accountId, { limit: 99, offset: 0 });
      return rows.toReversed().map(({ amount, taskId }) => [taskId === undefined ? 'order' : 'task', amount]);
    },
    usedCredits: async () => {
      const all = await world.stores.cases.list({ onlyOpen: false });
      const own = all.find((one) => one.accountId === accountId && one.kind === 'used-credits');
      return own ?? expect.fail('there is no case');
    },
    /** Gives the buyer new credits and starts a task with them. */
    startsAnew: async (credits: number) => {
      const row = { id: testIds.next(), accountId, amount: credits, reason: 'bonus', at: 0 } as const;
      await world.stores.accounts.post(row);
      await take([starts(credits)]);
    },
  };
}

test('the refund of a failed task recovers the spent credits of a payment that was returned in the meantime', async () => {
  const { account, ledger, usedCredits } = await buyerAfter(starts(60), starts(30), returns, fails(0));
  expect(await ledger()).toEqual([
    ['order', 100],
    ['task', -60],
    ['task', -30],
    ['order', -10],
    ['task', 60],
    ['order', -60],
  ]);
  const { taskIds } = (await account()).refundClaims?.[0] ?? {};
  expect(await account()).toMatchObject({ balance: 0, openTasks: taskIds });
  expect(await usedCredits()).toMatchObject({ missingCredits: 30 });
  expect((await usedCredits()).resolvedAt).toBeUndefined();
});

test('a case about spent credits is resolved once refunds of failed tasks have recovered all of those credits', async () => {
  const { account, stores, usedCredits } = await buyerAfter(starts(60), starts(40), returns, fails(0), fails(1));
  expect(await usedCredits()).toMatchObject({
    missingCredits: 0,
    resolution: 'Resolved by the service: the missing credits were taken back from tasks that failed.',
  });
  expect(
    (await stores.cases.list({ onlyOpen: true })).filter(({ kind }) => kind === 'used-credits'),
  ).not.toContainEqual(await usedCredits());
  expect((await account()).refundClaims).toBeUndefined();
});

test('a task that completes after the payment for its credits was returned leaves those credits unrecovered', async () => {
  const { account, usedCredits } = await buyerAfter(starts(60), returns, completes(0));
  expect(await account()).toMatchObject({ balance: 0, openTasks: [] });
  expect((await account()).refundClaims).toBeUndefined();
  expect(await usedCredits()).toMatchObject({ missingCredits: 60 });
});

test('a task that was started after the return of a payment is refunded in full if it fails', async () => {
  const buyer = await buyerAfter(starts(60), returns);
  await buyer.startsAnew(25);
  await buyer.take([fails(1)]);
  expect(await buyer.account()).toMatchObject({ balance: 25, openTasks: { length: 1 } });
  expect(await buyer.usedCredits()).toMatchObject({ missingCredits: 60 });
});

test('the refund of a failed task is reduced by no more than the unrecovered credits of the returned payment', async () => {
  const buyer = await buyerAfter();
  await buyer.startsAnew(100);
  await buyer.take([starts(30), returns, fails(0)]);
  expect(await buyer.account()).toMatchObject({ balance: 70, openTasks: { length: 1 } });
  expect(await buyer.usedCredits()).toMatchObject({ missingCredits: 0 });
});

test('a failed task is refunded in full once an operator has resolved the case that claimed its refund', async () => {
  const { account, ledger, stores, take, usedCredits } = await buyerAfter(starts(60), returns);
  const { caseId } = await usedCredits();
  await resolveCase(stores.table, caseId, { resolution: 'paid by bank transfer', resolvedAt: 1 });
  await take([fails(0)]);
  expect((await account()).balance).toBe(60);
  expect((await ledger()).at(-1)).toEqual(['task', 60]);
});

test('a failed task is refunded in full once the returned payment was won back', async () => {
  const { account, take } = await buyerAfter(starts(60), returns, isWonBack);
  await take([fails(0)]);
  expect((await account()).balance).toBe(60);
});

test('the refund of a failed task recovers the spent credits of a payment that was won back and returned again', async () => {
  const returnedAgain: Step[] = [
    { do: 'refund', payment: 0, part: false },
    { do: 'notify', payment: 0, event: 4, ...well },
  ];
  const { account, take, usedCredits } = await buyerAfter(starts(60), returns, isWonBack, returnedAgain);
  await take([fails(0)]);
  expect((await account()).balance).toBe(0);
  expect(await usedCredits()).toMatchObject({ missingCredits: 0 });
});

test('a failed task is refunded in full if its payment was won back twice, whenever that is recorded', async () => {
  const { account, stores, usedCredits } = await buyerAfter(starts(60), returns);
  const found = await usedCredits();
  const won = { ...found, kind: 'payment-after-refund' } as const;
  const { accountId, openTasks, refundClaims = [] } = await account();
  const refund = { accountId, taskId: openTasks[0] ?? '', credits: 60, at: 1 };
  const settle = () => settleClaims({ ...stores, ids: testIds }, refundClaims, refund);
  await stores.table.transact([insertCase({ ...won, caseId: caseIdOf(won), endedAt: 1 })]);
  const { actions, taken } = await settle();
  expect(taken).toBe(60);
  await stores.table.transact([insertCase({ ...won, caseId: caseIdOf(won, 2) })]);
  await expect(stores.table.transact(actions)).rejects.toThrow(TransactionCanceled);
  expect(await settle()).toEqual({ taken: 0, actions: [] });
});

test.for(['its returned payment is won back', 'its case is resolved'])(
  'a failed task is refunded in full if %s at the same moment',
  async (what) => {
    const { account, stores, usedCredits } = await buyerAfter(starts(60), returns);
    const found = await usedCredits();
    const { accountId, openTasks, refundClaims = [] } = await account();
    const refund = { accountId, taskId: openTasks[0] ?? '', credits: 60, at: 1 };
    const settle = () => settleClaims({ ...stores, ids: testIds }, refundClaims, refund);
    const { actions, taken } = await settle();
    expect(taken).toBe(60);
    const won = { ...found, kind: 'payment-after-refund' } as const;
    if (what === 'its case is resolved')
      await resolveCase(stores.table, found.caseId, { resolution: 'written off', resolvedAt: 1 });
    else await stores.table.transact([insertCase({ ...won, caseId: caseIdOf(won) })]);
    await expect(stores.table.transact(actions)).rejects.toThrow(TransactionCanceled);
    expect(await settle()).toEqual({ taken: 0, actions: [] });
  },
);

test('if several returned payments claim the refund of a task, the oldest is settled first', async () => {
  const { account, stores, usedCredits } = await buyerAfter(starts(60), returns);
  const older = await usedCredits();
  const newer = { ...older, orderId: 'another-order', missingCredits: 60 };
  const caseId = caseIdOf(newer);
  await stores.table.transact([insertCase({ ...newer, caseId })]);
  const { accountId, openTasks: taskIds } = await account();
  const claims = [older.caseId, caseId].map((id) => ({ caseId: id, taskIds }));
  const refund = { accountId, taskId: taskIds[0] ?? '', credits: 70, at: 1 };
  const settled = await settleClaims({ ...stores, ids: testIds }, claims, refund);
  expect(settled.taken).toBe(70);
  await stores.table.transact(settled.actions);
  const left = await Promise.all([older.caseId, caseId].map((id) => stores.cases.find(id)));
  expect(left.map((found) => found?.missingCredits)).toEqual([0, 50]);
});

test('refunds of failed tasks recover the spent credits of every payment that was returned, even of twelve', async () => {
  const numbers = Array.from({ length: 12 }, (_, number) => number);
  const bought = numbers.flatMap((number): Step[] => [
    { do: 'buy', buyer: 0, pack: 0, ...well },
    { do: 'pay', order: number, how: 'right' },
    { do: 'notify', payment: number, event: 100 + number, ...well },
  ]);
  const { account, stores, take } = await buyerAfter(
    bought.slice(3),
    numbers.map(() => starts(100)),
  );
  expect(await account()).toMatchObject({ balance: 0, openTasks: { length: 12 } });
  await take(
    numbers.flatMap((payment): Step[] => [
      { do: 'refund', payment, part: false },
      { do: 'notify', payment, event: 200 + payment, ...well },
    ]),
  );
  await take(numbers.map(fails));
  const { accountId, ...left } = await account();
  expect(left).toMatchObject({ balance: 0, openTasks: [] });
  expect(left).not.toHaveProperty('refundClaims');
  expect((await stores.cases.list({ onlyOpen: true })).filter((one) => one.accountId === accountId)).toEqual([]);
});

test('the refund of a failed task settles the oldest 20 of the cases that claim it, and the account gets the rest', async () => {
  const { account, ledger, stores, take } = await buyerAfter(starts(100));
  const { accountId, openTasks: taskIds } = await account();
  const cases = Array.from({ length: 30 }, (_, index) => {
    const finding = {
      kind: 'used-credits',
      orderId: `order-${index}`,
      gateway: 'fake',
      paymentId: '1',
      cents: 1,
    } as const;
    return { ...finding, caseId: caseIdOf(finding), accountId, currency: 'BRL', missingCredits: 2, createdAt: 1 };
  });
  const claims = cases.map(({ caseId }, index) => ({ caseId, taskIds: index === 0 ? taskIds : [] }));
  await stores.table.transact([...cases.map(insertCase), updateAccount(accountId, [changeClaims([], claims)])]);
  await take([fails(0)]);
  expect((await account()).balance).toBe(60);
  expect((await ledger()).slice(2)).toEqual([['task', 100], ...Array.from({ length: 20 }, () => ['order', -2])]);
  const left = await Promise.all(cases.map(({ caseId }) => stores.cases.find(caseId)));
  expect(left.map((found) => found?.missingCredits)).toEqual(cases.map((_, index) => (index < 20 ? 0 : 2)));
});

test('the refund of a failed task recovers the spent credits of a returned subscription payment', async () => {
  const { cases, paid, read, rows, needs, agrees } = await appliedSubscriptions(host.table, { subscription: annual });
  await paid({ invoices: [wholeYear] });
  const { accountId = '' } = (await read()).account ?? {};
  const tasks = billingTasks(host.table, needs);
  for (const cost of [1200, 300]) await tasks.start(accountId, cost, crash);
  await paid({ invoices: [returned(wholeYear)] });
  await tasks.end(1, true, crash);
  expect((await rows()).slice(0, 3)).toEqual([
    ['refund', -300],
    ['refund', 300],
    ['refund', -500],
  ]);
  expect((await read()).account).toMatchObject({ balance: 0, openTasks: { length: 1 } });
  expect(await cases()).toMatchObject([{ kind: 'used-credits', missingCredits: 1200 }]);
  await agrees();
});
