/** What remains of a deleted task for its webhook. */
import { expect, test } from 'vitest';
import { remainsOf } from '../../../shared/domain/tasks/deleted-task.ts';
import { testAccountOf } from '../../../shared/domain/test-account.ts';
import { aTask, testIds, testTime } from '../../support/test-table.ts';

const ended = (accountId: string) =>
  aTask({
    accountId,
    status: 'completed',
    input: { text: '[test:webhook_refused]', voice: 'sarah' },
    callbackUrl: 'https://example.com/hook',
    webhookStatus: 'pending',
    webhookFrom: 1,
  });

test('a deleted task keeps the address of a webhook that is still owed, unless its test case refuses the webhook', () => {
  const accountId = testIds.next();
  expect(remainsOf(ended(accountId), testTime)).toMatchObject({
    callbackUrl: 'https://example.com/hook',
    webhookStatus: 'pending',
    input: {},
  });
  const refused = remainsOf(ended(testAccountOf(accountId)), testTime);
  expect(refused).toMatchObject({ webhookStatus: 'failed', input: {} });
  expect(refused).not.toHaveProperty('callbackUrl');
});
