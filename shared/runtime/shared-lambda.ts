/**
 * Serves an operation that the API and the dashboard share: the route decides whether it expects a token or a session.
 */
import { type OperationContract, sessionRoot } from '../contracts/operation.ts';
import { authenticateSession } from './authenticate-session.ts';
import type { PortFactories, PortName, With } from './context.ts';
import type { Exchange } from './exchange.ts';
import { authenticateCaller, type EdgePort, operationLambda } from './operation-lambda.ts';
import type { OperationOf } from './operation-types.ts';

export function sharedLambda<
  Contract extends OperationContract & { readonly dashboard: true },
  Names extends PortName = never,
>(contract: Contract, operation: OperationOf<Contract, Names>, ports?: PortFactories<Names>) {
  const authenticateByToken = authenticateCaller(contract);
  const authenticate = (exchange: Exchange, context: With<EdgePort>) =>
    // `resource` is undefined in a warm-up.
    exchange.event.resource?.startsWith(sessionRoot)
      ? authenticateSession(exchange, context)
      : authenticateByToken(exchange, context);
  return operationLambda<Contract, Names>(contract, operation, ports, { authenticate });
}
