/** Serves an operation that only the dashboard has; its caller is a session. */
import type { DashboardContract } from '../contracts/operation.ts';
import { sessionStore } from '../domain/sessions/session-store.ts';
import { authenticateAnySession, authenticateSession } from './authenticate-session.ts';
import type { Context, PortFactories, PortName } from './context.ts';
import { requestLambda } from './operation-lambda.ts';
import type { OperationOf } from './operation-types.ts';

const sessions = ({ table }: Context) => sessionStore(table);

export function sessionLambda<Contract extends DashboardContract, Names extends PortName = never>(
  contract: Contract,
  operation: OperationOf<Contract, Names | 'sessions'>,
  ports?: PortFactories<Names>,
) {
  const all = { ...ports, sessions } as unknown as PortFactories<Names | 'sessions'>;
  const authenticate = contract.isForClosed ? authenticateAnySession : authenticateSession;
  return requestLambda<Contract, Names | 'sessions'>(contract, authenticate, all)(operation);
}
