import { completeConsent } from '../../shared/domain/piloto/pages/complete-consent.ts';
import { connectionStore } from '../../shared/domain/piloto/pages/connection-store.ts';
import { socialLogin } from '../../shared/gateways/social-logins.ts';
import { socialNetwork } from '../../shared/gateways/social-networks.ts';
import { inboxQueue } from '../../shared/platform/queue.ts';
import { secretBoxOf } from '../../shared/platform/secret-box.ts';
import { type Connect, connectionLambda } from '../../shared/runtime/connection-lambda.ts';
import { consentCookie } from '../../shared/runtime/cookies.ts';

/** Handles the browser's return from a social network, whether or not the owner consented. */
const completeConnection: Connect<'inboxQueue' | 'secretBox' | 'socialLogin' | 'socialNetwork'> = async (
  { actor, cookie, page: { channel }, query, setCookie },
  context,
) => {
  const name = consentCookie(channel);
  const callback = { code: query('code'), state: query('state'), error: query('error'), secret: cookie(name) };
  const needs = { ...context, connections: connectionStore(context.table) };
  const owner = { accountId: actor.accountId, digest: actor.digest, channel };
  const done = await completeConsent(needs, owner, callback, context.settings.dashboardUrl);
  // A callback that matches no consent of this browser may be forged, so the browser keeps its cookies.
  if (done.outcome !== 'expired') setCookie(name, '', 0);
  return done;
};

export const definition = connectionLambda('completeConnection', completeConnection, {
  inboxQueue,
  secretBox: secretBoxOf,
  socialLogin,
  socialNetwork,
});
