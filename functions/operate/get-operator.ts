import { operateContracts } from '../../shared/contracts/operate.ts';
import { endOfSession } from '../../shared/domain/operator-sessions/operator-session.ts';
import { timestamp } from '../../shared/platform/clock.ts';
import { operateLambda } from '../../shared/runtime/operate-lambda.ts';
import type { OperateOperation } from '../../shared/runtime/operation-types.ts';

/** Returns the operator who asks, and what they may do. */
export const getOperator: OperateOperation<'getOperator'> = async ({ actor }, { settings }) => ({
  operatorId: actor.operatorId,
  email: actor.email,
  role: actor.role,
  sessionId: actor.session.sessionId,
  endsAt: timestamp(endOfSession(actor.session)),
  dashboardUrl: settings.dashboardUrl,
});

export const definition = operateLambda(operateContracts.getOperator, getOperator);
