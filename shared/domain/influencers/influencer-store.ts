/** Stores influencers; each is inserted by the transaction that completes the task that generated it. */
import type { Action } from '../../platform/dynamo-table.ts';
import { influencerKey } from '../keys.ts';
import type { StoredResult, Task } from '../tasks/task.ts';

/**
 * Inserts an influencer, a fictional person: the request and the portraits. The record is permanent; the portraits are
 * results of the task and expire like other results.
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
