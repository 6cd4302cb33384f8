import { expect, test } from 'vitest';
import { closedAccountDays } from '../../../shared/contracts/limits.ts';
import { closeAccount, reopenAccount } from '../../../shared/domain/privacy/closing.ts';
import { advanceClosure } from '../../../shared/domain/privacy/erase-account.ts';
import type { Table } from '../../../shared/platform/dynamo-table.ts';
import { closureNeeds } from '../../support/closure-needs.ts';
import { serviceInTests } from '../../support/test-service.ts';

const host = await serviceInTests({ hasIdentity: true });
const { context } = host.service;
const { clock, table } = context;

const needs = closureNeeds(context);

const dayMs = 24 * 3_600_000;

test('an account that is reopened at any step of its erasure ends up either open or erased, and nothing in between', async () => {
  const outcomes = new Set<boolean>();
  for (let step = 1; ; step += 1) {
    const { accountId } = await host.account();
    await closeAccount(context, accountId);
    const openedAt = (await context.accounts.find(accountId))?.closing?.at ?? 0;
    const early = { table, clock: { now: () => openedAt } };
    let [writes, isReopened] = [0, false];
    // The process that opens the account again has a clock that is behind that of the process that erases it.
    const reopening =
      <Given, Result>(write: (given: Given) => Promise<Result>) =>
      async (given: Given) => {
        writes += 1;
        if (writes === step) isReopened = await reopenAccount(early, accountId);
        return write(given);
      };
    const racing: Table = {
      ...table,
      transact: reopening((actions) => table.transact(actions)),
      update: reopening((input) => table.update(input)),
    };
    const later = { now: () => clock.now() + closedAccountDays * dayMs };
    await advanceClosure({ ...needs, table: racing, clock: later }, accountId, Number.MAX_SAFE_INTEGER);
    const found = await context.accounts.find(accountId);
    expect([isReopened, found?.name]).toEqual(isReopened ? [true, 'Test'] : [false, '']);
    expect(isReopened ? found?.erasedAt : undefined).toBeUndefined();
    outcomes.add(isReopened);
    if (writes < step) break;
  }
  expect(outcomes).toEqual(new Set([true, false]));
});
