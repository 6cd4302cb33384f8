import { operatorPages, returnPath } from '../../shared/domain/sessions/return-path.ts';
import { operatorReturnCookie } from '../../shared/runtime/cookies.ts';
import {
  decodedCookie,
  deskAfterFailure,
  type Navigation,
  navigationLambda,
} from '../../shared/runtime/navigation-lambda.ts';

/** Redirects a browser that returns from the operators' identity provider to the page that it asked for. */
const returnToDesk: Navigation = async ({ cookie, setCookie }, { settings }) => {
  const requested = cookie(operatorReturnCookie);
  if (requested !== undefined) setCookie(operatorReturnCookie, '', 0);
  return `${settings.dashboardUrl}${returnPath(decodedCookie(requested), operatorPages)}`;
};

export const definition = navigationLambda('returnToDesk', returnToDesk, undefined, deskAfterFailure);
