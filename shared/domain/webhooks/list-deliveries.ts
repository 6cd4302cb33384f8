/**
 * Lists the webhooks of an account's ended tasks, failed ones first, at a cost that does not depend on the number of
 * tasks.
 */

import { attemptsPerSeries, listedSeries } from '../../contracts/limits.ts';
import type { Table } from '../../platform/dynamo-table.ts';
import { failedDeliveryPrefix, indexes, tasksOwner } from '../index-keys.ts';
import { deliveryKey, taskIdOf } from '../keys.ts';
import { readableItems } from '../readable-rows.ts';
import type { Stores } from '../stores.ts';
import { type DeliveryAttempt, toAttempt } from '../tasks/delivery-attempt.ts';
import type { Task } from '../tasks/task.ts';

/** A task's webhook, with the attempts of its latest series that are still stored: a list has no room for all of them. */
export interface ListedDelivery {
  readonly task: Task;
  readonly attempts: readonly DeliveryAttempt[];
}

interface DeliveryQuery {
  /** Whether to list failed webhooks only; by default, failed ones come first, then all others. */
  readonly status?: 'failed' | undefined;
  readonly limit: number;
  readonly offset: number;
}

type Needs = Pick<Stores, 'table' | 'tasks'>;

/** The ids of tasks, newest first within each status. */
async function idsOf(table: Table, accountId: string, { status, ...range }: DeliveryQuery): Promise<string[]> {
  const { pk, sk } = indexes.byDelivery;
  const query = {
    IndexName: 'byDelivery',
    KeyConditionExpression: `${pk} = :tasks${status === undefined ? '' : ` AND begins_with(${sk}, :failed)`}`,
    ExpressionAttributeValues: {
      ':tasks': tasksOwner(accountId),
      ...(status !== undefined && { ':failed': failedDeliveryPrefix }),
    },
    ScanIndexForward: false,
  };
  return (await table.list(query, range)).map(taskIdOf);
}

async function attemptsOf({ table }: Needs, tasks: readonly Task[]): Promise<Map<string, DeliveryAttempt[]>> {
  const keys = tasks.flatMap(({ taskId, webhookFrom = 1 }) => {
    const first = Math.max(1, webhookFrom - attemptsPerSeries * (listedSeries - 1));
    const count = webhookFrom + attemptsPerSeries - first;
    return Array.from({ length: count }, (_, position) => deliveryKey(taskId, first + position));
  });
  const byTask = Map.groupBy(await table.getMany(keys), taskIdOf);
  return new Map(
    [...byTask].map(([taskId, found]) => [
      taskId,
      readableItems(table, 'delivery', found, toAttempt).toSorted((one, other) => one.attempt - other.attempt),
    ]),
  );
}

export async function listDeliveries(needs: Needs, accountId: string, query: DeliveryQuery): Promise<ListedDelivery[]> {
  const ids = await idsOf(needs.table, accountId, query);
  const found = new Map((await needs.tasks.findReadable(ids)).map((task) => [task.taskId, task]));
  // The index may still have a task whose webhook was erased with its inputs.
  const tasks = ids.flatMap((id) => found.get(id) ?? []).filter(({ callbackUrl }) => callbackUrl !== undefined);
  const attempts = await attemptsOf(needs, tasks);
  // Webhooks are filtered again by their current status, because the index may lag.
  const isListed = ({ webhookStatus }: Task): boolean => query.status === undefined || webhookStatus === query.status;
  return tasks.filter(isListed).map((task) => ({ task, attempts: attempts.get(task.taskId) ?? [] }));
}
