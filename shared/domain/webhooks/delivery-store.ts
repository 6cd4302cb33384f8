/** Stores attempts to deliver webhooks: each is claimed by one worker, and its result is recorded once. */
import * as z from 'zod';

import { dayAt } from '../../platform/clock.ts';
import { ConditionFailed, type Table } from '../../platform/dynamo-table.ts';
import { failedWebhookShardOf, indexes } from '../index-keys.ts';
import { deliveryKey } from '../keys.ts';
import { parseRow } from '../stored-row.ts';
import { type DeliveryAttempt, DeliveryResult, toAttempt } from '../tasks/delivery-attempt.ts';
import { leaseMs } from './webhook.ts';

export interface DeliveryStore {
  /**
   * Claims an attempt for a worker: undefined if the worker now holds the claim, otherwise the earlier claim. A worker
   * recognizes its own claim if the response to its first write was lost.
   */
  claim(taskId: string, attempt: number, claim: { worker: string; now: number }): Promise<DeliveryAttempt | undefined>;
  /**
   * Records a result and returns the first one recorded, which is final. `failedAt` puts the webhook among those of all
   * accounts that failed that day: it is given with the result of a last attempt.
   */
  record(taskId: string, attempt: number, result: DeliveryResult, failedAt?: number): Promise<DeliveryResult>;
}

/** How long delivery attempts are stored: 30 days. */
const keptSeconds = 30 * 24 * 3600;

export function deliveryStore(table: Table): DeliveryStore {
  return {
    async claim(taskId, attempt, { worker, now }) {
      const expiresAt = Math.floor(now / 1000) + keptSeconds;
      try {
        await table.put({
          Item: { ...deliveryKey(taskId, attempt), attempt, worker, at: now, leaseUntil: now + leaseMs, expiresAt },
          ConditionExpression: 'attribute_not_exists(pk)',
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        });
        return undefined;
      } catch (error) {
        if (!(error instanceof ConditionFailed) || !error.item) throw error;
        return error.item.worker === worker ? undefined : toAttempt(error.item);
      }
    },
    async record(taskId, attempt, result, failedAt) {
      const { pk } = indexes.byFailure;
      const listed = failedAt === undefined ? undefined : { ':shard': failedWebhookShardOf(taskId, dayAt(failedAt)) };
      const item = await table.update({
        Key: deliveryKey(taskId, attempt),
        UpdateExpression: `SET outcome = if_not_exists(outcome, :result)${listed ? `, ${pk} = if_not_exists(${pk}, :shard)` : ''}`,
        ExpressionAttributeValues: { ':result': result, ...listed },
        ReturnValues: 'ALL_NEW',
      });
      return parseRow('delivery', z.object({ outcome: DeliveryResult() }), item).outcome;
    },
  };
}
