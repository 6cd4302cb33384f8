/** Serves an operation of the API that the dashboard has too: the route says whether a token or a session calls. */
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
    // A warm-up has no route.
    exchange.event.resource?.startsWith(sessionRoot)
      ? authenticateSession(exchange, context)
      : authenticateByToken(exchange, context);
  return operationLambda<Contract, Names>(contract, operation, ports, { authenticate });
}
