import { operateContracts } from '../../shared/contracts/operate.ts';
import { customerPage } from '../../shared/domain/operator-reads/customer-page.ts';
import { accounts, ledger, orders, subscriptions, tasks } from '../../shared/domain/store-ports.ts';
import { operateLambda } from '../../shared/runtime/operate-lambda.ts';
import type { OperateOperation } from '../../shared/runtime/operation-types.ts';

/** Returns an account with everything that belongs to it. */
export const getCustomer: OperateOperation<
  'getCustomer',
  'accounts' | 'ledger' | 'orders' | 'subscriptions' | 'tasks'
> = async ({ params, fail }, context) => (await customerPage(context, params.accountId)) ?? fail('NOT_FOUND');

export const definition = operateLambda(operateContracts.getCustomer, getCustomer, {
  accounts,
  ledger,
  orders,
  subscriptions,
  tasks,
});
