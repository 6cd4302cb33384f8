import type { ActOfGroup } from '../../shared/contracts/act-groups.ts';
import { operateContracts } from '../../shared/contracts/operate.ts';
import {
  addNote,
  endSessions,
  liftLimitsOfAccount,
  setRetentionOfAccount,
} from '../../shared/domain/operators/account-acts.ts';
import { declineGrant, fillTestCredits, grantCredits } from '../../shared/domain/operators/credit-acts.ts';
import { revokeToken, setTokenCap } from '../../shared/domain/operators/token-acts.ts';
import { seeAsCustomer, type Viewing } from '../../shared/domain/operators/view-acts.ts';
import { sessionStore } from '../../shared/domain/sessions/session-store.ts';
import { accounts } from '../../shared/domain/store-ports.ts';
import type { With } from '../../shared/runtime/context.ts';
import { cookie, viewCookie } from '../../shared/runtime/cookies.ts';
import { operateLambda } from '../../shared/runtime/operate-lambda.ts';
import type { OperateOperation } from '../../shared/runtime/operation-types.ts';
import { type OfferedActs, offered, performRequestedAct } from '../../shared/runtime/perform-requested-act.ts';

const acts: OfferedActs<ActOfGroup<'account'>, With<'accounts' | 'sessions'> & { readonly viewing: Viewing }> = {
  liftLimits: offered(liftLimitsOfAccount),
  setRetention: offered(setRetentionOfAccount),
  endSessions: offered(endSessions),
  addNote: offered(addNote),
  seeAsCustomer: offered(seeAsCustomer),
  setTokenCap: offered(setTokenCap),
  revokeToken: offered(revokeToken),
  grantCredits: offered(grantCredits),
  declineGrant: offered(declineGrant),
  fillTestCredits: offered(fillTestCredits),
};

/** Performs an act on an account, its access or its credits. */
export const performAccountAct: OperateOperation<'performAccountAct', 'accounts'> = (request, context) => {
  const { digest, session } = request.actor;
  const give = (secret: string, seconds: number) => {
    request.cookies.push(cookie(viewCookie, secret, seconds, context.settings));
  };
  const viewing = { digest, session, give };
  return performRequestedAct(acts, request, { ...context, sessions: sessionStore(context.table), viewing });
};

export const definition = operateLambda(operateContracts.performAccountAct, performAccountAct, { accounts });
