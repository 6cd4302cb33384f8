import { operateContracts } from '../../shared/contracts/operate.ts';
import { endOperatorSession } from '../../shared/domain/operator-sessions/operator-session.ts';
import { operatorIdentityProvider } from '../../shared/gateways/identity-provider.ts';
import { cookie, operatorCookie } from '../../shared/runtime/cookies.ts';
import { operateLambda } from '../../shared/runtime/operate-lambda.ts';
import type { OperateOperation } from '../../shared/runtime/operation-types.ts';

/** Ends the operator's session and deletes its cookie. */
export const logOutOperator: OperateOperation<'logOutOperator', 'operatorIdentity'> = async (
  { actor, cookies },
  { clock, operatorIdentity, settings, table },
) => {
  await endOperatorSession(table, actor.digest, clock.now());
  cookies.push(cookie(operatorCookie, '', 0, settings));
  return { logoutUrl: operatorIdentity.logoutUrl() };
};

export const definition = operateLambda(operateContracts.logOutOperator, logOutOperator, {
  operatorIdentity: operatorIdentityProvider,
});
