/** Finds the tasks of which parts are due to be erased, and records what was erased, in the rows of the tasks. */
import { ConditionFailed, type Item, type Table } from '../../platform/dynamo-table.ts';
import { allRetainedShards, checkTime, indexes } from '../index-keys.ts';
import { taskIdOf, taskKey } from '../keys.ts';
import type { ErasedParts } from './retention.ts';
import type { Task } from './task.ts';
import { inRetainedIndex } from './task-item.ts';

export interface RetainedTaskStore {
  /** The ids of tasks that are due by a time, a limited number from each shard of the index. */
  dueBy(moment: number): Promise<string[]>;
  /**
   * Records that parts were erased, removes their texts from the row, and schedules the next part. Does nothing if the
   * task was deleted since it was read, or if its webhook is being sent again.
   */
  record(task: Task, parts: ErasedParts, at: number): Promise<void>;
}

/** How many tasks of a shard a sweep erases, so that many tasks that are due together do not delay the next sweep. */
const dueOfShard = 250;

async function dueBy(table: Table, moment: number): Promise<string[]> {
  const { pk, sk } = indexes.open;
  const dueIn = (shard: string) =>
    table.list(
      {
        IndexName: 'open',
        KeyConditionExpression: `${pk} = :shard AND ${sk} <= :moment`,
        ExpressionAttributeValues: { ':shard': shard, ':moment': checkTime(moment) },
      },
      { limit: dueOfShard, offset: 0 },
    );
  return (await Promise.all(allRetainedShards().map(dueIn))).flat().map(taskIdOf);
}

/** What a task without its inputs no longer has: what its request said, and the entries by which that was found. */
const attributesOfInputs: readonly string[] = [
  'derived',
  'measuredSeconds',
  'promise',
  'callbackUrl',
  'clientReference',
  'errorMessage',
  'errorDetail',
  indexes.byReference.pk,
  indexes.byReferenceAndState.pk,
  indexes.byTypeAndReference.pk,
  indexes.byTypeAndReferenceAndState.pk,
  indexes.byHandle.pk,
  indexes.byHandle.sk,
  indexes.byDelivery.sk,
];

/** The declaration of consent to the use of a likeness is no text, and may have to be shown for as long as the task. */
const inputsKept = ({ likenessConsent }: Task['input']): Task['input'] =>
  likenessConsent === undefined ? {} : { likenessConsent };

function withoutInputs(task: Task, at: number): { readonly set: Item; readonly remove: readonly string[] } {
  const results = task.results?.map(({ clip: _texts, ...result }) => result);
  return {
    set: { input: inputsKept(task.input), inputsErasedAt: at, ...(results && { results }) },
    remove: attributesOfInputs,
  };
}

function changesOf(task: Task, parts: ErasedParts, at: number) {
  const erased = {
    ...task,
    ...(parts.results && { resultsErasedAt: at }),
    ...(parts.inputs && { inputsErasedAt: at }),
  };
  const place = inRetainedIndex(erased);
  const inputs = parts.inputs ? withoutInputs(task, at) : { set: {}, remove: [] };
  return {
    set: { ...inputs.set, ...(parts.results && { resultsErasedAt: at }), ...place },
    remove: [...inputs.remove, ...(place ? [] : [indexes.open.pk, indexes.open.sk])],
  };
}

async function record(table: Table, task: Task, parts: ErasedParts, at: number): Promise<void> {
  const { set, remove } = changesOf(task, parts, at);
  const assignments = Object.keys(set).map((name) => `#${name} = :${name}`);
  const clauses = [
    ...(assignments.length > 0 ? [`SET ${assignments.join(', ')}`] : []),
    ...(remove.length > 0 ? [`REMOVE ${remove.map((name) => `#${name}`).join(', ')}`] : []),
  ];
  try {
    await table.update({
      Key: taskKey(task.taskId),
      UpdateExpression: clauses.join(' '),
      // A task that has ended stays ended. A webhook that is sent again needs what is erased.
      ConditionExpression:
        'attribute_exists(endedAt) AND attribute_not_exists(deletion) AND NOT webhookStatus = :pending',
      ExpressionAttributeNames: Object.fromEntries([...Object.keys(set), ...remove].map((name) => [`#${name}`, name])),
      ExpressionAttributeValues: {
        ':pending': 'pending',
        ...Object.fromEntries(Object.entries(set).map(([name, value]) => [`:${name}`, value])),
      },
    });
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
  }
}

export const retainedTaskStore = (table: Table): RetainedTaskStore => ({
  dueBy: (moment) => dueBy(table, moment),
  record: (task, parts, at) => record(table, task, parts, at),
});
