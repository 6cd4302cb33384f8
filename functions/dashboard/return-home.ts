import { returnPath } from '../../shared/domain/sessions/return-path.ts';
import { returnCookie } from '../../shared/runtime/cookies.ts';
import { decodedCookie, type Navigation, navigationLambda } from '../../shared/runtime/navigation-lambda.ts';

/** Redirects a browser that returns from the identity provider to the dashboard page that it asked for. */
const returnHome: Navigation = async ({ cookie, setCookie }, { settings }) => {
  const requested = cookie(returnCookie);
  if (requested !== undefined) setCookie(returnCookie, '', 0);
  return `${settings.dashboardUrl}${returnPath(decodedCookie(requested))}`;
};

export const definition = navigationLambda('returnHome', returnHome);
