/** Stores and finds tasks, and changes open tasks with conditional writes. */
import type { WebhookStatus } from '../../contracts/webhook-statuses.ts';
import { ConditionFailed, type Item, type Table } from '../../platform/dynamo-table.ts';
import {
  allOpenShards,
  checkTime,
  deliveryOrder,
  isDelivery,
  openShardOf,
  type TaskList,
  taskIdOf,
  taskKey,
  taskList,
} from '../keys.ts';
import { type ListRange, newestFirst } from '../list-page.ts';
import { readable, readableItems } from '../readable-rows.ts';
import { type DeliveryAttempt, toAttempt } from './delivery-attempt.ts';
import { type Advance, type Task, transitions } from './task.ts';
import { allowedFrom, toTask } from './task-item.ts';

interface TaskReads {
  find(taskId: string): Promise<Task | undefined>;
  /** Finds a task and the delivery attempts of its webhook in one read. */
  findWithDeliveries(taskId: string): Promise<{ task: Task; attempts: DeliveryAttempt[] } | undefined>;
  /** Finds tasks, unordered; missing ones are left out. */
  findMany(taskIds: readonly string[]): Promise<Task[]>;
  /** Like `findMany`, but leaves out tasks that cannot be read; for lists. */
  findReadable(taskIds: readonly string[]): Promise<Task[]>;
  /** The ids in one of an account's task lists, newest first. */
  ids(accountId: string, list: TaskList, range: ListRange): Promise<string[]>;
  /** The ids of tasks that are due for a check at a given time. */
  dueBy(moment: number): Promise<string[]>;
  /** The ids of the tasks to be checked next, a few from each shard of the index; overdue tasks are among them. */
  nextDue(): Promise<string[]>;
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
  /** Begins another series of delivery attempts, once, and schedules its next check. */
  reopenWebhook(taskId: string, attempt: number, nextCheckAt: number): Promise<void>;
}

export type TaskStore = TaskReads & TaskMoves;

async function findWithDeliveries(table: Table, taskId: string) {
  const key = taskKey(taskId);
  const partition = {
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': key.pk },
    ConsistentRead: true,
  };
  const rows = await Array.fromAsync(table.walk(partition));
  const item = rows.find((row) => row.sk === key.sk);
  return item && { task: toTask(item), attempts: readableItems(table, 'delivery', rows.filter(isDelivery), toAttempt) };
}

/** The rows of different tasks. */
const itemsOf = (table: Table, taskIds: readonly string[]): Promise<Item[]> =>
  table.getMany([...new Set(taskIds)].map(taskKey));

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

const taskReads = (table: Table): TaskReads => ({
  async find(taskId) {
    const item = await table.get(taskKey(taskId));
    return item && toTask(item);
  },
  findWithDeliveries: (taskId) => findWithDeliveries(table, taskId),
  findMany: async (taskIds) => (await itemsOf(table, taskIds)).map(toTask),
  findReadable: async (taskIds) =>
    readable(table, { kind: 'task', idOf: taskIdOf }, await itemsOf(table, taskIds), toTask),
  ids: async (accountId, list, range) =>
    (await table.list(idsQuery(accountId, list, range.after), range)).map(taskIdOf),
  dueBy: (moment) => dueBy(table, moment),
  nextDue: () => nextDue(table),
});

interface Change {
  readonly set: string;
  readonly condition: string;
  readonly values: Item;
}

/** Changes a task if a condition holds; otherwise the change is no longer needed. */
async function change(table: Table, taskId: string, { set, condition, values }: Change): Promise<void> {
  const names = /#status/.test(set + condition) ? { ExpressionAttributeNames: { '#status': 'status' } } : {};
  try {
    await table.update({
      Key: taskKey(taskId),
      UpdateExpression: set,
      ConditionExpression: condition,
      ...names,
      ExpressionAttributeValues: values,
    });
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
  }
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
  settleWebhook: ({ taskId, webhookFrom }, status) =>
    change(table, taskId, {
      set: 'SET webhookStatus = :to, byDeliverySk = :order REMOVE openPk, openSk',
      condition: 'webhookFrom = :from',
      values: { ':to': status, ':from': webhookFrom, ':order': deliveryOrder(taskId, status) },
    }),
  reopenWebhook: (taskId, attempt, nextCheckAt) =>
    change(table, taskId, {
      set: 'SET webhookStatus = :pending, webhookFrom = :from, byDeliverySk = :order, openPk = :shard, openSk = :check',
      // A series of delivery attempts begins only once, since it may already be over.
      condition: 'webhookFrom < :from',
      values: {
        ':pending': 'pending',
        ':order': deliveryOrder(taskId, 'pending'),
        ':from': attempt,
        ':shard': openShardOf(taskId),
        ':check': checkTime(nextCheckAt),
      },
    }),
});

export const taskStore = (table: Table): TaskStore => ({ ...taskReads(table), ...taskMoves(table) });
