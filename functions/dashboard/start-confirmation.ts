import { Rejection } from '../../shared/domain/rejection.ts';
import { beginConfirmation } from '../../shared/domain/sessions/begin-login.ts';
import { loginSeconds } from '../../shared/domain/sessions/login-store.ts';
import { homePath, returnPath, withProblem } from '../../shared/domain/sessions/return-path.ts';
import { identityProvider } from '../../shared/gateways/identity-provider.ts';
import { authenticateSession, requireSameOrigin } from '../../shared/runtime/authenticate-session.ts';
import { loginCookie } from '../../shared/runtime/cookies.ts';
import { type Navigation, navigationLambda } from '../../shared/runtime/navigation-lambda.ts';

/** Redirects the session's owner to the identity provider, which must authenticate them again. */
const startConfirmation: Navigation<'identity'> = async ({ exchange, query, setCookie }, context) => {
  const { dashboardUrl, confirmationPrompt: prompt } = context.settings;
  const returnTo = returnPath(query('returnTo'));
  try {
    requireSameOrigin(exchange.event, context.settings);
    const actor = await authenticateSession(exchange, context);
    const { url, secret } = await beginConfirmation(context, actor, { returnTo, prompt });
    setCookie(loginCookie, secret, loginSeconds);
    return url;
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    const problem = error.kind === 'unauthenticated' ? 'expired' : 'failed';
    return `${dashboardUrl}${withProblem(problem === 'expired' ? homePath : returnTo, problem)}`;
  }
};

export const definition = navigationLambda('startConfirmation', startConfirmation, { identity: identityProvider });
