/** Claims of returned payments on the refunds of open tasks. */
import { describe, expect, test } from 'vitest';
import { claimsOn, claimsWithout, emptyAccount, maxClaims } from '../../../shared/domain/accounts/refund-claims.ts';
import { anAccount } from '../../support/test-table.ts';

const claims = (count: number) =>
  Array.from({ length: count }, (_, number) => ({ caseId: `case-${number}`, taskIds: ['task'] }));

test.for([
  [maxClaims - 1, 'gets one more', maxClaims],
  [maxClaims, 'gets no more', undefined],
] as const)(
  'an account with %i refund claims %s for another returned payment, so that its row stays small',
  ([before, , after]) => {
    const account = { ...anAccount(), openTasks: ['task'], refundClaims: claims(before) };
    const [, { values = {} } = {}] = emptyAccount(account, 'another-case');
    expect((values[':claims'] as readonly object[] | undefined)?.length).toBe(after);
  },
);

describe('a claim on the refunds of an account’s open tasks', () => {
  const [first, second, third] = [
    { caseId: '1', taskIds: ['a', 'b'] },
    { caseId: '2', taskIds: [] },
    { caseId: '3', taskIds: ['c'] },
  ] as const;
  const all = [first, second, third];

  test('names only the tasks that no older claim names', () => {
    const account = { ...anAccount(), openTasks: ['a', 'b', 'c'], refundClaims: [first, second] };
    const [, { values = {} } = {}] = emptyAccount(account, '3');
    expect(values[':claims']).toEqual(all);
  });

  test('is also on the refunds of the tasks that older claims name, and on no others', () => {
    expect(claimsOn(all, 'b')).toEqual(all);
    expect(claimsOn(all, 'c')).toEqual([third]);
    expect(claimsOn(all, 'd')).toEqual([]);
  });

  test('lasts until all tasks have ended that were open when it was made', () => {
    const one = claimsWithout(all, 'a');
    expect(one).toEqual([{ caseId: '1', taskIds: ['b'] }, second, third]);
    expect(claimsWithout(one, 'b')).toEqual([third]);
    expect(claimsWithout(claimsWithout(one, 'c'), 'b')).toEqual([]);
  });
});
