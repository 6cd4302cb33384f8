import { billingContracts } from '../../shared/contracts/billing.ts';
import { createOrder } from '../../shared/domain/billing/orders/create-order.ts';
import { accounts, catalog, orders } from '../../shared/domain/store-ports.ts';
import { pixGateway } from '../../shared/gateways/pix-gateways.ts';
import { pause } from '../../shared/platform/pause.ts';
import type { Operation } from '../../shared/runtime/operation-types.ts';
import { sharedLambda } from '../../shared/runtime/shared-lambda.ts';

/** Orders a credit pack, and creates the PIX charge that pays for it. */
export const createCreditOrder: Operation<'createCreditOrder', 'pixGateway' | 'accounts' | 'catalog' | 'orders'> = (
  { actor, body, idempotency },
  context,
) => createOrder({ ...context, pause }, { accountId: actor.accountId, body, idempotency });

export const definition = sharedLambda(billingContracts.createCreditOrder, createCreditOrder, {
  accounts,
  catalog,
  orders,
  pixGateway,
});
