/** How the allowance of a day grows with the tasks that the account pays for. */
import { expect, test } from 'vitest';
import { isWithin } from '../../../shared/domain/accounts/day-count.ts';
import { appendLedgerRow } from '../../../shared/domain/accounts/ledger-store.ts';
import { randomIds } from '../../../shared/platform/ids.ts';
import { stillClock } from '../../support/stepped-clock.ts';
import { anAccount, tableInTests } from '../../support/test-table.ts';

const { table } = await tableInTests();

test('refunded tasks do not raise the allowance of a day, in whatever order they were created and refunded', async () => {
  const clock = stillClock();
  const ids = randomIds(clock);
  const { accountId } = anAccount();
  const append = (...reasons: readonly ('generation' | 'refund')[]) =>
    table.transact(
      reasons.map((reason) =>
        appendLedgerRow({ id: ids.next(), accountId, amount: 0, reason, at: clock.now(), taskType: 'voice' }),
      ),
    );
  const isThirdAllowed = () => isWithin(table, { accountId, at: clock.now() }, { perDay: 2, tasksPer: 2 }, 2);
  await append('generation', 'refund', 'generation', 'generation', 'refund', 'refund');
  await append('generation', 'generation', 'generation', 'generation', 'generation');
  expect(await isThirdAllowed()).toBe(false);
  await append('generation', 'generation', 'refund');
  expect(await isThirdAllowed()).toBe(true);
});
