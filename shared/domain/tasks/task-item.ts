/** The stored form of a task, and the writes by which transactions create and end tasks. */
import * as z from 'zod';
import { EnginePrice } from '../../catalog/engine-price.ts';
import { taskErrorCodes } from '../../contracts/errors.ts';
import { once } from '../../contracts/once.ts';
import { Provenance } from '../../contracts/provenance.ts';
import { type TaskStatus, taskStatuses } from '../../contracts/task-statuses.ts';
import { isTaskType, type TaskType } from '../../contracts/task-types.ts';
import { webhookStatuses } from '../../contracts/webhook-statuses.ts';
import { ClipFacts } from '../../contracts/workflow.ts';
import { dayAt } from '../../platform/clock.ts';
import type { Action, Item } from '../../platform/dynamo-table.ts';
import { findableTaskBy } from '../handle-keys.ts';
import {
  checkTime,
  deliveryOrder,
  failureShardOf,
  indexes,
  inTaskLists,
  openShardOf,
  retainedShardOf,
  type TaskList,
} from '../index-keys.ts';
import { taskIdOf, taskKey } from '../keys.ts';
import { RetentionRow } from '../retention.ts';
import { parseRow } from '../stored-row.ts';
import { isTestAccount } from '../test-account.ts';
import { DurationEstimate } from './duration-estimate.ts';
import { nextPartDueAt } from './retention.ts';
import type { Task, Transition } from './task.ts';
import { VideoPromise } from './video-promise.ts';

export const inOpenIndex = (taskId: string, nextCheckAt: number): Item => ({
  [indexes.open.pk]: openShardOf(taskId),
  [indexes.open.sk]: checkTime(nextCheckAt),
});

/** The place in the index of an ended task that nothing is to be done for, except that parts of it are erased later. */
export function inRetainedIndex(task: Task): Item | undefined {
  const dueAt = nextPartDueAt(task);
  if (dueAt === undefined) return undefined;
  return { [indexes.open.pk]: retainedShardOf(task.taskId), [indexes.open.sk]: checkTime(dueAt) };
}

/**
 * The condition that a task is in a state from which the transition is allowed; it uses the attribute name `#status`.
 */
export const allowedFrom = (transition: Transition) => {
  const names = transition.from.map((_, position) => `:from${position}`);
  return {
    condition: `attribute_exists(pk) AND #status IN (${names.join(', ')})`,
    values: Object.fromEntries(transition.from.map((status, position) => [`:from${position}`, status])),
  };
};

export const storedTask = ({ taskId, ...task }: Task): Item => ({ ...taskKey(taskId), ...task });

/** The task lists that contain the task: by its type, by its reference, by both, and by neither. */
function listsOf({ taskType, clientReference }: Task): TaskList[] {
  const lists: TaskList[] = [{}, { taskType }];
  return clientReference === undefined ? lists : [...lists, { clientReference }, { taskType, clientReference }];
}

/** The attributes by which operators find a task without knowing its account. */
export const taskHandles = ({ taskId, clientReference }: Task, requestId?: string): Item => ({
  ...(clientReference !== undefined && findableTaskBy('byHandle', clientReference, taskId)),
  ...(requestId !== undefined && findableTaskBy('byAlias', requestId, taskId)),
});

export const insertTask = (task: Task, nextCheckAt: number, requestId?: string): Action => ({
  Put: {
    Item: {
      ...storedTask(task),
      ...taskHandles(task, requestId),
      ...inTaskLists(task.accountId, [...listsOf(task), { state: 'open' }]),
      [indexes.byOwner.sk]: task.taskId,
      ...inOpenIndex(task.taskId, nextCheckAt),
    },
    ConditionExpression: 'attribute_not_exists(pk)',
  },
});

export type Ending = Pick<Task, 'canceledBy' | 'endedBy' | 'engineCost' | 'errorCode' | 'errorMessage' | 'results'> & {
  readonly endedAt: number;
};

const endingChanges = (task: Task, { to }: Transition, ending: Ending, nextCheckAt: number): [string, unknown][] =>
  Object.entries({
    ...ending,
    ...(to === 'completed' && { progress: 100 }),
    ...inTaskLists(
      task.accountId,
      listsOf(task).map((list) => ({ ...list, state: to === 'completed' ? to : 'failed' })),
    ),
    // Failures of test tasks say nothing about the service.
    ...(to === 'failed' &&
      !isTestAccount(task.accountId) && {
        [indexes.byFailure.pk]: failureShardOf(task.taskId, dayAt(ending.endedAt)),
      }),
    ...(task.callbackUrl
      ? {
          ...inOpenIndex(task.taskId, nextCheckAt),
          [indexes.byDelivery.sk]: deliveryOrder(task.taskId, 'pending'),
        }
      : inRetainedIndex(task)),
  });

/**
 * Ends a task, once. If it has a webhook, it stays in the index of open tasks until delivery has succeeded or been
 * abandoned; if parts of it are erased later, it is then listed by the time of that.
 */
export function closeTask(task: Task, transition: Transition, ending: Ending, nextCheckAt: number): Action {
  const allowed = allowedFrom(transition);
  const changes = endingChanges(task, transition, ending, nextCheckAt);
  const assignments = ['#status = :to', ...changes.map(([name]) => `${name} = :${name}`)];
  const staysIndexed = task.callbackUrl || inRetainedIndex(task);
  const removal = staysIndexed ? '' : ` REMOVE ${indexes.open.pk}, ${indexes.open.sk}`;
  return {
    Update: {
      Key: taskKey(task.taskId),
      UpdateExpression: `SET ${assignments.join(', ')}${removal}`,
      ConditionExpression: allowed.condition,
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: {
        ':to': transition.to,
        ...Object.fromEntries(changes.map(([name, value]) => [`:${name}`, value])),
        ...allowed.values,
      },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    },
  };
}

/** The status in a task's row, whatever else is in the row. */
export const statusIn = ({ status }: Item): TaskStatus => z.enum(taskStatuses).parse(status);

const Deletion = once(() => z.object({ at: z.int(), erasedAt: z.exactOptional(z.int()), lateWrites: z.int() }));

const taskType = z.custom<TaskType>((value) => typeof value === 'string' && isTaskType(value));

const StoredResult = once(() =>
  z.object({
    key: z.string(),
    contentType: z.string(),
    bytes: z.int(),
    sha256: z.exactOptional(z.string()),
    width: z.exactOptional(z.int()),
    height: z.exactOptional(z.int()),
    durationSec: z.exactOptional(z.number()),
    posterKey: z.exactOptional(z.string()),
    clip: z.exactOptional(ClipFacts()),
    provenance: z.exactOptional(Provenance()),
  }),
);

/** All attributes of a task except its id, which is its key. */
const TaskRow = once(() =>
  z.object({
    accountId: z.string(),
    tokenId: z.exactOptional(z.string()),
    taskType,
    status: z.enum(taskStatuses),
    progress: z.number(),
    progressAt: z.exactOptional(z.int()),
    cost: z.int(),
    input: z.record(z.string(), z.unknown()),
    engine: z.string(),
    route: z.string(),
    derived: z.exactOptional(z.record(z.string(), z.unknown())),
    // Only operators see what engines charge, so a task stays readable if this cannot be read.
    creditMicros: z.exactOptional(z.int().catch(0)),
    enginePrices: z.exactOptional(z.record(z.string(), EnginePrice()).catch({})),
    engineCost: z.exactOptional(z.int().catch(0)),
    measuredSeconds: z.exactOptional(z.record(z.string(), z.number())),
    promise: z.exactOptional(VideoPromise()),
    estimate: z.exactOptional(DurationEstimate()),
    cappedMonth: z.exactOptional(z.string()),
    createdAt: z.int(),
    deadlineAt: z.int(),
    startedAt: z.exactOptional(z.int()),
    submittedAt: z.exactOptional(z.int()),
    processingAt: z.exactOptional(z.int()),
    endedAt: z.exactOptional(z.int()),
    endedBy: z.exactOptional(z.literal('operator')),
    canceledBy: z.exactOptional(z.string()),
    errorCode: z.exactOptional(z.enum(taskErrorCodes)),
    errorMessage: z.exactOptional(z.string()),
    errorDetail: z.exactOptional(z.string()),
    results: z.exactOptional(z.array(StoredResult())),
    resultsSecret: z.string(),
    callbackUrl: z.exactOptional(z.string()),
    webhookStatus: z.exactOptional(z.enum(webhookStatuses)),
    webhookFrom: z.exactOptional(z.int()),
    clientReference: z.exactOptional(z.string()),
    retention: z.exactOptional(RetentionRow()),
    resultsErasedAt: z.exactOptional(z.int()),
    inputsErasedAt: z.exactOptional(z.int()),
    influencerId: z.exactOptional(z.string()),
    deletion: z.exactOptional(Deletion()),
  } satisfies Record<Exclude<keyof Task, 'taskId'>, z.ZodType>),
);

export const toTask = (item: Item): Task => ({ taskId: taskIdOf(item), ...parseRow('task', TaskRow(), item) });
