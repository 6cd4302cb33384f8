/** Whose token it is, how long it lasts, and one that lasts longer. */
import * as z from 'zod';
import type { SocialNetwork } from '../social-network.ts';
import type { GraphClient, GraphServer } from './graph-client.ts';
import { flavorOf } from './page-flavor.ts';
import { grantedToken, Token, tokenRequester } from './token-request.ts';

const InstagramPage = z.object({
  user_id: z.coerce.string().min(1),
  username: z.string(),
  name: z.string().nullish(),
});
const FacebookPage = z.object({ id: z.string().min(1), username: z.string().nullish(), name: z.string() });

const InstagramUser = z.object({ id: z.coerce.string().min(1) });

/** No user is named for a token that is not valid, or not that of a person. */
const TokenDetails = z.object({
  data: z.object({
    user_id: z.coerce.string().min(1).optional(),
    /** In seconds; 0 for one that does not expire. */
    expires_at: z.int().min(0).optional().catch(undefined),
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
    async page(given) {
      const access = { ...given, pageId: 'me' };
      const request = { path: '/me', query: { fields: flavorOf(access).pageFields }, isAboutPage: true };
      if (given.channel === 'facebook') {
        const { id, name, username = null } = await client.ask(access, request, FacebookPage);
        return { pageId: id, name, username };
      }
      const { user_id: pageId, username, name } = await client.ask(access, request, InstagramPage);
      return { pageId, name: name || username, username };
    },

    async tokenDetails(given) {
      const access = { ...given, pageId: 'me' };
      if (given.channel === 'instagram') {
        const request = { path: '/me', query: { fields: 'id' }, isAboutPage: true };
        return { userId: (await client.ask(access, request, InstagramUser)).id };
      }
      const app = await server.facebookApp();
      if (!app) return {};
      // Documented with the token in the query alone: the address is neither logged nor quoted.
      const request = { path: '/debug_token', query: { input_token: given.accessToken } };
      const asApp = { ...access, accessToken: `${app.id}|${app.secret}` };
      const { user_id: userId, expires_at: seconds = 0 } = (await client.ask(asApp, request, TokenDetails)).data;
      return { ...(userId !== undefined && { userId }), ...(seconds > 0 && { expiresAt: seconds * 1000 }) };
    },

    async renewToken(access) {
      // Tokens of pages cannot be renewed, and do not expire if that of the person lasts.
      if (access.channel === 'facebook') return undefined;
      const query = { grant_type: 'ig_refresh_token', access_token: access.accessToken };
      const url = `${server.url(access)}/refresh_access_token`;
      return grantedToken(await requestToken(access, Token, { url, query }), server.clock);
    },
  };
}
