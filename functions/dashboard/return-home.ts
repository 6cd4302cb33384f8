import { returnPath } from '../../shared/domain/sessions/return-path.ts';
import { returnCookie } from '../../shared/runtime/cookies.ts';
import { type Navigation, navigationLambda } from '../../shared/runtime/navigation-lambda.ts';

const decoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
};

/** Redirects a browser that returns from the identity provider to the dashboard page that it asked for. */
const returnHome: Navigation = async ({ cookie, setCookie }, { settings }) => {
  const requested = cookie(returnCookie);
  if (requested !== undefined) setCookie(returnCookie, '', 0);
  return `${settings.dashboardUrl}${returnPath(requested && decoded(requested))}`;
};

export const definition = navigationLambda('returnHome', returnHome);
