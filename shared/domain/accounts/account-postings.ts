/** Writes to accounts that requests make only within larger transactions: their bundles do not contain these. */
import { type Table, TransactionCanceled } from '../../platform/dynamo-table.ts';
import { rowCounts } from '../figures/counts.ts';
import { countFigures } from '../figures/figures-store.ts';
import type { Account } from './account.ts';
import { moveBalance, openingActions } from './account-store.ts';
import type { LedgerRow } from './ledger.ts';
import { appendLedgerRow } from './ledger-store.ts';

export interface AccountPostings {
  /** Inserts a new account, together with the ledger row of its first credits. */
  insert(account: Account, opening: LedgerRow | undefined): Promise<void>;
  /** Moves the balance by a row's amount. `missing` and `insufficient` change nothing. */
  post(row: LedgerRow): Promise<'posted' | 'missing' | 'insufficient'>;
}

export const accountPostings = (table: Table): AccountPostings => ({
  async insert(account, opening) {
    await table.transact(openingActions(account, opening));
  },
  async post(row) {
    try {
      const counted = countFigures(row.accountId, row.at, rowCounts(row));
      await table.transact([moveBalance(row), appendLedgerRow(row), ...counted]);
      return 'posted';
    } catch (error) {
      const canceled = error instanceof TransactionCanceled ? error.failures[0] : undefined;
      if (!canceled) throw error;
      return canceled.item ? 'insufficient' : 'missing';
    }
  },
});
