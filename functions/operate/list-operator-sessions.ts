import { operateContracts } from '../../shared/contracts/operate.ts';
import {
  listOperatorSessions as listSessionsOf,
  presentOperatorSession,
} from '../../shared/domain/operator-sessions/operator-session-store.ts';
import { readable } from '../../shared/domain/readable-rows.ts';
import { operateLambda } from '../../shared/runtime/operate-lambda.ts';
import type { OperateOperation } from '../../shared/runtime/operation-types.ts';

/** Lists where the operator is logged in. */
export const listOperatorSessions: OperateOperation<'listOperatorSessions'> = async ({ actor }, { clock, table }) => {
  const found = await listSessionsOf(table, actor.email, clock.now());
  const kind = { kind: 'operator’s session', idOf: ({ sessionId }: { readonly sessionId: string }) => sessionId };
  return {
    sessions: readable(table, kind, found, (row) => ({
      ...presentOperatorSession(row),
      isCurrent: row.sessionId === actor.session.sessionId,
    })),
  };
};

export const definition = operateLambda(operateContracts.listOperatorSessions, listOperatorSessions);
