/** The webhooks of all accounts that failed lately, on the real table. */
import { expect, test } from 'vitest';
import { failedWebhooks } from '../../../shared/domain/webhooks/failed-webhooks.ts';
import { dayMs } from '../../../shared/platform/clock.ts';
import { tableInTests } from '../../support/test-table.ts';
import { failedTasks } from './failed-tasks.ts';

const host = await tableInTests();
const { add, now, store } = failedTasks(host.table);

test('failed webhooks of today and yesterday are found once each, newest first, until they are sent again', async () => {
  const found = async () => (await failedWebhooks(store, now)).map(({ taskId }) => taskId);
  await add(now - 2 * dayMs);
  const [old, twice, newest] = [await add(now - dayMs), await add(now - dayMs, now - 5, now - 1), await add(now)];
  expect(await found()).toEqual([newest, twice, old]);
  await store.tasks.reopenWebhook(newest, 4, now);
  expect(await found()).toEqual([twice, old]);
});
