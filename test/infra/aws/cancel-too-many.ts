/** Cancels a task of an account that has already canceled as many on the day as it can. */
import { expect } from 'vitest';
import { cancelsPerDay } from '../../../shared/contracts/limits.ts';
import { liftLimits } from '../../../shared/domain/accounts/long-results.ts';
import { updateAccount } from '../../../shared/domain/accounts/update-account.ts';
import { midnightBefore } from '../../../shared/platform/clock.ts';
import type { TestAccount, TestResponse, TestService } from '../../support/test-service.ts';

const minuteMs = 60_000;

type Call = (operationId: 'cancelTask' | 'deleteTask', options: object) => Promise<TestResponse>;

/** The rejected calls count the tasks that the account created on the day. */
export async function cancelTooMany(
  { clock, service }: TestService,
  { accountId }: TestAccount,
  call: Call,
  taskId: string,
): Promise<void> {
  const { table } = service.context;
  const at = clock.now();
  const values = { ':cancels': { day: midnightBefore(at + minuteMs), count: cancelsPerDay } };
  await table.transact([updateAccount(accountId, [{ set: ['cancels = :cancels'], values }])]);
  for (const operationId of ['cancelTask', 'deleteTask'] as const) {
    expect((await call(operationId, { params: { taskId } })).status).toBe(429);
  }
  await table.transact([liftLimits(accountId, { at, reason: 'The test caused it.' })]);
  await call('cancelTask', { params: { taskId } });
}
