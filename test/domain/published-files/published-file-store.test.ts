/** What the service remembers about the files that it has published. */
import { expect, test } from 'vitest';
import { expiryAttribute, publishedFileKey } from '../../../shared/domain/keys.ts';
import { rememberPublished } from '../../../shared/domain/published-files/published-file-store.ts';
import type { Task } from '../../../shared/domain/tasks/task.ts';
import { testAccountOf } from '../../../shared/domain/test-account.ts';
import { dayMs, timestamp } from '../../../shared/platform/clock.ts';
import { aTask, tableInTests, testIds, testTime } from '../../support/test-table.ts';

const host = await tableInTests();
const stored = (sha256: string) => host.table.get(publishedFileKey(sha256));

const remember = (digests: readonly string[], { at = testTime, task = aTask() }: { at?: number; task?: Task } = {}) =>
  host.table.transact(
    rememberPublished(
      task,
      digests.map((sha256) => ({ sha256 })),
      { at, keptDays: 730 },
    ),
  );

test('the digests of results are stored once each, without anything that leads to their task or account', async () => {
  const [first, second] = [testIds.next(), testIds.next()];
  await remember([first, second, first]);
  for (const sha256 of [first, second]) {
    expect(await stored(sha256)).toEqual({
      ...publishedFileKey(sha256),
      publishedAt: timestamp(testTime).slice(0, 10),
      medium: 'audio',
      digitalSourceType: 'trainedAlgorithmicMedia',
      [expiryAttribute]: Math.ceil((testTime + 730 * dayMs) / 1000),
    });
  }
});

test('the record of a file that is published again keeps the first day of publication, and expires later', async () => {
  const sha256 = testIds.next();
  await remember([sha256]);
  const first = await stored(sha256);
  await remember([sha256], { at: testTime + 2 * dayMs });
  expect(await stored(sha256)).toEqual({ ...first, [expiryAttribute]: Number(first?.[expiryAttribute]) + 48 * 3600 });
});

test('the digests of test results are not stored, because no engine made the results', () => {
  const task = aTask({ accountId: testAccountOf(testIds.next()) });
  expect(rememberPublished(task, [{ sha256: testIds.next() }], { at: testTime, keptDays: 730 })).toEqual([]);
});
