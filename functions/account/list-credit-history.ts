import { accountContracts } from '../../shared/contracts/account.ts';
import { presentLedgerRow } from '../../shared/domain/accounts/ledger.ts';
import { fillTestPurse, missingAccount } from '../../shared/domain/accounts/test-purse.ts';
import { readable } from '../../shared/domain/readable-rows.ts';
import { accounts, ledger } from '../../shared/domain/store-ports.ts';
import { isTestAccount } from '../../shared/domain/test-account.ts';
import type { Operation } from '../../shared/runtime/operation-types.ts';
import { sharedLambda } from '../../shared/runtime/shared-lambda.ts';

/** Returns the balance and the ledger entries that add up to it. */
export const listCreditHistory: Operation<'listCreditHistory', 'accounts' | 'ledger'> = async (
  { actor, query },
  context,
) => {
  const { accounts, clock, ledger, table } = context;
  const { limit, offset } = query;
  const isView = actor.kind === 'session' && actor.session.viewedBy !== undefined;
  // If the daily credits of a test account are due to be topped up, this happens before the history is read; a view of an
  // operator changes nothing.
  if (isTestAccount(actor.accountId) && !isView) await fillTestPurse(context, actor.accountId, clock.now());
  const [account, rows] = await Promise.all([accounts.find(actor.accountId), ledger.list(actor.accountId, query)]);
  if (!account) throw missingAccount(actor.accountId);
  const history = readable(table, { kind: 'ledger row', idOf: ({ id }) => id }, rows, presentLedgerRow);
  return { balance: account.balance, history, limit, offset };
};

export const definition = sharedLambda(accountContracts.listCreditHistory, listCreditHistory, { accounts, ledger });
