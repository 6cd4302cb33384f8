import { debitAccount } from '../../../shared/domain/accounts/account-store.ts';
import { mainJob } from '../../../shared/domain/engine-jobs/engine-job.ts';
import { stores } from '../../../shared/domain/stores.ts';
import { type End, type EndTaskNeeds, endTask } from '../../../shared/domain/task-lifecycle/end-task.ts';
import type { Task } from '../../../shared/domain/tasks/task.ts';
import { insertTask } from '../../../shared/domain/tasks/task-item.ts';
import type { Engine } from '../../../shared/engines/engine.ts';
import type { Table } from '../../../shared/platform/dynamo-table.ts';
import { closedCircuits } from '../../support/closed-circuits.ts';
import { unreachable } from '../../support/end-unnotified.ts';
import { recordedMetrics } from '../../support/recorded-metrics.ts';
import { RecordingLogger } from '../../support/recording-logger.ts';
import { anAccount, aTask, testIds, testTime } from '../../support/test-table.ts';

const clock = { now: () => testTime };

export const completed = {
  status: 'completed',
  results: [{ key: 'results/1.mp3', contentType: 'audio/mpeg', bytes: 5 }],
} as const satisfies End;
export const failed = { status: 'failed', code: 'PROVIDER_ERROR' } as const satisfies End;

export const webhook = {
  callbackUrl: 'https://example.com/hook',
  webhookStatus: 'pending',
  webhookFrom: 1,
} as const satisfies Partial<Task>;

export const mainJobOf = ({ taskId }: Task) => ({ taskId, name: mainJob });

export function endTaskWorld({ table }: { readonly table: Table }) {
  const store = { ...stores(table, clock), circuits: closedCircuits };
  const metrics = recordedMetrics();
  const logger = new RecordingLogger();
  /** The calls of the ports, in order. */
  const asked: unknown[] = [];
  const recording =
    <Result>(name: string, result: Result) =>
    async (...given: unknown[]): Promise<Result> => {
      asked.push([name, ...given]);
      return result;
    };

  const recordedPorts = (): Pick<EndTaskNeeds, 'circuits' | 'engines' | 'queue' | 'settings' | 'workflow'> => ({
    ...unreachable,
    circuits: {
      ...closedCircuits,
      recordFailure: recording('failure', false),
      recordSuccess: recording('success', undefined),
      recordDuration: recording('duration', undefined),
    },
    engines: { named: () => ({ cancel: recording('cancel', undefined) }) as Partial<Engine> as Engine },
    queue: { send: recording('webhook', undefined) },
    workflow: { ...unreachable.workflow, succeed: recording('wake', true) },
  });

  const end = (task: Task, how: End, given: Partial<EndTaskNeeds> = {}) =>
    endTask({ ...store, clock, ids: testIds, logger, metrics, ...recordedPorts(), ...given }, task, how);

  /** A new task, which is debited and occupies a slot. */
  async function openTask(given: Partial<Task> = {}): Promise<Task> {
    const task = aTask(given);
    await store.accounts.insert(anAccount({ accountId: task.accountId, balance: 10 + task.cost }), undefined);
    await table.transact([debitAccount(task), insertTask(task, testTime)]);
    return task;
  }

  /** A task that an engine is processing, with a waiting execution and a webhook to deliver. */
  async function taskAtWork(): Promise<Task> {
    const task = await openTask(webhook);
    await store.engineJobs.recordToken(mainJobOf(task), 'a token', testTime);
    await store.engineJobs.recordAcceptance(mainJobOf(task), {
      engine: 'offline',
      reference: 'job',
      completion: 'callback',
      deadlineAt: task.deadlineAt,
    });
    return task;
  }

  const standing = async ({ taskId, accountId }: Task) => ({
    task: await store.tasks.find(taskId),
    account: await store.accounts.find(accountId),
    rows: await store.ledger.list(accountId, { limit: 10, offset: 0 }),
  });

  return { asked, end, logger, metrics, openTask, standing, store, taskAtWork };
}
