/** Claims of returned payments on the refunds of open tasks. */
import { expect, test } from 'vitest';
import { emptyAccount, maxClaims } from '../../../shared/domain/accounts/refund-claims.ts';
import { anAccount } from '../../support/test-table.ts';

const claims = (count: number) =>
  Array.from({ length: count }, (_, number) => ({ caseId: `case-${number}`, taskIds: ['task'] }));

test.for([
  [maxClaims - 1, 'gets one more', maxClaims],
  [maxClaims, 'gets no more', undefined],
] as const)(
  'an account with %i refund claims %s for another returned payment, so that a task’s end can settle all of them',
  ([before, , after]) => {
    const account = { ...anAccount(), openTasks: ['task'], refundClaims: claims(before) };
    const [, { values = {} } = {}] = emptyAccount(account, 'another-case');
    expect((values[':claims'] as readonly object[] | undefined)?.length).toBe(after);
  },
);
