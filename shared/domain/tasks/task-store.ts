/** Where tasks are kept and found, and the conditional writes that move them while they are open. */
import type { TaskStatus } from '../../contracts/tasks.ts';
import { ConditionFailed, type Item, type Table } from '../../platform/dynamo-table.ts';
import {
  allOpenShards,
  indexes,
  isDelivery,
  openShardOf,
  taskIdOf,
  taskKey,
  tasksByStatus,
  tasksOwner,
} from '../keys.ts';
import { type DeliveryAttempt, toAttempt } from '../webhooks/delivery-store.ts';
import { type Task, type Transition, transitions, type WebhookStatus } from './task.ts';
import { allowedFrom, lookTime, toTask } from './task-item.ts';

interface TaskReads {
  find(taskId: string): Promise<Task | undefined>;
  /** A task with what was tried to deliver its webhook, in one read. */
  findWithDeliveries(taskId: string): Promise<{ task: Task; attempts: DeliveryAttempt[] } | undefined>;
  findMany(taskIds: readonly string[]): Promise<Task[]>;
  /** Ids of an account's tasks, newest first. */
  ids(accountId: string, status: TaskStatus | undefined, range: { limit: number; offset: number }): Promise<string[]>;
  /** Ids of tasks that should be looked at by a moment. */
  dueBy(moment: number): Promise<string[]>;
  /** Ids of tasks that will be looked at next, a few of each part of the index: the overdue ones are among them. */
  nextDue(): Promise<string[]>;
}

interface TaskMoves {
  /** Moves a task on and notes when to look at it again; nothing happens when it is past that already. */
  advance(task: Task, transition: Transition, change: { at: number; lookAt: number }): Promise<void>;
  /** Raises an open task's progress; a lower one changes nothing. */
  raiseProgress(taskId: string, progress: number): Promise<void>;
  /** Notes when to look at a task again, if it has not moved on meanwhile and somebody still has to. */
  lookAgainAt(task: Task, at: number): Promise<void>;
  /** Closes the file on a task's webhook, unless a later series of deliveries has begun. */
  settleWebhook(task: Task, status: Exclude<WebhookStatus, 'pending'>): Promise<void>;
  /** Begins a further series of deliveries with an attempt, once; the sweeper watches over it. */
  reopenWebhook(taskId: string, attempt: number, lookAt: number): Promise<void>;
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
  return item && { task: toTask(item), attempts: rows.filter(isDelivery).map(toAttempt) };
}

const idsQuery = (accountId: string, status: TaskStatus | undefined) => {
  const index = status ? 'byStatus' : 'byOwner';
  return {
    IndexName: index,
    KeyConditionExpression: '#pk = :pk',
    ExpressionAttributeNames: { '#pk': indexes[index].pk },
    ExpressionAttributeValues: { ':pk': status ? tasksByStatus(accountId, status) : tasksOwner(accountId) },
    ScanIndexForward: false,
  };
};

async function dueBy(table: Table, moment: number): Promise<string[]> {
  const dueIn = (shard: string) =>
    table.walk({
      IndexName: 'open',
      KeyConditionExpression: 'openPk = :shard AND openSk <= :moment',
      ExpressionAttributeValues: { ':shard': shard, ':moment': lookTime(moment) },
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
  findMany: async (taskIds) => (await table.getMany([...new Set(taskIds)].map(taskKey))).map(toTask),
  ids: async (accountId, status, range) => (await table.list(idsQuery(accountId, status), range)).map(taskIdOf),
  dueBy: (moment) => dueBy(table, moment),
  nextDue: () => nextDue(table),
});

interface Change {
  readonly set: string;
  readonly condition: string;
  readonly values: Item;
}

/** Changes a task if a condition holds; that it does not is no fault, then there is nothing left to do. */
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
  advance(task, transition, { at, lookAt }) {
    const { condition, values } = allowedFrom(transition);
    const byStatus = tasksByStatus(task.accountId, transition.to);
    return change(table, task.taskId, {
      set: 'SET #status = :to, byStatusPk = :byStatus, startedAt = if_not_exists(startedAt, :at), openSk = :look',
      condition,
      values: { ...values, ':to': transition.to, ':byStatus': byStatus, ':at': at, ':look': lookTime(lookAt) },
    });
  },
  raiseProgress(taskId, progress) {
    const { condition, values } = allowedFrom(transitions.failed);
    return change(table, taskId, {
      set: 'SET progress = :progress',
      condition: `${condition} AND progress < :progress`,
      values: { ...values, ':progress': progress },
    });
  },
  lookAgainAt: ({ taskId, status }, at) =>
    change(table, taskId, {
      set: 'SET openSk = :look',
      condition: 'attribute_exists(openPk) AND #status = :status',
      values: { ':look': lookTime(at), ':status': status },
    }),
  settleWebhook: ({ taskId, webhookFrom }, status) =>
    change(table, taskId, {
      set: 'SET webhookStatus = :to REMOVE openPk, openSk',
      condition: 'webhookFrom = :from',
      values: { ':to': status, ':from': webhookFrom },
    }),
  reopenWebhook: (taskId, attempt, lookAt) =>
    change(table, taskId, {
      set: 'SET webhookStatus = :pending, webhookFrom = :from, openPk = :shard, openSk = :look',
      // Who comes with a series that was begun before must not begin it again: it may be over by now.
      condition: 'webhookFrom < :from',
      values: { ':pending': 'pending', ':from': attempt, ':shard': openShardOf(taskId), ':look': lookTime(lookAt) },
    }),
});

export const taskStore = (table: Table): TaskStore => ({ ...taskReads(table), ...taskMoves(table) });
