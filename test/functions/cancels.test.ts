/** An account can cancel a limited number of tasks a day, because engines bill the work that they have begun. */
import { beforeEach, expect, test } from 'vitest';
import { cancelsPerDay } from '../../shared/contracts/limits.ts';
import { accountKey } from '../../shared/domain/keys.ts';
import { testAccountOf } from '../../shared/domain/test-account.ts';
import { dayMs, midnightBefore } from '../../shared/platform/clock.ts';
import { eventually } from '../support/eventually.ts';
import { stillClock } from '../support/stepped-clock.ts';
import { serviceInTests, type TestAccount } from '../support/test-service.ts';

const clock = stillClock();
const host = await serviceInTests({ clock });

let account: TestAccount;
beforeEach(async () => {
  // It is 18:00, so six hours of the day are left.
  clock.advance(dayMs - (clock.now() % dayMs) + dayMs * 0.75);
  account = await host.account({ credits: 100 });
});

const act = (operationId: 'cancelTask' | 'deleteTask', taskId: string, { token } = account) =>
  host.call(operationId, { token, params: { taskId } });

/** A task in progress whose engine never reports on it. */
async function openTask(): Promise<string> {
  host.engine.play({});
  return host.speak(account.token);
}

/** Cancels as many tasks as the account can; deletions of open tasks count, too. */
async function cancelAll(): Promise<void> {
  for (let count = 0; count < cancelsPerDay; count += 1) {
    expect((await act(count % 2 === 0 ? 'cancelTask' : 'deleteTask', await openTask())).status).toBe(200);
  }
}

/** Counts as many cancels of the day as an account can make. */
async function countAll(accountId: string): Promise<object> {
  const cancels = { day: midnightBefore(clock.now()), count: cancelsPerDay, credits: cancelsPerDay };
  await host.service.context.table.update({
    Key: accountKey(accountId),
    UpdateExpression: 'SET cancels = :cancels',
    ExpressionAttributeValues: { ':cancels': cancels },
  });
  return cancels;
}

test('after twenty cancels and deletions of open tasks on a day, further ones get 429 until midnight and change nothing', async () => {
  await cancelAll();
  const taskId = await openTask();
  const state = async () =>
    [
      await host.service.context.tasks.find(taskId),
      await host.service.context.accounts.find(account.accountId),
    ] as const;
  const before = await eventually('the task at work', async () => {
    const [task, owner] = await state();
    return task?.status === 'processing' ? [task, owner] : undefined;
  });
  for (const operationId of ['cancelTask', 'deleteTask'] as const) {
    const { status, body, headers } = await act(operationId, taskId);
    expect([status, body.error?.code]).toEqual([429, 'RATE_LIMITED']);
    expect(body.error?.message).toMatch(/^The account has canceled 20 tasks today \(UTC\)/);
    expect(headers['retry-after']).toBe(String(dayMs / 4 / 1000));
  }
  expect(await state()).toEqual(before);
  clock.advance(dayMs / 4 - 1);
  expect((await act('cancelTask', taskId)).status).toBe(429);
  clock.advance(1);
  expect((await act('cancelTask', taskId)).status).toBe(200);
  await host.audit();
});

test('an ended task can be deleted but not canceled, however many tasks were canceled that day', async () => {
  await countAll(account.accountId);
  expect((await act('cancelTask', await openTask())).status).toBe(429);
  host.engine.play({ submit: (job) => ({ status: 202, body: host.engine.done(job) }) });
  const { id } = await host.ended(account.token, await host.speak(account.token));
  const { status, body } = await act('cancelTask', id);
  expect([status, body.error?.code]).toEqual([409, 'TASK_NOT_CANCELABLE']);
  expect((await act('deleteTask', id)).status).toBe(200);
});

test('cancels with test tokens are not counted', async () => {
  const testAccount = testAccountOf(account.accountId);
  const { token } = await host.token(testAccount);
  const cancel = async () => {
    const taskId = await host.speak(token, { text: 'Uma frase. [test:slow=120]', voice: 'sarah' });
    return (await act('cancelTask', taskId, { ...account, token })).status;
  };
  const { accounts } = host.service.context;
  expect(await cancel()).toBe(200);
  expect(await accounts.find(testAccount)).not.toHaveProperty('cancels');
  const cancels = await countAll(testAccount);
  expect(await cancel()).toBe(200);
  expect(await accounts.find(testAccount)).toMatchObject({ cancels });
});
