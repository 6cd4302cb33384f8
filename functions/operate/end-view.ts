import { operateContracts } from '../../shared/contracts/operate.ts';
import { endIfLive } from '../../shared/domain/sessions/session-store.ts';
import { cookie, viewCookie } from '../../shared/runtime/cookies.ts';
import { operateLambda } from '../../shared/runtime/operate-lambda.ts';
import type { OperateOperation } from '../../shared/runtime/operation-types.ts';

/** Ends the view that the operator's session has begun, and deletes its cookie. */
export const endView: OperateOperation<'endView'> = async ({ actor, cookies }, { clock, settings, table }) => {
  const { viewDigest } = actor.session;
  const hadView = viewDigest !== undefined && (await endIfLive(table, viewDigest, clock.now()));
  cookies.push(cookie(viewCookie, '', 0, settings));
  return { hadView };
};

export const definition = operateLambda(operateContracts.endView, endView);
