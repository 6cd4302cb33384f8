import { expect, test } from 'vitest';
import { readSearchState } from '../../../../shared/domain/billing/reconciliation/search-state.ts';

const postponed = [{ subject: 'p-1', since: 1, checkAt: 2, isFailing: true }];

test.each(['postponed', 'aside'])(
  'the payments and subscriptions that a reconciliation has postponed are read from the attribute %s',
  async (name) => {
    const table = { get: async () => ({ version: 3, sliceMs: 60_000, [name]: postponed }) };
    const state = await readSearchState({ table } as never, 'stripe');
    expect(state).toEqual({ version: 3, sliceMs: 60_000, postponed });
  },
);
