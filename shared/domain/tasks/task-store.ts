/** Stores and finds tasks, and changes open tasks with conditional writes. */
import type { WebhookStatus } from '../../contracts/webhook-statuses.ts';
import { ConditionFailed, type Item, type Table } from '../../platform/dynamo-table.ts';
import {
  allOpenShards,
  checkTime,
  deliveryOrder,
  failureShardsOf,
  indexes,
  openShardOf,
  type TaskList,
  taskList,
} from '../index-keys.ts';
import { deliveryKey, isDelivery, taskIdOf, taskKey } from '../keys.ts';
import { type ListRange, newestFirst } from '../list-page.ts';
import { readable, readableItems } from '../readable-rows.ts';
import { isDeleted, owedAttributes } from './deleted-task.ts';
import { eraseSoon } from './deleted-task-store.ts';
import { type DeliveryAttempt, toAttempt } from './delivery-attempt.ts';
import { type Advance, type Task, transitions } from './task.ts';
import { allowedFrom, inRetainedIndex, toTask } from './task-item.ts';

/** Whether to find the remains of deleted tasks as well, for work that began before the deletion. */
export const evenDeleted = { evenDeleted: true } as const;
type Which = Partial<typeof evenDeleted>;

interface TaskReads {
  /** Finds a task; like all reads, it finds no deleted one unless it is asked to. */
  find(taskId: string, which?: Which): Promise<Task | undefined>;
  /** Finds a task and the delivery attempts of its webhook in one read. */
  findWithDeliveries(taskId: string, which?: Which): Promise<{ task: Task; attempts: DeliveryAttempt[] } | undefined>;
  /** Finds tasks, unordered; missing ones are left out. */
  findMany(taskIds: readonly string[], which?: Which): Promise<Task[]>;
  /** Like `findMany`, but leaves out tasks that cannot be read; for lists. */
  findReadable(taskIds: readonly string[]): Promise<Task[]>;
  /** The ids in one of an account's task lists, newest first. */
  ids(accountId: string, list: TaskList, range: ListRange): Promise<string[]>;
  /** The ids of tasks that are due for a check at a given time. */
  dueBy(moment: number): Promise<string[]>;
  /** The ids of the tasks to be checked next, a few from each shard of the index; overdue tasks are among them. */
  nextDue(): Promise<string[]>;
  /** The ids of tasks of all accounts that failed on a day, newest first; without those of test tokens. */
  failedOn(day: string, page: { limit: number; before?: string | undefined }): Promise<string[]>;
}

interface TaskMoves {
  /** Advances a task and schedules its next check; does nothing if the task has already advanced further. */
  advance(task: Task, transition: Advance, change: { at: number; nextCheckAt: number }): Promise<void>;
  /** Increases an open task's progress; a lower value changes nothing. */
  raiseProgress(taskId: string, progress: number, at: number): Promise<void>;
  /** Schedules the next check of a task, unless it has changed meanwhile or left the index of open tasks. */
  checkAgainAt(task: Task, at: number): Promise<void>;
  /** Records the final status of a task's webhook, unless a later series of attempts has begun. */
  settleWebhook(task: Task, status: Exclude<WebhookStatus, 'pending'>): Promise<void>;
  /** Begins another series of delivery attempts, once, and schedules its next check, unless the task is deleted. */
  reopenWebhook(taskId: string, attempt: number, nextCheckAt: number): Promise<'deleted' | undefined>;
}

export type TaskStore = TaskReads & TaskMoves;

const isFound = (task: Task, which: Which = {}): boolean => which.evenDeleted === true || !isDeleted(task);

async function findWithDeliveries(table: Table, taskId: string, which?: Which) {
  const key = taskKey(taskId);
  const partition = {
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': key.pk },
    ConsistentRead: true,
  };
  const rows = await Array.fromAsync(table.walk(partition));
  const item = rows.find((row) => row.sk === key.sk);
  const task = item && toTask(item);
  if (!task || !isFound(task, which)) return undefined;
  return { task, attempts: readableItems(table, 'delivery', rows.filter(isDelivery), toAttempt) };
}

/** The rows of different tasks. */
const itemsOf = (table: Table, taskIds: readonly string[]): Promise<Item[]> => table.getMany(taskIds.map(taskKey));

function idsQuery(accountId: string, list: TaskList, after: string | undefined) {
  const { index, pk } = taskList(accountId, list);
  const place = after === undefined || index === 'byOwner' ? after : taskKey(after).pk;
  return newestFirst({ index, pk, after: place });
}

async function dueBy(table: Table, moment: number): Promise<string[]> {
  const dueIn = (shard: string) =>
    table.walk({
      IndexName: 'open',
      KeyConditionExpression: 'openPk = :shard AND openSk <= :moment',
      ExpressionAttributeValues: { ':shard': shard, ':moment': checkTime(moment) },
    });
  const keys = await Promise.all(allOpenShards.map((shard) => Array.fromAsync(dueIn(shard))));
  return keys.flat().map(taskIdOf);
}

const nextOfShard = 10;

async function nextDue(table: Table): Promise<string[]> {
  const nextIn = (shard: string) =>
    table.list(
      { IndexName: 'open', KeyConditionExpression: 'openPk = :shard', ExpressionAttributeValues: { ':shard': shard } },
      { limit: nextOfShard, offset: 0 },
    );
  return (await Promise.all(allOpenShards.map(nextIn))).flat().map(taskIdOf);
}

async function failedOn(
  table: Table,
  day: string,
  { limit, before }: { limit: number; before?: string | undefined },
): Promise<string[]> {
  const after = before === undefined ? undefined : taskKey(before).pk;
  // The newest of all shards are among the newest of each.
  const newestIn = (pk: string) => table.list(newestFirst({ index: 'byFailure', pk, after }), { limit, offset: 0 });
  const ids = (await Promise.all(failureShardsOf(day).map(newestIn))).flat().map(taskIdOf);
  return ids.toSorted((one, other) => (one < other ? 1 : -1)).slice(0, limit);
}

const taskReads = (table: Table): TaskReads => ({
  async find(taskId, which) {
    const item = await table.get(taskKey(taskId));
    const task = item && toTask(item);
    return task && isFound(task, which) ? task : undefined;
  },
  findWithDeliveries: (taskId, which) => findWithDeliveries(table, taskId, which),
  findMany: async (taskIds, which) =>
    (await itemsOf(table, taskIds)).map(toTask).filter((task) => isFound(task, which)),
  findReadable: async (taskIds) => {
    const items = await itemsOf(table, taskIds);
    return readable(table, { kind: 'task', idOf: taskIdOf }, items, toTask).filter((task) => isFound(task));
  },
  ids: async (accountId, list, range) =>
    (await table.list(idsQuery(accountId, list, range.after), range)).map(taskIdOf),
  dueBy: (moment) => dueBy(table, moment),
  nextDue: () => nextDue(table),
  failedOn: (day, page) => failedOn(table, day, page),
});

interface Change {
  readonly set: string;
  readonly condition: string;
  readonly values: Item;
}

/**
 * Changes a task if a condition holds; if it does not, the change is no longer needed. Resolves with whether the task
 * turned out to be deleted: the writer may have stored files for it, so these are then erased again.
 */
async function meetsDeletion(table: Table, taskId: string, { set, condition, values }: Change): Promise<boolean> {
  const names = /#status/.test(set + condition) ? { ExpressionAttributeNames: { '#status': 'status' } } : {};
  try {
    await table.update({
      Key: taskKey(taskId),
      UpdateExpression: set,
      ConditionExpression: condition,
      ...names,
      ExpressionAttributeValues: values,
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    return false;
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    if (error.item?.deletion === undefined) return false;
    await eraseSoon(table, taskId);
    return true;
  }
}

const change = async (table: Table, taskId: string, change: Change): Promise<void> =>
  void (await meetsDeletion(table, taskId, change));

/** Takes a task off the failed webhooks of all accounts, in which the last attempt of a series has put it. */
async function takeOffFailedWebhooks(table: Table, taskId: string, lastAttempt: number): Promise<void> {
  const listed = indexes.byFailure.pk;
  await table
    .update({
      Key: deliveryKey(taskId, lastAttempt),
      UpdateExpression: `REMOVE ${listed}`,
      ConditionExpression: `attribute_exists(${listed})`,
    })
    .catch((error: unknown) => {
      if (!(error instanceof ConditionFailed)) throw error;
    });
}

/** In the remains of a deleted task, the content of its webhook is erased after the last attempt. */
async function settleWebhook(table: Table, task: Task, status: WebhookStatus): Promise<void> {
  const { taskId, webhookFrom } = task;
  const values = { ':to': status, ':from': webhookFrom };
  const place = inRetainedIndex(task);
  const isDeleted = await meetsDeletion(table, taskId, {
    set: `SET webhookStatus = :to, byDeliverySk = :order${place ? ', openPk = :shard, openSk = :due' : ' REMOVE openPk, openSk'}`,
    condition: 'webhookFrom = :from AND attribute_not_exists(deletion)',
    values: {
      ...values,
      ':order': deliveryOrder(taskId, status),
      ...(place && { ':shard': place.openPk, ':due': place.openSk }),
    },
  });
  if (!isDeleted) return;
  await change(table, taskId, {
    set: `SET webhookStatus = :to REMOVE ${owedAttributes.join(', ')}`,
    condition: 'webhookFrom = :from AND attribute_exists(deletion)',
    values,
  });
}

const taskMoves = (table: Table): TaskMoves => ({
  advance(task, transition, { at, nextCheckAt }) {
    const { condition, values } = allowedFrom(transition);
    return change(table, task.taskId, {
      set: `SET #status = :to, startedAt = if_not_exists(startedAt, :at), ${transition.to}At = :at, openSk = :check`,
      condition,
      values: { ...values, ':to': transition.to, ':at': at, ':check': checkTime(nextCheckAt) },
    });
  },
  raiseProgress(taskId, progress, at) {
    const { condition, values } = allowedFrom(transitions.failed);
    return change(table, taskId, {
      set: 'SET progress = :progress, progressAt = :at',
      condition: `${condition} AND progress < :progress`,
      values: { ...values, ':progress': progress, ':at': at },
    });
  },
  checkAgainAt: ({ taskId, status }, at) =>
    change(table, taskId, {
      set: 'SET openSk = :check',
      condition: 'attribute_exists(openPk) AND #status = :status',
      values: { ':check': checkTime(at), ':status': status },
    }),
  settleWebhook: (task, status) => settleWebhook(table, task, status),
  async reopenWebhook(taskId, attempt, nextCheckAt) {
    const isDeleted = await meetsDeletion(table, taskId, {
      set: 'SET webhookStatus = :pending, webhookFrom = :from, byDeliverySk = :order, openPk = :shard, openSk = :check',
      // A series of delivery attempts begins only once, since it may already be over.
      condition: 'webhookFrom < :from AND attribute_not_exists(deletion) AND attribute_exists(callbackUrl)',
      values: {
        ':pending': 'pending',
        ':order': deliveryOrder(taskId, 'pending'),
        ':from': attempt,
        ':shard': openShardOf(taskId),
        ':check': checkTime(nextCheckAt),
      },
    });
    if (isDeleted) return 'deleted';
    await takeOffFailedWebhooks(table, taskId, attempt - 1);
    return undefined;
  },
});

export const taskStore = (table: Table): TaskStore => ({ ...taskReads(table), ...taskMoves(table) });
