/** The only way to end a task: one transaction with its records, its notifications, and that it happens only once. */
import { beforeEach, describe, expect, test } from 'vitest';
import { failureMessage } from '../../../shared/contracts/errors.ts';
import { changeClaims } from '../../../shared/domain/accounts/refund-claims.ts';
import { type Clauses, updateAccount } from '../../../shared/domain/accounts/update-account.ts';
import { caseIdOf } from '../../../shared/domain/billing/cases/billing-case.ts';
import { insertCase } from '../../../shared/domain/billing/cases/case-store.ts';
import { resolveCase } from '../../../shared/domain/billing/cases/open-cases.ts';
import { mainJob } from '../../../shared/domain/engine-jobs/engine-job.ts';
import { checkTime } from '../../../shared/domain/index-keys.ts';
import { influencerKey, taskKey } from '../../../shared/domain/keys.ts';
import type { End } from '../../../shared/domain/task-lifecycle/end-task.ts';
import { deliveryCheckMs, type Task } from '../../../shared/domain/tasks/task.ts';
import { insertTask } from '../../../shared/domain/tasks/task-item.ts';
import type { Table } from '../../../shared/platform/dynamo-table.ts';
import { closedCircuits } from '../../support/closed-circuits.ts';
import { unreachable } from '../../support/end-unnotified.ts';
import { anAccount, aTask, tableInTests, testTime } from '../../support/test-table.ts';
import { completed, endTaskWorld, failed, mainJobOf, webhook } from './end-task-world.ts';

let world: ReturnType<typeof endTaskWorld>;

const host = await tableInTests();
beforeEach(() => {
  world = endTaskWorld(host);
});

describe('a task that completes', () => {
  test('stores its results, keeps its price and frees its slot', async () => {
    const task = await world.openTask();
    expect(await world.end(task, completed)).toBe(true);
    const { results } = completed;
    const after = { ...task, status: 'completed', progress: 100, results, endedAt: testTime };
    expect(await world.standing(task)).toMatchObject({
      task: after,
      account: { balance: 10, openTasks: [] },
      rows: [],
    });
    expect((await world.standing(task)).task).not.toHaveProperty('errorCode');
  });
});

describe('an influencer', () => {
  const influencerId = 'influencer';
  const stored = ({ accountId }: Task) => host.table.get(influencerKey(accountId, influencerId));
  const input = { name: 'Lia', description: 'A runner.', gender: 'female' };

  test('is stored with the completion of the task that makes it', async () => {
    const task = await world.openTask({ influencerId, input });
    await world.end(task, completed);
    const portraits = ['results/1.mp3'];
    expect(await stored(task)).toMatchObject({ ...input, portraits, taskId: task.taskId, createdAt: testTime });
  });

  test('is not stored if its task fails or creates none', async () => {
    const [failing, plain] = [await world.openTask({ influencerId, input }), await world.openTask()];
    expect(await world.end(failing, failed)).toBe(true);
    expect(await world.end(plain, completed)).toBe(true);
    for (const task of [failing, plain]) expect(await stored(task)).toBeUndefined();
  });
});

describe('a task that fails', () => {
  test('stores its reason, frees its slot and is refunded in full with a ledger row', async () => {
    const task = await world.openTask();
    expect(await world.end(task, failed)).toBe(true);
    const { task: after, account, rows } = await world.standing(task);
    expect(after).toStrictEqual({
      ...task,
      status: 'failed',
      errorCode: 'PROVIDER_ERROR',
      errorMessage: failureMessage('PROVIDER_ERROR'),
      endedAt: testTime,
    });
    expect(account).toMatchObject({ balance: 10 + task.cost, openTasks: [] });
    const { taskId, tokenId, accountId, taskType, cost } = task;
    expect(rows).toEqual([
      { id: expect.any(String), accountId, amount: cost, reason: 'refund', at: testTime, taskType, taskId, tokenId },
    ]);
  });

  test('stores an error message that says what is wrong with its input if the failure says so', async () => {
    const task = await world.openTask();
    const detail = 'imageUrl must be a JPEG or PNG file, not GIF';
    await world.end(task, { status: 'failed', code: 'INPUT_INVALID', detail });
    const errorMessage = `${detail}. The credits were refunded.`;
    expect((await world.standing(task)).task).toMatchObject({ errorCode: 'INPUT_INVALID', errorMessage });
  });

  test('leaves no ledger row if it cost nothing', async () => {
    const task = await world.openTask({ cost: 0 });
    expect(await world.end(task, failed)).toBe(true);
    expect(await world.standing(task)).toMatchObject({
      task: { status: 'failed' },
      account: { balance: 10 },
      rows: [],
    });
  });
});

test('a task with a webhook is due for a check by the sweeper once its delivery may be overdue', async () => {
  const task = await world.openTask(webhook);
  await world.end(task, completed);
  const item = await host.table.get(taskKey(task.taskId));
  expect(item).toMatchObject({ openSk: checkTime(testTime + deliveryCheckMs) });
});

describe('ending a task notifies', () => {
  test('the circuit first, then the waiting execution, the engine and the webhook queue', async () => {
    const task = await world.taskAtWork();
    const { taskId, accountId } = task;
    await world.end(task, failed);
    expect(world.logger.warnings).toEqual([]);
    expect(world.asked[0]).toEqual(['failure', task]);
    expect(world.asked.filter((one) => (one as string[])[0] !== 'webhook').slice(1)).toEqual([
      ['wake', 'a token', failed],
      ['cancel', 'job'],
    ]);
    expect(world.asked.slice(1)).toContainEqual([
      'webhook',
      { taskId, attempt: 1 },
      { delaySeconds: 0, group: accountId },
    ]);
    expect((await world.store.engineJobs.find(mainJobOf(task))).outcome).toEqual(failed);
  });

  test('only the circuit and the webhook queue when the engine has finished', async () => {
    const task = await world.taskAtWork();
    await world.store.engineJobs.recordOutcome(mainJobOf(task), failed, testTime);
    await world.end(task, failed);
    expect(world.asked.map((one) => (one as string[])[0])).toEqual(['failure', 'webhook']);
  });

  test('no engine when the task is completed, whatever other jobs it has', async () => {
    const task = await world.taskAtWork();
    await world.end(task, completed);
    expect(world.asked.map((one) => (one as string[])[0])).toEqual(['success', 'webhook', 'duration']);
    expect((await world.store.engineJobs.find(mainJobOf(task))).outcome).toBeUndefined();
    expect(world.logger.warnings).toEqual([]);
  });

  test('no circuit when the engine did not cause the failure', async () => {
    await world.end(await world.openTask(), { status: 'failed', code: 'PROVIDER_TIMEOUT', isOwn: true });
    await world.end(await world.openTask(), { status: 'failed', code: 'INTERNAL_ERROR' });
    expect(world.asked).toEqual([]);
  });

  test('no circuit when the result is too long and a file of the account may be the cause', async () => {
    const tooLong = { status: 'failed', code: 'PROVIDER_ERROR', isTooLong: true } as const;
    await world.end(await world.openTask({ taskType: 'voice-change' }), tooLong);
    expect(world.asked).toEqual([]);
    const ofRequest = await world.openTask({ taskType: 'video-creative' });
    await world.end(ofRequest, tooLong);
    expect(world.asked).toEqual([['failure', ofRequest]]);
  });

  test('no component when the task had already ended', async () => {
    const task = await world.taskAtWork();
    await world.end(task, completed);
    world.asked.length = 0;
    expect(await world.end(task, failed)).toBe(false);
    expect(world.asked).toEqual([]);
  });

  test('as many of these components as can be reached, and does not fail if none can', async () => {
    const task = await world.taskAtWork();
    const failing = () => Promise.reject(new Error('not reachable'));
    const circuits = { ...closedCircuits, recordFailure: failing };
    expect(await world.end(task, failed, { ...unreachable, circuits })).toBe(true);
    expect(await world.standing(task)).toMatchObject({ task: { status: 'failed' }, account: { openTasks: [] } });
    const reason = 'Error';
    const { taskId } = task;
    expect(world.logger.warnings).toContainEqual({ message: 'task end follow-up failed', taskId, reason });
  });
});

describe('a task that has ended', () => {
  test('does not change again, and is refunded once', async () => {
    const task = await world.openTask();
    expect(await world.end(task, failed)).toBe(true);
    const before = await world.standing(task);
    for (const later of [failed, completed]) expect(await world.end(task, later)).toBe(false);
    expect(await world.standing(task)).toEqual(before);
  });

  test('is not written again when the process that ends it already knows that it has ended', async () => {
    const table = { ...host.table, transact: () => Promise.reject(new Error('there was a write')) };
    for (const status of ['completed', 'failed'] as const) {
      expect(await world.end(aTask({ status }), failed, { table })).toBe(false);
    }
  });
});

test('an account gets the whole refund of a task if the case that claims it is resolved while the task is being ended', async () => {
  const task = await world.openTask();
  const { accountId, taskId, cost } = task;
  const finding = {
    kind: 'used-credits',
    orderId: 'order',
    gateway: 'sandbox',
    paymentId: taskId,
    cents: 500,
  } as const;
  const claimed = { ...finding, caseId: caseIdOf(finding), currency: 'BRL', missingCredits: cost, createdAt: testTime };
  const claims: Clauses = changeClaims([], [{ caseId: claimed.caseId, taskIds: [taskId] }]);
  await host.table.transact([insertCase(claimed), updateAccount(accountId, [claims])]);
  let writes = 0;
  const table: Table = {
    ...host.table,
    async transact(actions) {
      writes += 1;
      // The first write finds the claim, and the second one takes the refund for the case.
      const resolution = { resolution: 'written off', resolvedAt: testTime };
      if (writes === 2) await resolveCase(host.table, claimed.caseId, resolution);
      await host.table.transact(actions);
    },
  };
  expect(await world.end(task, failed, { table })).toBe(true);
  expect(await world.standing(task)).toMatchObject({ account: { balance: 10 + cost }, rows: [{ amount: cost }] });
  expect(writes).toBe(3);
});

describe('ending a task throws and notifies no other component', () => {
  test('when the task does not exist', async () => {
    const account = anAccount();
    await world.store.accounts.insert(account, undefined);
    const unfunded = aTask({ accountId: account.accountId });
    await expect(world.end(unfunded, failed)).rejects.toMatchObject({ name: 'TransactionCanceled' });
    expect(await world.standing(unfunded)).toMatchObject({ account: { balance: account.balance }, rows: [] });
    expect(world.asked).toEqual([]);
  });

  test('when the account does not exist, and the task stays open', async () => {
    const task = aTask();
    await host.table.transact([insertTask(task, testTime)]);
    await expect(world.end(task, failed)).rejects.toMatchObject({ name: 'TransactionCanceled' });
    expect(await world.store.tasks.find(task.taskId)).toStrictEqual(task);
    expect(world.asked).toEqual([]);
  });

  test('when the table does not respond', async () => {
    const failure = new Error('no response');
    const table = { ...host.table, transact: () => Promise.reject(failure) };
    await expect(world.end(await world.openTask(), failed, { table })).rejects.toBe(failure);
    expect(world.asked).toEqual([]);
  });
});

describe('a task that ends is counted once in the metrics', () => {
  const price = { per: 'job', micros: 50_000, charged: ['canceled'] } as const;

  test('with the engine’s charge minus the price of the task’s credits, which counts as zero if the task fails', async () => {
    const losses = async (given: Partial<Task>, how: End) => {
      const task = await world.openTask({ cost: 2, enginePrices: { [mainJob]: price }, ...given });
      const acceptance = { engine: 'offline', reference: task.taskId, completion: 'callback', deadlineAt: 0 } as const;
      await world.store.engineJobs.recordAcceptance(mainJobOf(task), acceptance);
      world.metrics.recorded.length = 0;
      await Promise.all([1, 2].map(() => world.end(task, how)));
      return world.metrics.recorded.filter(([values]) => 'CostAboveSales' in values);
    };
    const operation = 'generateVoice';
    expect(await losses({ creditMicros: 20_000 }, completed)).toEqual([[{ CostAboveSales: 10_000 }, { operation }]]);
    expect(await losses({ creditMicros: 30_000 }, completed)).toEqual([[{ CostAboveSales: -10_000 }, { operation }]]);
    const canceled = { status: 'failed', code: 'CANCELED' } as const;
    expect(await losses({ creditMicros: 20_000 }, canceled)).toEqual([[{ CostAboveSales: 50_000 }, { operation }]]);
    expect(await losses({}, completed)).toEqual([]);
  });

  test('as completed, by its operation', async () => {
    const task = await world.openTask();
    await world.end(task, completed);
    await world.end(task, completed);
    expect(world.metrics.recorded).toEqual([[{ TasksCompleted: 1 }, { operation: 'generateVoice' }]]);
  });

  test('as failed or canceled, by its operation and code, with the refunded credits', async () => {
    const task = await world.openTask({ cost: 7 });
    await world.end(await world.openTask({ cost: 3 }), { status: 'failed', code: 'CANCELED' });
    expect(world.metrics.recorded.splice(0)).toEqual([
      [{ TasksCanceled: 1, CreditsRefunded: 3 }, { operation: 'generateVoice' }],
    ]);
    await world.end(task, failed);
    await world.end(task, completed);
    const dimensions = { operation: 'generateVoice', code: 'PROVIDER_ERROR' };
    expect(world.metrics.recorded).toEqual([[{ TasksFailed: 1, CreditsRefunded: 7 }, dimensions]]);
  });
});
