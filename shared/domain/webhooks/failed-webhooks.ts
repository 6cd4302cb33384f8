/** Finds the webhooks of all accounts that failed lately, without those of test tokens. */
import { dayAt, dayMs } from '../../platform/clock.ts';
import type { Table } from '../../platform/dynamo-table.ts';
import { failedWebhookShardsOf } from '../index-keys.ts';
import { taskIdOf } from '../keys.ts';
import { newestFirst } from '../list-page.ts';
import type { Stores } from '../stores.ts';
import type { Task } from '../tasks/task.ts';

type Needs = Pick<Stores, 'table' | 'tasks'>;

const newestOfShard = 12;

/** The ids of the newest tasks whose webhooks failed on a day, in each shard. */
async function failedOn(table: Table, day: string): Promise<string[]> {
  const newestIn = (pk: string) =>
    table.list(newestFirst({ index: 'byFailure', pk }), { limit: newestOfShard, offset: 0 });
  return (await Promise.all(failedWebhookShardsOf(day).map(newestIn))).flat().map(taskIdOf);
}

/**
 * The tasks whose webhooks failed today or yesterday (UTC) and were not sent again, newest first, at most 192. Tasks
 * that were deleted in the meantime are left out.
 */
export async function failedWebhooks({ table, tasks }: Needs, now: number): Promise<Task[]> {
  const days = [dayAt(now), dayAt(now - dayMs)];
  const ids = (await Promise.all(days.map((day) => failedOn(table, day)))).flat();
  const found = await tasks.findReadable([...new Set(ids)]);
  return found
    .filter(({ webhookStatus }) => webhookStatus === 'failed')
    .toSorted((one, other) => (one.taskId < other.taskId ? 1 : -1));
}
