/** Lists the webhooks of an account's ended tasks, those that failed first, at a cost that its number of tasks does not change. */
import type { WebhookStatus } from '../../contracts/webhook-statuses.ts';
import type { Table } from '../../platform/dynamo-table.ts';
import { deliveryKey, taskIdOf, webhooksInStatus } from '../keys.ts';
import type { Stores } from '../stores.ts';
import type { Task } from '../tasks/task.ts';
import { type DeliveryAttempt, toAttempt } from './delivery-store.ts';
import { attemptsPerSeries } from './webhook.ts';

/** A task's webhook with the attempts of its latest series, as far as they are still stored. */
export interface ListedDelivery {
  readonly task: Task;
  readonly attempts: readonly DeliveryAttempt[];
}

interface DeliveryQuery {
  /** By default those that failed, then those that are pending, then those that were delivered. */
  readonly status?: WebhookStatus | undefined;
  readonly limit: number;
  readonly offset: number;
}

type Needs = Pick<Stores, 'table' | 'tasks'>;

const failingFirst = ['failed', 'pending', 'delivered'] as const satisfies readonly WebhookStatus[];

async function idsInStatus(table: Table, accountId: string, status: WebhookStatus, limit: number): Promise<string[]> {
  const query = {
    IndexName: 'byWebhook',
    KeyConditionExpression: 'byWebhookPk = :list',
    ExpressionAttributeValues: { ':list': webhooksInStatus(accountId, status) },
    ScanIndexForward: false,
  };
  return (await table.list(query, { limit, offset: 0 })).map(taskIdOf);
}

/** Each newest first; a webhook whose status is just changing is listed once at most. */
async function idsOf({ table }: Needs, accountId: string, { status, limit, offset }: DeliveryQuery): Promise<string[]> {
  const wanted = offset + limit;
  const ids = new Set<string>();
  for (const listed of status ? [status] : failingFirst) {
    if (ids.size >= wanted) break;
    for (const id of await idsInStatus(table, accountId, listed, wanted - ids.size)) ids.add(id);
  }
  return [...ids].slice(offset, wanted);
}

const batchSize = 100;

async function attemptsOf({ table }: Needs, tasks: readonly Task[]): Promise<Map<string, DeliveryAttempt[]>> {
  const keys = tasks.flatMap(({ taskId, webhookFrom = 1 }) =>
    Array.from({ length: attemptsPerSeries }, (_, position) => deliveryKey(taskId, webhookFrom + position)),
  );
  const batches = Array.from({ length: Math.ceil(keys.length / batchSize) }, (_, position) =>
    table.getMany(keys.slice(position * batchSize, (position + 1) * batchSize)),
  );
  const items = (await Promise.all(batches)).flat();
  const byTask = Map.groupBy(items, taskIdOf);
  return new Map(
    [...byTask].map(([taskId, found]) => [
      taskId,
      found.map(toAttempt).toSorted((one, other) => one.attempt - other.attempt),
    ]),
  );
}

export async function listDeliveries(needs: Needs, accountId: string, query: DeliveryQuery): Promise<ListedDelivery[]> {
  const ids = await idsOf(needs, accountId, query);
  const found = new Map((await needs.tasks.findMany(ids)).map((task) => [task.taskId, task]));
  const tasks = ids.flatMap((id) => found.get(id) ?? []);
  const attempts = await attemptsOf(needs, tasks);
  // The index may lag behind: what it lists is as it is by now, and what has left the status is left out.
  const isListed = ({ webhookStatus }: Task): boolean => query.status === undefined || webhookStatus === query.status;
  return tasks.filter(isListed).map((task) => ({ task, attempts: attempts.get(task.taskId) ?? [] }));
}
