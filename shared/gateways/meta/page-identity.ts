/** Determines a token's page and lifetime, and obtains a token that lasts longer. */
import * as z from 'zod';
import { lineField, outsideId } from '../outside-fields.ts';
import type { SocialNetwork } from '../social-network.ts';
import type { GraphClient, GraphServer } from './graph-client.ts';
import { flavorOf } from './page-flavor.ts';
import { grantedToken, Seconds, Token, tokenRequester } from './token-request.ts';

const InstagramPage = z.object({
  /** The app-specific id of the user who granted the token. */
  id: outsideId(),
  user_id: outsideId(),
  username: lineField,
  name: lineField.nullish(),
});
const FacebookPage = z.object({ id: outsideId(), username: lineField.nullish(), name: lineField });

/** The user is missing if the token is invalid or does not belong to a person. */
const TokenDetails = z.object({
  data: z.object({
    user_id: outsideId().optional(),
    /** The token's expiry; 0 if it does not expire. */
    expires_at: Seconds,
  }),
});

type Source = GraphServer & {
  readonly facebookApp: () => Promise<{ readonly id: string; readonly secret: string } | undefined>;
};

export function identityOf(
  client: GraphClient,
  server: Source,
): Pick<SocialNetwork, 'page' | 'tokenDetails' | 'renewToken'> {
  const requestToken = tokenRequester(server.timeLimitMs);
  return {
    async page(access) {
      const request = { path: '/me', query: { fields: flavorOf(access).pageFields }, isAboutPage: true };
      if (access.channel === 'facebook') {
        const { id, name, username = null } = await client.ask(access, request, FacebookPage);
        return { pageId: id, name, username };
      }
      const { id: userId, user_id: pageId, username, name } = await client.ask(access, request, InstagramPage);
      return { pageId, name: name || username, username, userId };
    },

    async tokenDetails(access) {
      const app = access.channel === 'facebook' ? await server.facebookApp() : undefined;
      if (!app) return {};
      // The documentation allows the token only in the query, so this URL is neither logged nor quoted.
      const request = { path: '/debug_token', query: { input_token: access.accessToken } };
      const asApp = { ...access, accessToken: `${app.id}|${app.secret}` };
      const { user_id: userId, expires_at: seconds } = (await client.ask(asApp, request, TokenDetails)).data;
      return { ...(userId !== undefined && { userId }), ...(seconds && { expiresAt: seconds * 1000 }) };
    },

    async renewToken(access) {
      // Tokens of Facebook pages cannot be renewed, and do not expire if the user's token is long-lived.
      if (access.channel === 'facebook') return undefined;
      const query = { grant_type: 'ig_refresh_token', access_token: access.accessToken };
      const url = `${server.url(access)}/refresh_access_token`;
      return grantedToken(await requestToken(access, Token, { url, query }), server.clock);
    },
  };
}
