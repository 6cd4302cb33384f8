/** Stores what remains of deleted tasks, in the rows of the tasks. */
import { ConditionFailed, type Table } from '../../platform/dynamo-table.ts';
import { checkTime, indexes, openShardOf } from '../index-keys.ts';
import { expiryAttribute, taskKey } from '../keys.ts';
import { type DeletedTask, nextErasureAt, remainsKeptSeconds } from './deleted-task.ts';
import { deliveryCheckMs, type Task } from './task.ts';
import { inOpenIndex, storedTask } from './task-item.ts';

export interface DeletedTaskStore {
  /**
   * Replaces an ended task by its remains, so that no operation finds it, and schedules checks until its erasure is
   * complete. False if the task has changed since it was read.
   */
  replace(task: Task, remains: DeletedTask): Promise<boolean>;
  /** Records that everything was erased, and schedules the next erasure, unless a late write was found meanwhile. */
  recordErasure(task: DeletedTask, at: number): Promise<void>;
  /** Makes the next sweep erase what a late writer has stored for a task; does nothing if the task is not deleted. */
  eraseSoon(taskId: string): Promise<void>;
}

/** Waits for a write; false if its condition failed. */
async function holds(write: Promise<unknown>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
}

/**
 * The condition that since the task was read, the state of the task and of its webhook has not changed, and its cost
 * has not been raised.
 */
function unchanged({ engineCost = 0, status, webhookFrom, webhookStatus }: Task) {
  const ofWebhook =
    webhookFrom === undefined
      ? 'attribute_not_exists(webhookFrom)'
      : 'webhookFrom = :from AND webhookStatus = :webhook';
  return {
    ConditionExpression: `#status = :status AND attribute_not_exists(deletion) AND NOT engineCost > :cost AND ${ofWebhook}`,
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: {
      ':status': status,
      ':cost': engineCost,
      ...(webhookFrom !== undefined && { ':from': webhookFrom, ':webhook': webhookStatus }),
    },
  };
}

/**
 * Makes the next sweep check a deleted task, because a writer that did not know of the deletion may have stored
 * something.
 */
export async function eraseSoon(table: Table, taskId: string): Promise<void> {
  await holds(
    table.update({
      Key: taskKey(taskId),
      UpdateExpression: 'SET openPk = :shard, openSk = :now, deletion.lateWrites = deletion.lateWrites + :one',
      ConditionExpression: 'attribute_exists(deletion)',
      ExpressionAttributeValues: { ':shard': openShardOf(taskId), ':now': checkTime(0), ':one': 1 },
    }),
  );
}

async function recordErasure(table: Table, task: DeletedTask, at: number): Promise<void> {
  const nextCheckAt = nextErasureAt(task, at);
  const { pk, sk } = indexes.open;
  const [change, value] =
    nextCheckAt === undefined
      ? [`, ${expiryAttribute} = :value REMOVE ${pk}, ${sk}`, Math.floor(at / 1000) + remainsKeptSeconds]
      : [`, ${sk} = :value`, checkTime(nextCheckAt)];
  await holds(
    table.update({
      Key: taskKey(task.taskId),
      UpdateExpression: `SET deletion.erasedAt = if_not_exists(deletion.erasedAt, :at)${change}`,
      ConditionExpression: 'deletion.lateWrites = :seen',
      ExpressionAttributeValues: { ':at': at, ':seen': task.deletion.lateWrites, ':value': value },
    }),
  );
}

export const deletedTaskStore = (table: Table): DeletedTaskStore => ({
  replace: (task, remains) =>
    holds(
      table.put({
        Item: { ...storedTask(remains), ...inOpenIndex(task.taskId, remains.deletion.at + deliveryCheckMs) },
        ...unchanged(task),
      }),
    ),
  recordErasure: (task, at) => recordErasure(table, task, at),
  eraseSoon: (taskId) => eraseSoon(table, taskId),
});
