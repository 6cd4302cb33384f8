import { operateContracts } from '../../shared/contracts/operate.ts';
import { endSessionOfOperator } from '../../shared/domain/operator-sessions/operator-session-store.ts';
import { operateLambda } from '../../shared/runtime/operate-lambda.ts';
import type { OperateOperation } from '../../shared/runtime/operation-types.ts';

/** Ends a session of the operator. */
export const endOwnSession: OperateOperation<'endOwnSession'> = async (
  { actor, fail, params: { sessionId } },
  { clock, table },
) => ((await endSessionOfOperator(table, actor.email, sessionId, clock.now())) ? { sessionId } : fail('NOT_FOUND'));

export const definition = operateLambda(operateContracts.endOwnSession, endOwnSession);
