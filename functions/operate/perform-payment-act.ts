import type { ActOfGroup } from '../../shared/contracts/act-groups.ts';
import { operateContracts } from '../../shared/contracts/operate.ts';
import {
  cancelOrder,
  cancelSubscription,
  resolveCase,
  settleOrder,
} from '../../shared/domain/operators/billing-acts.ts';
import { accounts, cases, orders, subscriptions } from '../../shared/domain/store-ports.ts';
import { pixGateway } from '../../shared/gateways/pix-gateways.ts';
import { subscriptionGateway } from '../../shared/gateways/subscription-gateways.ts';
import type { With } from '../../shared/runtime/context.ts';
import { operateLambda } from '../../shared/runtime/operate-lambda.ts';
import type { OperateOperation } from '../../shared/runtime/operation-types.ts';
import { type OfferedActs, offered, performRequestedAct } from '../../shared/runtime/perform-requested-act.ts';

type Ports = 'accounts' | 'cases' | 'orders' | 'pixGateway' | 'subscriptionGateway' | 'subscriptions';

const acts: OfferedActs<ActOfGroup<'payment'>, With<Ports>> = {
  settleOrder: offered(settleOrder),
  cancelOrder: offered(cancelOrder),
  cancelSubscription: offered(cancelSubscription),
  resolveCase: offered(resolveCase),
};

/** Performs an act on an order, a subscription or a case. */
export const performPaymentAct: OperateOperation<'performPaymentAct', Ports> = (request, context) =>
  performRequestedAct(acts, request, context);

export const definition = operateLambda(operateContracts.performPaymentAct, performPaymentAct, {
  accounts,
  cases,
  orders,
  pixGateway,
  subscriptionGateway,
  subscriptions,
});
