/** Serves an operation that only the operators' pages have; its caller is the session of an operator. */

import type { OperateContract } from '../contracts/operation.ts';
import { hasRole } from '../contracts/operator-roles.ts';
import { admitOperator } from '../domain/operator-sessions/operator-session.ts';
import { Rejection } from '../domain/rejection.ts';
import { isWellFormedSecret, loggedOut, sessionDigest } from '../domain/sessions/session.ts';
import type { OperatorActor } from './actor.ts';
import { requireOwnWrite } from './authenticate-session.ts';
import type { Context, PortFactories, PortName } from './context.ts';
import { operatorCookie, readCookie } from './cookies.ts';
import type { Exchange } from './exchange.ts';
import { requestLambda } from './operation-lambda.ts';
import type { OperationOf } from './operation-types.ts';

/** Authenticates an operator by their session. @throws {Rejection} forbidden, unauthenticated, rate-limited */
const authenticateOperator =
  ({ operator: least }: OperateContract) =>
  async (exchange: Exchange, { clock, settings, table }: Context): Promise<OperatorActor> => {
    requireOwnWrite(exchange.event, settings);
    const secret = readCookie(exchange.event, operatorCookie, settings);
    if (!secret || !isWellFormedSecret(secret)) throw loggedOut();
    const digest = sessionDigest(secret);
    const admission = await admitOperator(table, digest, clock.now());
    if (admission.status === 'rejected') throw loggedOut();
    const { resetSeconds, session } = admission;
    const { email, operatorId, role } = session;
    const actor: OperatorActor = { kind: 'operator', operatorId, email, role, session, digest };
    exchange.actor = actor;
    if (admission.status === 'limited') {
      const message = 'Too many requests: wait a moment.';
      throw new Rejection('rate-limited', { message, retryAfterSeconds: resetSeconds });
    }
    if (hasRole(role, least)) return actor;
    throw new Rejection('forbidden', { message: `Only operators with the role ${least} may do this.` });
  };

export const operateLambda = <Contract extends OperateContract, Names extends PortName = never>(
  contract: Contract,
  operation: OperationOf<Contract, Names>,
  ports: PortFactories<Names> = {} as PortFactories<Names>,
) => requestLambda<Contract, Names>(contract, authenticateOperator(contract), ports)(operation);
