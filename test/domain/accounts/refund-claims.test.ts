/** Claims of returned payments on the refunds of open tasks. */
import { expect, test } from 'vitest';
import { emptyAccount, maxClaims } from '../../../shared/domain/accounts/refund-claims.ts';
import { anAccount } from '../../support/test-table.ts';

const claims = (count: number) =>
  Array.from({ length: count }, (_, number) => ({ caseId: `case-${number}`, taskIds: ['task'] }));

test.for([
  [maxClaims - 1, maxClaims],
  [maxClaims, undefined],
])(
  'an account with %i refund claims has %s after another returned payment, so a task’s end can settle all of them',
  ([before = 0, after]) => {
    const account = { ...anAccount(), openTasks: ['task'], refundClaims: claims(before) };
    const [, { values = {} } = {}] = emptyAccount(account, 'another-case');
    expect((values[':claims'] as readonly object[] | undefined)?.length).toBe(after);
  },
);
