import { accountContracts } from '../../shared/contracts/account.ts';
import { describeLedgerRow, type LedgerRow } from '../../shared/domain/accounts/ledger.ts';
import { fillTestPurse, missingAccount } from '../../shared/domain/accounts/test-purse.ts';
import { readable } from '../../shared/domain/readable-rows.ts';
import { accounts, ledger } from '../../shared/domain/store-ports.ts';
import { isTestAccount } from '../../shared/domain/test-account.ts';
import { timestamp } from '../../shared/platform/clock.ts';
import type { Operation } from '../../shared/runtime/operation-types.ts';
import { sharedLambda } from '../../shared/runtime/shared-lambda.ts';

const historyItem = (row: LedgerRow) => ({
  id: row.id,
  amount: row.amount,
  reason: row.reason,
  toolId: row.taskType ?? null,
  description: describeLedgerRow(row),
  createdAt: timestamp(row.at),
});

/** Returns the balance and the ledger entries that add up to it. */
export const listCreditHistory: Operation<'listCreditHistory', 'accounts' | 'ledger'> = async (
  { actor, query },
  context,
) => {
  const { accounts, clock, ledger, table } = context;
  const { limit, offset } = query;
  // A purse that is due to be filled up is filled before its history is read.
  if (isTestAccount(actor.accountId)) await fillTestPurse(context, actor.accountId, clock.now());
  const [account, rows] = await Promise.all([accounts.find(actor.accountId), ledger.list(actor.accountId, query)]);
  if (!account) throw missingAccount(actor.accountId);
  const history = readable(table, { kind: 'ledger row', idOf: ({ id }) => id }, rows, historyItem);
  return { balance: account.balance, history, limit, offset };
};

export const definition = sharedLambda(accountContracts.listCreditHistory, listCreditHistory, { accounts, ledger });
