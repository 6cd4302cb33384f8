import { completeLogin as complete } from '../../shared/domain/dashboard/complete-login.ts';
import { withProblem } from '../../shared/domain/dashboard/return-path.ts';
import { isWellFormedSecret, sessionDigest, sessionHours } from '../../shared/domain/dashboard/session.ts';
import { identityProvider } from '../../shared/gateways/identity-provider.ts';
import { loginCookie, returnCookie, sessionCookie } from '../../shared/runtime/cookies.ts';
import { headerValues } from '../../shared/runtime/exchange.ts';
import { type Navigation, navigationLambda } from '../../shared/runtime/navigation-lambda.ts';

const returnSeconds = 120;

/** The browser comes back from the identity provider, and leaves with a session; the provider forgets it on the way. */
const completeLogin: Navigation<'identity'> = async ({ exchange, query, cookie, setCookie }, context) => {
  const { settings } = context;
  const replaced = cookie(sessionCookie);
  const callback = {
    code: query('code'),
    state: query('state'),
    error: query('error'),
    secret: cookie(loginCookie),
    replaces: replaced && isWellFormedSecret(replaced) ? sessionDigest(replaced) : undefined,
    userAgent: headerValues(exchange.event, 'user-agent').join(' '),
  };
  const credits = Number(settings.signUpCredits);
  const done = await complete(context, callback, { signUp: settings.signUp, credits });
  if ('problem' in done) {
    exchange.code = done.problem;
    exchange.reason = done.reason;
    // A callback that belongs to no log-in of this browser may be another's: whatever the browser has, it keeps.
    if (done.problem === 'expired') return `${settings.dashboardUrl}${withProblem(done.returnTo, done.problem)}`;
    setCookie(loginCookie, '', 0);
    setCookie(returnCookie, encodeURIComponent(withProblem(done.returnTo, done.problem)), returnSeconds);
    return context.identity.logoutUrl();
  }
  const { session, secret, returnTo } = done;
  exchange.actor = { kind: 'session', accountId: session.accountId, session, digest: sessionDigest(secret) };
  setCookie(loginCookie, '', 0);
  setCookie(sessionCookie, secret, sessionHours * 3600);
  setCookie(returnCookie, encodeURIComponent(returnTo), returnSeconds);
  return context.identity.logoutUrl();
};

export const definition = navigationLambda('completeLogin', completeLogin, { identity: identityProvider });
