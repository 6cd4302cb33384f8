import { beginLogin } from '../../shared/domain/sessions/begin-login.ts';
import { loginSeconds } from '../../shared/domain/sessions/login-store.ts';
import { identityProvider } from '../../shared/gateways/identity-provider.ts';
import { loginCookie } from '../../shared/runtime/cookies.ts';
import { type Navigation, navigationLambda } from '../../shared/runtime/navigation-lambda.ts';

/** Redirects the browser to the identity provider. */
const startLogin: Navigation<'identity'> = async ({ query, setCookie }, context) => {
  const { url, secret } = await beginLogin(context, { returnTo: query('returnTo'), provider: query('provider') });
  setCookie(loginCookie, secret, loginSeconds);
  return url;
};

export const definition = navigationLambda('startLogin', startLogin, { identity: identityProvider });
