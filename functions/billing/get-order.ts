import { billingContracts } from '../../shared/contracts/billing.ts';
import { presentOrder } from '../../shared/domain/billing/orders/present-order.ts';
import { orders } from '../../shared/domain/store-ports.ts';
import type { Operation } from '../../shared/runtime/operation-types.ts';
import { sharedLambda } from '../../shared/runtime/shared-lambda.ts';

/** Returns an order of the account. */
export const getOrder: Operation<'getOrder', 'orders'> = async ({ actor, params, fail }, { orders }) => {
  const order = await orders.find(params.orderId);
  return order?.accountId === actor.accountId ? presentOrder(order) : fail('NOT_FOUND');
};

export const definition = sharedLambda(billingContracts.getOrder, getOrder, { orders });
