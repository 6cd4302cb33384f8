import { operateContracts } from '../../shared/contracts/operate.ts';
import { toAccount } from '../../shared/domain/accounts/account-store.ts';
import { accountsOwner, indexes } from '../../shared/domain/index-keys.ts';
import { accountKey } from '../../shared/domain/keys.ts';
import { newestFirst } from '../../shared/domain/list-page.ts';
import { presentCustomer } from '../../shared/domain/operator-reads/customer-page.ts';
import { readableItems } from '../../shared/domain/readable-rows.ts';
import { operateLambda } from '../../shared/runtime/operate-lambda.ts';
import type { OperateOperation } from '../../shared/runtime/operation-types.ts';

/** Lists the accounts, newest first. */
export const listCustomers: OperateOperation<'listCustomers'> = async ({ query: { limit, offset } }, { table }) => {
  const keys = await table.list(newestFirst({ index: 'byOwner', pk: accountsOwner }), { limit, offset });
  const ids = keys.map((key) => String(key[indexes.byOwner.sk]));
  const rows = new Map((await table.getMany(ids.map(accountKey))).map((row) => [String(row.pk), row]));
  const found = ids.map((id) => rows.get(accountKey(id).pk)).filter((row) => row !== undefined);
  return {
    customers: readableItems(table, 'account', found, (row) => presentCustomer(toAccount(row))),
    limit,
    offset,
  };
};

export const definition = operateLambda(operateContracts.listCustomers, listCustomers);
