/** Begins to connect a page: sends the session's owner to the social network's consent page. */

import type { Channel } from '../../../contracts/channels.ts';
import { connectionRoutes } from '../../../contracts/connecting.ts';
import type { PageNetwork, SocialLogin } from '../../../gateways/social-login.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Table } from '../../../platform/dynamo-table.ts';
import type { Ids } from '../../../platform/ids.ts';
import { sessionSecretBytes } from '../../sessions/session.ts';
import { putConsent } from './consent-store.ts';

interface Needs {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly socialLogin: SocialLogin;
  readonly table: Table;
}

/** The URL to which a social network redirects browsers: one per channel, so that no network can answer for another. */
export const consentReturnUrl = (dashboardUrl: string, channel: Channel): string =>
  dashboardUrl + connectionRoutes.completeConnection.path.replace('{channel}', channel);

/** Returns the URL of the consent page, and the cookie that ties the consent to the browser. */
export async function requestConsent(
  { clock, ids, socialLogin, table }: Needs,
  { accountId, digest }: { readonly accountId: string; readonly digest: string },
  page: PageNetwork,
  dashboardUrl: string,
): Promise<{ readonly url: string; readonly secret: string }> {
  const { channel, network } = page;
  const [secret, state] = [ids.secret(sessionSecretBytes), ids.secret(sessionSecretBytes)];
  const consent = { accountId, network, startedAt: clock.now() };
  await putConsent(table, { digest, channel }, { secret, state }, consent);
  const redirectUrl = consentReturnUrl(dashboardUrl, channel);
  return { url: socialLogin.authorizeUrl(page, { redirectUrl, state }), secret };
}
