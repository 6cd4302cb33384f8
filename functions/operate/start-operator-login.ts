import { beginOperatorLogin } from '../../shared/domain/sessions/begin-login.ts';
import { loginSeconds } from '../../shared/domain/sessions/login-store.ts';
import { isWellFormedSecret, sessionDigest } from '../../shared/domain/sessions/session.ts';
import { operatorIdentityProvider } from '../../shared/gateways/identity-provider.ts';
import { operatorCookie, operatorLoginCookie } from '../../shared/runtime/cookies.ts';
import { deskAfterFailure, type Navigation, navigationLambda } from '../../shared/runtime/navigation-lambda.ts';

/** Redirects the browser to the operators' identity provider. */
const startOperatorLogin: Navigation<'operatorIdentity'> = async ({ cookie, query, setCookie }, context) => {
  // Browsers send this cookie here, from a page, but not with the provider's redirect.
  const current = cookie(operatorCookie);
  const replaces = current && isWellFormedSecret(current) ? sessionDigest(current) : undefined;
  const { url, secret } = await beginOperatorLogin(context, { returnTo: query('returnTo'), replaces });
  setCookie(operatorLoginCookie, secret, loginSeconds);
  return url;
};

export const definition = navigationLambda(
  'startOperatorLogin',
  startOperatorLogin,
  { operatorIdentity: operatorIdentityProvider },
  deskAfterFailure,
);
