import { beginOperatorLogin } from '../../shared/domain/sessions/begin-login.ts';
import { loginSeconds } from '../../shared/domain/sessions/login-store.ts';
import { operatorIdentityProvider } from '../../shared/gateways/identity-provider.ts';
import { operatorLoginCookie } from '../../shared/runtime/cookies.ts';
import { deskAfterFailure, type Navigation, navigationLambda } from '../../shared/runtime/navigation-lambda.ts';

/** Redirects the browser to the operators' identity provider. */
const startOperatorLogin: Navigation<'operatorIdentity'> = async ({ query, setCookie }, context) => {
  const { url, secret } = await beginOperatorLogin(context, query('returnTo'));
  setCookie(operatorLoginCookie, secret, loginSeconds);
  return url;
};

export const definition = navigationLambda(
  'startOperatorLogin',
  startOperatorLogin,
  { operatorIdentity: operatorIdentityProvider },
  deskAfterFailure,
);
