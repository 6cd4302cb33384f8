/** Ends a task of an account that has already had as many charged failures on the day as it may. */
import { chargedFailuresPerDay } from '../../../shared/contracts/limits.ts';
import { liftLimits } from '../../../shared/domain/accounts/long-results.ts';
import { updateAccount } from '../../../shared/domain/accounts/update-account.ts';
import { midnightBefore } from '../../../shared/platform/clock.ts';
import type { TestAccount, TestService } from '../../support/test-service.ts';

const minuteMs = 60_000;

/** `fail` ends a task with a rejection by its engine, which counts the tasks that the account created on the day. */
export async function failTooOften(
  { clock, service }: TestService,
  { accountId }: TestAccount,
  fail: () => Promise<unknown>,
): Promise<void> {
  const { catalog, table } = service.context;
  await catalog.change('engine-prices', { 'offline/engine': { per: 'job', micros: 1, charged: ['rejected'] } });
  // The catalog is cached for half a minute.
  clock.advance(minuteMs);
  const values = { ':failures': { day: midnightBefore(clock.now() + minuteMs), count: chargedFailuresPerDay } };
  await table.transact([updateAccount(accountId, [{ set: ['chargedFailures = :failures'], values }])]);
  await fail();
  await catalog.change('engine-prices', { 'offline/engine': undefined });
  clock.advance(minuteMs);
  await table.transact([liftLimits(accountId, { at: clock.now(), reason: 'The test caused it.' })]);
}
