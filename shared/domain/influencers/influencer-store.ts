/** Stores influencers: each is written by the transaction that completes the task that generated it. */
import type { Action } from '../../platform/dynamo-table.ts';
import { influencerKey } from '../keys.ts';
import type { StoredResult, Task } from '../tasks/task.ts';

/**
 * A person who was made up: what was asked for, and where the portraits are. This record stays; the portraits are
 * results of the task, and expire with the others in their bucket.
 */
export function insertInfluencer(
  { accountId, taskId, input }: Task,
  influencerId: string,
  results: readonly StoredResult[],
  createdAt: number,
): Action {
  const { name, description, gender, ageRange } = input;
  return {
    Put: {
      Item: {
        ...influencerKey(accountId, influencerId),
        name,
        description,
        gender,
        ...(ageRange !== undefined && { ageRange }),
        portraits: results.map(({ key }) => key),
        taskId,
        createdAt,
      },
      ConditionExpression: 'attribute_not_exists(pk)',
    },
  };
}
