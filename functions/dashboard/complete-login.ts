import { completeLogin as complete } from '../../shared/domain/sessions/complete-login.ts';
import { withProblem } from '../../shared/domain/sessions/return-path.ts';
import { isWellFormedSecret, sessionDigest, sessionHours } from '../../shared/domain/sessions/session.ts';
import { signUpRules } from '../../shared/domain/sessions/sign-up.ts';
import { accounts, catalog } from '../../shared/domain/store-ports.ts';
import { identityProvider } from '../../shared/gateways/identity-provider.ts';
import { loginCookie, returnCookie, sessionCookie } from '../../shared/runtime/cookies.ts';
import { headerValues } from '../../shared/runtime/exchange.ts';
import { type Navigation, navigationLambda, type UrlAfterFailure } from '../../shared/runtime/navigation-lambda.ts';

const returnSeconds = 120;

/** Leaves by way of the provider's log-out, which ends the provider's own session. */
const urlAfterFailure: UrlAfterFailure<'identity'> = ({ setCookie }, { identity }, path) => {
  setCookie(returnCookie, encodeURIComponent(path), returnSeconds);
  return identity.logoutUrl();
};

/** Handles the browser's return from the identity provider: starts a session, and ends the provider's own. */
const completeLogin: Navigation<'identity' | 'accounts' | 'catalog'> = async (visit, context) => {
  const { exchange, query, cookie, setCookie } = visit;
  const replaced = cookie(sessionCookie);
  const callback = {
    code: query('code'),
    state: query('state'),
    error: query('error'),
    secret: cookie(loginCookie),
    replaces: replaced && isWellFormedSecret(replaced) ? sessionDigest(replaced) : undefined,
    userAgent: headerValues(exchange.event, 'user-agent').join(' '),
  };
  const done = await complete(context, callback, signUpRules(context.settings));
  if ('problem' in done) {
    exchange.code = done.problem;
    exchange.reason = done.reason;
    // A callback that matches no log-in of this browser may be forged, so the browser keeps its cookies.
    if (done.problem !== 'expired') setCookie(loginCookie, '', 0);
    return urlAfterFailure(visit, context, withProblem(done.returnTo, done.problem));
  }
  const { session, secret, returnTo } = done;
  exchange.actor = { kind: 'session', accountId: session.accountId, session, digest: sessionDigest(secret) };
  setCookie(loginCookie, '', 0);
  setCookie(sessionCookie, secret, sessionHours * 3600);
  return urlAfterFailure(visit, context, returnTo);
};

export const definition = navigationLambda(
  'completeLogin',
  completeLogin,
  { accounts, catalog, identity: identityProvider },
  urlAfterFailure,
);
