import { consentSeconds } from '../../shared/domain/piloto/pages/consent-store.ts';
import { requestConsent } from '../../shared/domain/piloto/pages/request-consent.ts';
import { socialLogin } from '../../shared/gateways/social-logins.ts';
import { requireSameOrigin } from '../../shared/runtime/authenticate-session.ts';
import { type Connect, connectionLambda } from '../../shared/runtime/connection-lambda.ts';
import { consentCookie } from '../../shared/runtime/cookies.ts';

/** Redirects the session's owner to a social network, which asks for consent to manage their page. */
const startConnection: Connect<'socialLogin'> = async ({ actor, page, setCookie }, context) => {
  const { url, secret } = await requestConsent(context, actor, page, context.settings.dashboardUrl);
  setCookie(consentCookie(page.channel), secret, consentSeconds);
  return { url };
};

export const definition = connectionLambda(
  'startConnection',
  startConnection,
  { socialLogin },
  ({ exchange }, { settings }) => requireSameOrigin(exchange.event, settings),
);
