/** An account that keeps results and inputs for a time, its files, and sweeps that may die at any write. */
import { expect } from 'vitest';
import { sweepTasks } from '../../../functions/background/sweep-tasks.ts';
import { generationOf } from '../../../shared/contracts/generate.ts';
import { setRetention } from '../../../shared/domain/accounts/account-retention.ts';
import { auditAccount } from '../../../shared/domain/accounts/audit-account.ts';
import { auditFigures } from '../../../shared/domain/accounts/audit-figures.ts';
import { mainJob } from '../../../shared/domain/engine-jobs/engine-job.ts';
import { commitTask } from '../../../shared/domain/generation/commit-task.ts';
import { allOpenShards, allRetainedShards } from '../../../shared/domain/index-keys.ts';
import { taskIdOf, taskKey } from '../../../shared/domain/keys.ts';
import type { Retention } from '../../../shared/domain/retention.ts';
import { stores as storesOf } from '../../../shared/domain/stores.ts';
import { deleteTask } from '../../../shared/domain/task-lifecycle/delete-task.ts';
import { endTask } from '../../../shared/domain/task-lifecycle/end-task.ts';
import { inputsFolder, resultsFolder, type Task } from '../../../shared/domain/tasks/task.ts';
import { evenDeleted } from '../../../shared/domain/tasks/task-store.ts';
import { dayAt } from '../../../shared/platform/clock.ts';
import type { Table } from '../../../shared/platform/dynamo-table.ts';
import { randomIds } from '../../../shared/platform/ids.ts';
import { closedCircuits } from '../../support/closed-circuits.ts';
import { unreachable } from '../../support/end-unnotified.ts';
import { recordedMetrics } from '../../support/recorded-metrics.ts';
import { RecordingLogger } from '../../support/recording-logger.ts';
import { anAccount, aTask, testTime } from '../../support/test-table.ts';

const cost = 3;
const opening = 1000;

/** A part of every text of a request, and of what its engine reported. */
const canary = 'kanarienvogel';

export async function openWorld(table: Table) {
  let now = testTime;
  /** After how many writes a sweep dies. */
  let writesLeft = Number.POSITIVE_INFINITY;
  const clock = { now: () => now };
  const ids = randomIds(clock);
  const written = async <Value>(write: () => Promise<Value>): Promise<Value> => {
    if (writesLeft <= 0) throw new Error('the process has died');
    writesLeft -= 1;
    return write();
  };
  const mortal: Table = {
    ...table,
    put: (input) => written(() => table.put(input)),
    update: (input) => written(() => table.update(input)),
    transact: (actions) => written(() => table.transact(actions)),
  };
  const stores = { ...storesOf(mortal, clock), circuits: closedCircuits };
  const objects = new Set<string>();
  const needs = {
    ...stores,
    ...unreachable,
    queue: { send: async () => undefined },
    clock,
    ids,
    table: mortal,
    logger: new RecordingLogger(),
    metrics: recordedMetrics(),
    objectEraser: {
      erase: (_bucket: string, folder: string) =>
        written(async () => {
          for (const key of objects) if (key.startsWith(folder)) objects.delete(key);
        }),
    },
    work: { read: async () => undefined, abort: async () => undefined, delete: async () => undefined },
  };
  const account = anAccount({ balance: opening });
  const { accountId } = account;
  await stores.accounts.insert(account, { id: ids.next(), accountId, amount: opening, reason: 'bonus', at: now });

  const find = (taskId: string) => stores.tasks.find(taskId, evenDeleted);
  /** An engine's report about the main job of a task. */
  const report = ({ taskId }: Task) =>
    stores.engineJobs.recordOutcome(
      { taskId, name: mainJob },
      { status: 'done', outputs: [{ url: `https://example.com/${canary}`, contentType: 'audio/mpeg' }] },
      now,
      7,
    );
  const found = async (taskId: string) => (await find(taskId)) ?? expect.fail('a task is missing');
  return {
    now: () => now,
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
    keep: (retention: Retention) => table.transact([setRetention(accountId, retention)]),
    async create({ hasWebhook }: { readonly hasWebhook: boolean }): Promise<Task> {
      const task = aTask({
        accountId,
        cost,
        taskId: ids.next(),
        createdAt: now,
        deadlineAt: now + 600_000,
        input: { text: canary, voice: 'sarah', likenessConsent: true },
        derived: { text: canary },
        creditMicros: 1,
        enginePrices: { make: { per: 'job', micros: 5, charged: ['lost'] } },
        clientReference: canary,
        ...(hasWebhook && {
          callbackUrl: `https://example.com/${canary}`,
          webhookStatus: 'pending',
          webhookFrom: 1,
        }),
      });
      const accepted = { taskId: task.taskId, status: 'queued' } as const;
      const made = { task, accepted, idempotency: undefined, requestId: task.taskId };
      expect(await commitTask(needs, generationOf('voice'), made)).toEqual({ status: 'made' });
      objects.add(`${inputsFolder(task.taskId)}0.mp3`);
      const job = { taskId: task.taskId, name: mainJob };
      const acceptance = { engine: 'offline', completion: 'callback', deadlineAt: task.deadlineAt } as const;
      // The first submission is lost, which costs something, too.
      await stores.engineJobs.recordAcceptance(job, { ...acceptance, reference: 'first' });
      await stores.engineJobs.recordLoss(job, 'first');
      await stores.engineJobs.recordAcceptance(job, { ...acceptance, reference: 'second' });
      await report(task);
      return found(task.taskId);
    },
    async end({ taskId }: Task, status: 'completed' | 'failed') {
      const task = await found(taskId);
      const key = `${resultsFolder(task)}1.mp3`;
      const results = [{ key, contentType: 'audio/mpeg', bytes: 1, posterKey: `${key}.jpg`, clip: { title: canary } }];
      if (status === 'failed') await endTask(needs, task, { status, code: 'PROVIDER_ERROR', detail: canary });
      else {
        objects.add(key).add(`${key}.jpg`);
        await endTask(needs, task, { status, results });
      }
    },
    reportLate: report,
    settle: async ({ taskId }: Task) => stores.tasks.settleWebhook(await found(taskId), 'delivered'),
    redeliver: async ({ taskId }: Task) => {
      const { webhookFrom = 1 } = await found(taskId);
      await stores.tasks.reopenWebhook(taskId, webhookFrom + 3, now + 1000);
    },
    delete: async ({ taskId }: Task) => deleteTask(needs, await found(taskId)),
    /** Sweeps; the process dies after some writes, if a number is given. */
    async sweep(writes = Number.POSITIVE_INFINITY) {
      writesLeft = writes;
      const swept = sweepTasks({ everything: false }, needs as unknown as Parameters<typeof sweepTasks>[1]);
      await swept.catch(() => undefined);
      writesLeft = Number.POSITIVE_INFINITY;
    },
    /** What is stored of a task: texts in its rows and in the lists of its reference, and files by their buckets. */
    async stored(task: Task) {
      const query = {
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': taskKey(task.taskId).pk },
        ConsistentRead: true,
      };
      const rows = await Array.fromAsync(table.walk(query));
      const range = { limit: 1000, offset: 0 };
      const listed = await stores.tasks.ids(accountId, { clientReference: canary }, range);
      return {
        hasTexts: JSON.stringify(rows).includes(canary),
        isFoundByText: listed.includes(task.taskId),
        results: [...objects].filter((key) => key.startsWith(resultsFolder(task))).length,
        inputs: [...objects].filter((key) => key.startsWith(inputsFolder(task.taskId))).length,
        task: await find(task.taskId),
      };
    },
    /** The ids of all tasks that a sweep will look at now or later. */
    async indexed(): Promise<ReadonlySet<string>> {
      const idsIn = (shard: string) =>
        Array.fromAsync(
          table.walk({
            IndexName: 'open',
            KeyConditionExpression: 'openPk = :shard',
            ExpressionAttributeValues: { ':shard': shard },
          }),
        );
      return new Set((await Promise.all([...allOpenShards, ...allRetainedShards()].map(idsIn))).flat().map(taskIdOf));
    },
    async audit() {
      const { balance } = (await stores.accounts.find(accountId)) ?? expect.fail('the account is gone');
      const tasks = await stores.tasks.findMany(await stores.tasks.ids(accountId, {}, { limit: 100, offset: 0 }));
      const days = new Set(tasks.flatMap(({ endedAt }) => (endedAt === undefined ? [] : [dayAt(endedAt)])));
      const drifts = [...days].map((day) => auditFigures({ ...stores, clock }, accountId, day));
      const figures = (await Promise.all(drifts)).flat();
      return { spent: opening - balance, ...(await auditAccount({ ...stores, clock }, accountId)), figures };
    },
  };
}

export type World = Awaited<ReturnType<typeof openWorld>>;
