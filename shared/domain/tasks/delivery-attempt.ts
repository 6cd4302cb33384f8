/** An attempt to deliver a task's webhook, stored beside the task. */
import * as z from 'zod';
import { once } from '../../contracts/once.ts';
import type { Item } from '../../platform/dynamo-table.ts';
import { parseRow } from '../stored-row.ts';

export interface DeliveryAttempt {
  readonly attempt: number;
  /** When the attempt began, and when its worker is presumed dead. */
  readonly at: number;
  readonly leaseUntil: number;
  /** The result of the attempt; absent while it is in progress. */
  readonly result?: DeliveryResult;
}

export const DeliveryResult = once(() =>
  z
    .object({
      delivered: z.boolean(),
      // Some servers answer with a status below 100, which is none.
      statusCode: z
        .int()
        .nullable()
        .transform((code) => (code !== null && code < 100 ? null : code)),
      error: z.string().nullable(),
      durationMs: z.number(),
    })
    .readonly(),
);
export type DeliveryResult = z.output<ReturnType<typeof DeliveryResult>>;

const AttemptRow = once(() =>
  z.object({
    attempt: z.int(),
    worker: z.string(),
    at: z.int(),
    leaseUntil: z.int(),
    outcome: z.exactOptional(DeliveryResult()),
  }),
);

export function toAttempt(item: Item): DeliveryAttempt {
  const { outcome, worker: _worker, ...claim } = parseRow('delivery', AttemptRow(), item);
  return { ...claim, ...(outcome && { result: outcome }) };
}
