/** The schedule that erases closed accounts: within its time, one after the other, and whatever one of them does. */
import { expect, test } from 'vitest';
import { eraseClosedAccounts } from '../../functions/background/erase-closed-accounts.ts';
import { cancelsPerDay, closedAccountDays } from '../../shared/contracts/limits.ts';
import { updateAccount } from '../../shared/domain/accounts/update-account.ts';
import { accountKey } from '../../shared/domain/keys.ts';
import { closeAccount } from '../../shared/domain/privacy/closing.ts';
import { advanceClosures } from '../../shared/domain/privacy/run-closures.ts';
import { midnightBefore } from '../../shared/platform/clock.ts';
import { closureNeeds } from '../support/closure-needs.ts';
import { recordedMetrics } from '../support/recorded-metrics.ts';
import { serviceInTests } from '../support/test-service.ts';

const host = await serviceInTests({ hasIdentity: true });
const { context } = host.service;
const needs = closureNeeds(context);
const dayMs = 86_400_000;

const closedAccount = async () => {
  const { accountId, token } = await host.account();
  return { accountId, token };
};

const isErased = async (accountId: string) => (await context.accounts.find(accountId))?.erasedAt !== undefined;

/** Runs the function as the schedule does, and returns what it measured. */
async function run(): Promise<number> {
  const metrics = recordedMetrics();
  await eraseClosedAccounts({}, { ...needs, metrics } as unknown as Parameters<typeof eraseClosedAccounts>[1]);
  const [[values] = [{}]] = metrics.recorded;
  return (values as { OldestOverdueClosureAge: number }).OldestOverdueClosureAge;
}

const setName = (accountId: string, value: unknown) =>
  context.table.update({
    Key: accountKey(accountId),
    UpdateExpression: 'SET #name = :value',
    ExpressionAttributeNames: { '#name': 'name' },
    ExpressionAttributeValues: { ':value': value },
  });

test('an account that cannot be read does not stop the erasure of others, and counts as overdue until it is erased', async () => {
  const [bad, good] = [await closedAccount(), await closedAccount()];
  for (const { accountId } of [bad, good]) await closeAccount(context, accountId);
  expect(await run()).toBe(0);
  await setName(bad.accountId, 1);
  host.clock.advance(closedAccountDays * dayMs);
  expect(await run()).toBeLessThan(60);
  expect(await isErased(good.accountId)).toBe(true);
  host.clock.advance(7 * 3_600_000);
  expect(await run()).toBeGreaterThan(6 * 3600);
  await setName(bad.accountId, 'Ana');
  host.clock.advance(16 * 60_000);
  expect(await run()).toBe(0);
  expect(await isErased(bad.accountId)).toBe(true);
});

test('a closed account during whose erasure the process ends goes to the end of the queue', async () => {
  const deadly = await closedAccount();
  await closeAccount(context, deadly.accountId);
  host.clock.advance(1000);
  const other = await closedAccount();
  await closeAccount(context, other.accountId);
  host.clock.advance(closedAccountDays * dayMs);
  // The process never returns from the work on the first account.
  const stuck = new Promise<never>(() => undefined);
  const accounts: typeof context.accounts = {
    ...context.accounts,
    find: (accountId) => (accountId === deadly.accountId ? stuck : context.accounts.find(accountId)),
  };
  const ended = await Promise.race([
    advanceClosures({ ...needs, accounts }),
    new Promise((resolve) => setTimeout(resolve, 300, 'ended')),
  ]);
  expect(ended).toBe('ended');
  // The next process begins with what is due then, and the account that ended the last one is not.
  await advanceClosures(needs);
  expect(await isErased(other.accountId)).toBe(true);
  expect(await isErased(deadly.accountId)).toBe(false);
  host.clock.advance(16 * 60_000);
  await advanceClosures(needs);
  expect(await isErased(deadly.accountId)).toBe(true);
});

test('everything in progress is stopped for a closed account, however many tasks it has canceled that day', async () => {
  const { accountId, token } = await host.account({ credits: 500 });
  const cancels = { day: midnightBefore(host.clock.now()), count: cancelsPerDay };
  await context.table.transact([
    updateAccount(accountId, [{ set: ['cancels = :cancels'], values: { ':cancels': cancels } }]),
  ]);
  host.engine.play({});
  const taskId = await host.speak(token);
  await closeAccount(context, accountId);
  await run();
  expect(await context.tasks.find(taskId)).toMatchObject({ status: 'failed', errorCode: 'CANCELED' });
  expect(await context.accounts.find(accountId)).toMatchObject({
    cancels: { ...cancels, count: cancelsPerDay + 1, credits: 1 },
    // Closing and reopening an account is no way to cancel more.
    barredOn: cancels.day,
  });
});

test('what cannot be stopped for a closed account does not keep the rest in progress', async () => {
  const { accountId, token } = await host.account({ credits: 500 });
  host.engine.play({});
  const [first, second] = [await host.speak(token), await host.speak(token)];
  await closeAccount(context, accountId);
  const unreadable = {
    ...context.tasks,
    find: (taskId: string) => (taskId === first ? Promise.reject(new Error('down')) : context.tasks.find(taskId)),
  };
  await advanceClosures({ ...needs, tasks: unreadable });
  expect(await context.tasks.find(second)).toMatchObject({ status: 'failed' });
  expect(await context.tasks.find(first)).not.toMatchObject({ status: 'failed' });
  host.clock.advance(16 * 60_000);
  await run();
  expect(await context.tasks.find(first)).toMatchObject({ status: 'failed' });
});

test('a large account is erased in several runs, and a small account need not wait for it', async () => {
  host.engine.play({ submit: (job) => ({ status: 202, body: host.engine.done(job) }) });
  const [large, small] = [await closedAccount(), await closedAccount()];
  for (let count = 0; count < 5; count += 1) await host.ended(large.token, await host.speak(large.token));
  for (const { accountId } of [large, small]) await closeAccount(context, accountId);
  await advanceClosures(needs);
  host.clock.advance(closedAccountDays * dayMs);
  const deletedTasks: typeof context.deletedTasks = {
    ...context.deletedTasks,
    // Each task takes a third of the time that one account has in a run.
    async replace(...given) {
      host.clock.advance(20_000);
      return context.deletedTasks.replace(...given);
    },
  };
  let runs = 0;
  for (; !(await isErased(large.accountId)); runs += 1) {
    await advanceClosures({ ...needs, deletedTasks }, host.clock.now() + 200_000);
    expect(await isErased(small.accountId)).toBe(true);
    host.clock.advance(5 * 60_000);
  }
  expect(runs).toBe(2);
});
