import { billingContracts } from '../../shared/contracts/billing.ts';
import { presentOrder } from '../../shared/domain/billing/orders/present-order.ts';
import { readable } from '../../shared/domain/readable-rows.ts';
import { orders } from '../../shared/domain/store-ports.ts';
import type { Operation } from '../../shared/runtime/operation-types.ts';
import { sharedLambda } from '../../shared/runtime/shared-lambda.ts';

/** Lists the account's orders, newest first. */
export const listOrders: Operation<'listOrders', 'orders'> = async ({ actor, query }, { orders, table }) => {
  const { limit, offset, status } = query;
  const found = await orders.list(actor.accountId, { status }, query);
  return {
    orders: readable(table, { kind: 'order', idOf: ({ orderId }) => orderId }, found, presentOrder),
    limit,
    offset,
  };
};

export const definition = sharedLambda(billingContracts.listOrders, listOrders, { orders });
