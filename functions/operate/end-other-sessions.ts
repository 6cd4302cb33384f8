import { operateContracts } from '../../shared/contracts/operate.ts';
import { endAllOfOperator } from '../../shared/domain/operator-sessions/operator-session-store.ts';
import { operateLambda } from '../../shared/runtime/operate-lambda.ts';
import type { OperateOperation } from '../../shared/runtime/operation-types.ts';

/** Ends all sessions of the operator except the one that asks. */
export const endOtherSessions: OperateOperation<'endOtherSessions'> = async ({ actor }, { clock, table }) => ({
  sessionsEnded: await endAllOfOperator(table, actor.email, clock.now(), actor.digest),
});

export const definition = operateLambda(operateContracts.endOtherSessions, endOtherSessions);
