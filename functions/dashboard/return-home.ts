import { returnPath } from '../../shared/domain/dashboard/return-path.ts';
import { returnCookie } from '../../shared/runtime/cookies.ts';
import { type Navigation, navigationLambda } from '../../shared/runtime/navigation-lambda.ts';

const decoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
};

/** Sends a browser that was logged in or out at the identity provider to the page of the dashboard that it wants. */
const returnHome: Navigation = async ({ cookie, setCookie }, { settings }) => {
  const wish = cookie(returnCookie);
  if (wish !== undefined) setCookie(returnCookie, '', 0);
  return `${settings.dashboardUrl}${returnPath(wish && decoded(wish))}`;
};

export const definition = navigationLambda('returnHome', returnHome);
