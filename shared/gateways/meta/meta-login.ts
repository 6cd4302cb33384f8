/** Meta's OAuth flow: asks the owner of a page for consent, and exchanges the code for a long-lived token. */
import * as z from 'zod';
import type { Channel } from '../../contracts/channels.ts';
import type { Clock } from '../../platform/clock.ts';
import { lineField, longestList, outsideId } from '../outside-fields.ts';
import type { PageNetwork, SocialLogin } from '../social-login.ts';
import { hostsOf } from './meta-hosts.ts';
import { AccessToken, grantedToken, Token, tokenRequester } from './token-request.ts';

export interface MetaLoginAccess {
  readonly sandboxUrl: () => string;
  readonly version: () => string;
  readonly appId: (channel: Channel) => string;
  /** The app secret is read at each use, so that a changed secret needs no restart. */
  readonly appSecret: (channel: Channel) => Promise<string>;
  readonly clock: Clock;
  /** The time limit of an exchange. Default: 10 s. */
  readonly timeLimitMs?: number;
}

const scopes: Readonly<Record<Channel, readonly string[]>> = {
  instagram: ['instagram_business_basic', 'instagram_business_manage_messages', 'instagram_business_manage_comments'],
  facebook: [
    'pages_show_list',
    'pages_messaging',
    'pages_manage_metadata',
    'pages_read_engagement',
    'pages_read_user_content',
    'pages_manage_engagement',
  ],
};

/** Newer versions of the API wrap the token in a list. */
const CodeToken = z.union([Token, z.object({ data: z.tuple([Token]) }).transform(({ data }) => data[0])]);
const Account = z.object({ id: outsideId(), name: lineField.pipe(z.string().min(1)), access_token: AccessToken });
const Accounts = z.object({ data: z.array(Account).max(longestList) });

const authorizer =
  ({ sandboxUrl, version, appId }: MetaLoginAccess): SocialLogin['authorizeUrl'] =>
  (network, { redirectUrl, state }) => {
    const { channel } = network;
    const { dialog } = hostsOf(network, sandboxUrl());
    const path = channel === 'instagram' ? '/oauth/authorize' : `/${version()}/dialog/oauth`;
    const query = {
      client_id: appId(channel),
      redirect_uri: redirectUrl,
      response_type: 'code',
      scope: scopes[channel].join(','),
      state,
    };
    return `${dialog}${path}?${new URLSearchParams(query).toString()}`;
  };

/** Creates the functions that exchange codes and tokens. */
function exchanges(access: MetaLoginAccess) {
  const { sandboxUrl, version, appId, appSecret, clock } = access;
  const ask = tokenRequester(access.timeLimitMs);

  async function instagramPages(network: PageNetwork, given: { redirectUrl: string; code: string }) {
    const secret = await appSecret('instagram');
    const form = {
      client_id: appId('instagram'),
      client_secret: secret,
      grant_type: 'authorization_code',
      ...codeForm(given),
    };
    const url = `${hostsOf(network, sandboxUrl()).tokens}/oauth/access_token`;
    const { access_token: token } = await ask(network, CodeToken, { url, form });
    const query = { grant_type: 'ig_exchange_token', client_secret: secret, access_token: token };
    const longUrl = `${hostsOf(network, sandboxUrl()).graph}/access_token`;
    return [grantedToken(await ask(network, Token, { url: longUrl, query }), clock)];
  }

  async function facebookPages(network: PageNetwork, given: { redirectUrl: string; code: string }) {
    const { tokens, graph } = hostsOf(network, sandboxUrl());
    const url = `${tokens}/${version()}/oauth/access_token`;
    const client = { client_id: appId('facebook'), client_secret: await appSecret('facebook') };
    const short = await ask(network, Token, { url, form: { ...client, ...codeForm(given) } });
    const form = { ...client, grant_type: 'fb_exchange_token', fb_exchange_token: short.access_token };
    const long = await ask(network, Token, { url, form });
    const query = { fields: 'id,name,access_token', limit: '100' };
    // Pages' tokens do not expire if the user's token is long-lived.
    const accounts = { url: `${graph}/${version()}/me/accounts`, query, bearer: long.access_token };
    const { data } = await ask(network, Accounts, accounts);
    return data.map(({ id: pageId, name, access_token: accessToken }) => ({ page: { pageId, name }, accessToken }));
  }

  return { instagramPages, facebookPages };
}

export function metaLogin(access: MetaLoginAccess): SocialLogin {
  const { instagramPages, facebookPages } = exchanges(access);
  return {
    authorizeUrl: authorizer(access),

    pagesOf: (network, given) =>
      network.channel === 'instagram' ? instagramPages(network, given) : facebookPages(network, given),
  };
}

/** The form for a code, without the `#_` that Instagram appends to the redirect. */
const codeForm = ({ redirectUrl, code }: { readonly redirectUrl: string; readonly code: string }) => ({
  redirect_uri: redirectUrl,
  code: code.replace(/#_$/, ''),
});
