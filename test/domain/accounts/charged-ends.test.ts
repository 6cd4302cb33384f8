/** Which failures of a task whose engine charged for it count for its account. */
import { expect, test } from 'vitest';
import type { End } from '../../../shared/domain/task-lifecycle/end-task.ts';
import { tableInTests } from '../../support/test-table.ts';
import { endTaskWorld, mainJobOf } from '../task-lifecycle/end-task-world.ts';

const host = await tableInTests();
const world = endTaskWorld(host);

const imageUrl = 'https://shop.example.com/a.png';
const words = { taskType: 'image', input: { prompt: 'uma caneca' } } as const;
const picture = { taskType: 'image-edit', input: { prompt: 'azul', imageUrl } } as const;
const sound = { taskType: 'voice-change', input: { audioUrl: imageUrl } } as const;

type Failure = Omit<Extract<End, { status: 'failed' }>, 'status'>;

test.each<[made: typeof words | typeof picture | typeof sound, how: Failure, isCounted: boolean]>([
  [words, { code: 'CONTENT_REJECTED' }, true],
  [words, { code: 'PROVIDER_ERROR', isUnusable: true }, true],
  [words, { code: 'PROVIDER_ERROR', isTooLong: true }, true],
  [picture, { code: 'PROVIDER_ERROR' }, false],
  [sound, { code: 'PROVIDER_ERROR' }, true],
  [words, { code: 'INTERNAL_ERROR' }, false],
  [picture, { code: 'INTERNAL_ERROR' }, true],
  [picture, { code: 'INTERNAL_ERROR', endedBy: 'operator' }, false],
  [sound, { code: 'PROVIDER_TIMEOUT', isOwn: true }, false],
])('whether a charged task of %j that ends with %j counts against its account: %s', async (made, how, isCounted) => {
  const task = await world.openTask({ ...made, enginePrices: { make: { per: 'job', micros: 5, charged: [] } } });
  await world.store.engineJobs.recordOutcome(mainJobOf(task), { status: 'done', outputs: [] }, 0, 5);
  await world.end(task, { status: 'failed', ...how });
  const { account } = await world.standing(task);
  expect(account?.chargedFailures?.count ?? 0).toBe(Number(isCounted));
});
