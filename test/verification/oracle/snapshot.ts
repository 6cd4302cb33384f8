/** All rows of the table at one moment, by kind. */

import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { localAccess } from '../../../infra/local/local-access.ts';
import type { LedgerRow } from '../../../shared/domain/accounts/ledger.ts';
import { EngineJobState, type JobId, mainJob } from '../../../shared/domain/engine-jobs/engine-job.ts';
import { type Counts, sumOf } from '../../../shared/domain/figures/counts.ts';
import { toCounts } from '../../../shared/domain/figures/figures-store.ts';
import { accountOfFigures } from '../../../shared/domain/figures-keys.ts';
import { jobKey, jobNameOf, taskIdOf } from '../../../shared/domain/keys.ts';
import { type DeliveryAttempt, toAttempt } from '../../../shared/domain/tasks/delivery-attempt.ts';
import type { Task } from '../../../shared/domain/tasks/task.ts';
import { toTask } from '../../../shared/domain/tasks/task-item.ts';
import type { Item } from '../../../shared/platform/dynamo-table.ts';

/** A task with the time of its next check, if it has one. */
export interface SeenTask extends Task {
  readonly nextCheckAt?: number;
}

/** An idempotency key with the task that was created with it. */
export interface SeenKey {
  readonly accountId: string;
  readonly taskId: string;
  /** The stored response of an idempotency key. */
  readonly body: string;
}

export interface SeenAccount {
  readonly balance: number;
  readonly openTasks: readonly string[];
  /** When the daily credits of a test account were last topped up. */
  readonly filledAt?: number;
}

export interface Snapshot {
  readonly accounts: ReadonlyMap<string, SeenAccount>;
  readonly ledger: readonly LedgerRow[];
  readonly tasks: ReadonlyMap<string, SeenTask>;
  /** The row of each task's main job. */
  readonly jobs: ReadonlyMap<string, Item>;
  /** All jobs of each task. */
  readonly allJobs: ReadonlyMap<string, readonly (EngineJobState & JobId)[]>;
  /** The sums of the figures of each account, over all days. */
  readonly figures: ReadonlyMap<string, Counts>;
  readonly deliveries: ReadonlyMap<string, readonly DeliveryAttempt[]>;
  readonly keys: readonly SeenKey[];
  /** The digests of the files that the service has published. */
  readonly published: ReadonlySet<string>;
  /** Everything that is stored under each task, as it is stored. */
  readonly rows: ReadonlyMap<string, readonly Item[]>;
}

const idOf = ({ pk }: Item): string => String(pk).split('#')[1] ?? '';

const seenTask = (item: Item): SeenTask => ({
  ...toTask(item),
  ...(item.openPk !== undefined && { nextCheckAt: Number(item.openSk) }),
});

const seenKey = (item: Item): SeenKey => ({
  accountId: idOf(item),
  taskId: (JSON.parse(String(item.body)) as { data: { taskId: string } }).data.taskId,
  body: String(item.body),
});

function snapshotOf(items: readonly Item[]): Snapshot {
  const rows = (kind: string) => items.filter(({ pk }) => String(pk).startsWith(`${kind}#`));
  const taskRows = rows('TASK');
  const jobs = taskRows.filter(({ sk }) => sk === jobKey('', mainJob).sk);
  const deliveries = taskRows.filter(({ sk }) => String(sk).startsWith('DELIVERY#'));
  return {
    accounts: new Map(
      rows('ACCOUNT').map((item) => [
        idOf(item),
        {
          balance: Number(item.balance),
          openTasks: [...((item.openTasks as Set<string> | undefined) ?? [])],
          ...(item.filledAt !== undefined && { filledAt: Number(item.filledAt) }),
        },
      ]),
    ),
    ledger: rows('LEDGER').map(
      ({ pk, sk, ...row }) => ({ ...row, id: sk, accountId: idOf({ pk }) }) as unknown as LedgerRow,
    ),
    tasks: new Map(taskRows.filter(({ sk }) => sk === 'TASK').map((item) => [taskIdOf(item), seenTask(item)])),
    jobs: new Map(jobs.map((item) => [taskIdOf(item), item])),
    allJobs: new Map(
      [
        ...Map.groupBy(
          taskRows.filter(({ sk }) => String(sk).startsWith('JOB#')),
          taskIdOf,
        ),
      ].map(([taskId, some]) => [
        taskId,
        some.map((item) => ({ taskId, name: jobNameOf(item), ...EngineJobState().parse(item) })),
      ]),
    ),
    figures: new Map(
      [...Map.groupBy(rows('FIGURES'), accountOfFigures)].map(([accountId, some]) => [
        accountId,
        sumOf(some.map(toCounts)),
      ]),
    ),
    deliveries: new Map(
      [...Map.groupBy(deliveries, taskIdOf)].map(([taskId, some]) => [
        taskId,
        some.map(toAttempt).toSorted((one, other) => one.attempt - other.attempt),
      ]),
    ),
    keys: rows('IDEMPOTENCY')
      .filter(({ taskId }) => taskId !== undefined)
      .map(seenKey),
    published: new Set(rows('PUBLISHED').map(idOf)),
    rows: Map.groupBy(taskRows, taskIdOf),
  };
}

/** Reads a table directly, bypassing all faults. */
export function snapshotReader(endpoint: string): (tableName: string) => Promise<Snapshot> {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient(localAccess(endpoint)));
  return async (TableName) => {
    const items: Item[] = [];
    let ExclusiveStartKey: Item | undefined;
    do {
      const page = await client.send(new ScanCommand({ TableName, ConsistentRead: true, ExclusiveStartKey }));
      items.push(...(page.Items ?? []));
      ExclusiveStartKey = page.LastEvaluatedKey;
    } while (ExclusiveStartKey);
    return snapshotOf(items);
  };
}
