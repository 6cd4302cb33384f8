import { completeOperatorLogin as complete } from '../../shared/domain/operator-sessions/complete-operator-login.ts';
import { operatorSessionHours } from '../../shared/domain/operator-sessions/operator-session.ts';
import { withProblem } from '../../shared/domain/sessions/return-path.ts';
import { sessionDigest } from '../../shared/domain/sessions/session.ts';
import { operatorIdentityProvider } from '../../shared/gateways/identity-provider.ts';
import { operatorCookie, operatorLoginCookie, operatorReturnCookie } from '../../shared/runtime/cookies.ts';
import { headerValues } from '../../shared/runtime/exchange.ts';
import { deskAfterFailure, type Navigation, navigationLambda } from '../../shared/runtime/navigation-lambda.ts';

const returnSeconds = 120;

/** Handles an operator's return from the identity provider: starts a session, and ends the provider's own. */
const completeOperatorLogin: Navigation<'operatorIdentity'> = async (
  { exchange, query, cookie, setCookie },
  context,
) => {
  const done = await complete(context, {
    code: query('code'),
    state: query('state'),
    error: query('error'),
    secret: cookie(operatorLoginCookie),
    userAgent: headerValues(exchange.event, 'user-agent').join(' '),
  });
  const leaveBy = (path: string): string => {
    setCookie(operatorReturnCookie, encodeURIComponent(path), returnSeconds);
    return context.operatorIdentity.logoutUrl();
  };
  if ('problem' in done) {
    exchange.code = done.problem;
    exchange.reason = done.reason;
    // A callback that matches no log-in of this browser may be forged, so the browser keeps its cookies.
    if (done.problem !== 'expired') setCookie(operatorLoginCookie, '', 0);
    return leaveBy(withProblem(done.returnTo, done.problem));
  }
  const { returnTo, secret, session } = done;
  const { email, operatorId, role } = session;
  exchange.actor = { kind: 'operator', operatorId, email, role, session, digest: sessionDigest(secret) };
  setCookie(operatorLoginCookie, '', 0);
  setCookie(operatorCookie, secret, operatorSessionHours * 3600);
  return leaveBy(returnTo);
};

export const definition = navigationLambda(
  'completeOperatorLogin',
  completeOperatorLogin,
  { operatorIdentity: operatorIdentityProvider },
  deskAfterFailure,
);
