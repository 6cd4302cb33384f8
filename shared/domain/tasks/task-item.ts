/** A task as it is stored, and the writes with which transactions create and end one. */
import type { Action, Item } from '../../platform/dynamo-table.ts';
import { indexes, inTaskLists, openShardOf, type TaskList, taskIdOf, taskKey } from '../keys.ts';
import type { Task, Transition } from './task.ts';

/** The `open` index sorts by text: milliseconds have 13 digits until the year 2286. */
export const checkTime = (at: number): string => String(at).padStart(13, '0');

const inOpenIndex = (taskId: string, nextCheckAt: number): Item => ({
  [indexes.open.pk]: openShardOf(taskId),
  [indexes.open.sk]: checkTime(nextCheckAt),
});

/** The condition that a task is in one of the states that a transition may leave; it names `#status`. */
export const allowedFrom = (transition: Transition) => {
  const names = transition.from.map((_, position) => `:from${position}`);
  return {
    condition: `attribute_exists(pk) AND #status IN (${names.join(', ')})`,
    values: Object.fromEntries(transition.from.map((status, position) => [`:from${position}`, status])),
  };
};

const stored = ({ taskId, ...task }: Task): Item => ({ ...taskKey(taskId), ...task });

/** The lists narrowed by a task's type, by its reference, by both, and by neither. */
function listsOf({ taskType, clientReference }: Task): TaskList[] {
  const lists: TaskList[] = [{}, { taskType }];
  return clientReference === undefined ? lists : [...lists, { clientReference }, { taskType, clientReference }];
}

export const insertTask = (task: Task, nextCheckAt: number): Action => ({
  Put: {
    Item: {
      ...stored(task),
      ...inTaskLists(task.accountId, [...listsOf(task), { state: 'open' }]),
      [indexes.byOwner.sk]: task.taskId,
      ...inOpenIndex(task.taskId, nextCheckAt),
    },
    ConditionExpression: 'attribute_not_exists(pk)',
  },
});

export type Ending = Pick<Task, 'errorCode' | 'errorDetail' | 'results'> & { readonly endedAt: number };

const endingChanges = (task: Task, { to }: Transition, ending: Ending, nextCheckAt: number): [string, unknown][] =>
  Object.entries({
    ...ending,
    ...(to === 'completed' && { progress: 100 }),
    ...inTaskLists(
      task.accountId,
      listsOf(task).map((list) => ({ ...list, state: to === 'completed' ? to : 'failed' })),
    ),
    ...(task.callbackUrl && inOpenIndex(task.taskId, nextCheckAt)),
  });

/** Makes a task terminal, once. With a webhook to deliver it stays in the open index until the delivery is settled. */
export function closeTask(task: Task, transition: Transition, ending: Ending, nextCheckAt: number): Action {
  const allowed = allowedFrom(transition);
  const changes = endingChanges(task, transition, ending, nextCheckAt);
  const assignments = ['#status = :to', ...changes.map(([name]) => `${name} = :${name}`)];
  const removal = task.callbackUrl ? '' : ` REMOVE ${indexes.open.pk}, ${indexes.open.sk}`;
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

const keyAttributes = new Set<string>(['pk', 'sk', ...Object.values(indexes).flatMap(({ pk, sk }) => [pk, sk])]);

export const toTask = (item: Item): Task =>
  ({
    taskId: taskIdOf(item),
    ...Object.fromEntries(Object.entries(item).filter(([name]) => !keyAttributes.has(name))),
  }) as unknown as Task;
