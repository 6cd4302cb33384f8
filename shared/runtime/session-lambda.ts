/** Serves an operation that only the dashboard has; its caller is a session. */
import type { DashboardContract } from '../contracts/operation.ts';
import { sessionStore } from '../domain/sessions/session-store.ts';
import { authenticateAnySession, authenticateSession } from './authenticate-session.ts';
import type { Context, PortFactories, PortName } from './context.ts';
import type { Authenticator } from './http-lambda.ts';
import { type Known, requestLambda } from './operation-lambda.ts';
import type { OperationOf } from './operation-types.ts';

const sessions = ({ table }: Context) => sessionStore(table);

export function sessionLambda<Contract extends DashboardContract, Names extends PortName = never>(
  contract: Contract,
  operation: OperationOf<Contract, Names | 'sessions'>,
  ports?: PortFactories<Names>,
) {
  const all = { ...ports, sessions } as unknown as PortFactories<Names | 'sessions'>;
  const admit = contract.isForClosed ? authenticateAnySession : authenticateSession;
  const authenticate: Authenticator<Names, Known> = (exchange, context) => admit(exchange, context, contract);
  return requestLambda<Contract, Names | 'sessions'>(contract, authenticate, all)(operation);
}
