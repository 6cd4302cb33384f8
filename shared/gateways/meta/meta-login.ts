/** Meta's OAuth: asks the owner of a page for consent, and exchanges the result for a token that lasts. */
import * as z from 'zod';
import type { Channel } from '../../contracts/channels.ts';
import type { Clock } from '../../platform/clock.ts';
import { authorizedHeaders, exchange } from '../exchange.ts';
import type { GrantedToken, PageNetwork, SocialLogin } from '../social-login.ts';
import { NetworkFault } from '../social-network.ts';
import { networkNames } from './graph-client.ts';
import { faultOf, lostFault } from './graph-fault.ts';
import { hostsOf } from './meta-hosts.ts';

export interface MetaLoginAccess {
  readonly sandboxUrl: () => string;
  readonly version: () => string;
  readonly appId: (channel: Channel) => string;
  /** Read at each use, so that a changed secret needs no restart. */
  readonly appSecret: (channel: Channel) => Promise<string>;
  readonly clock: Clock;
  /** For one exchange. Default: 10 s. */
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

const Token = z.object({ access_token: z.string().min(1), expires_in: z.number().positive().optional() });
/** Newer versions wrap it. */
const CodeToken = z.union([Token, z.object({ data: z.tuple([Token]) }).transform(({ data }) => data[0])]);
const Account = z.object({ id: z.string().min(1), name: z.string().min(1), access_token: z.string().min(1) });
const Accounts = z.object({ data: z.array(Account) });

interface TokenRequest {
  readonly url: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly form?: Readonly<Record<string, string>>;
  readonly bearer?: string;
}

const kind = { isWrite: false, isAboutPage: true };

function requester({ timeLimitMs = 10_000 }: MetaLoginAccess) {
  return async <Schema extends z.ZodType>(
    { channel }: PageNetwork,
    schema: Schema,
    { url, query, form, bearer }: TokenRequest,
  ): Promise<z.output<Schema>> => {
    const name = networkNames[channel];
    const response = await exchange(query ? `${url}?${new URLSearchParams(query).toString()}` : url, {
      method: form ? 'POST' : 'GET',
      signal: AbortSignal.timeout(timeLimitMs),
      ...(form && { body: new URLSearchParams(form) }),
      ...(bearer !== undefined && { headers: authorizedHeaders(name, bearer, {}) }),
    }).catch((error: unknown) => {
      throw lostFault(name, error, kind);
    });
    if (response.status !== 200) throw faultOf(name, response, kind);
    const { data, error } = schema.safeParse(response.body);
    if (error) throw new NetworkFault('unavailable', `the response of ${name} cannot be read`);
    return data;
  };
}

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

/** Exchanges codes and tokens. */
function exchanges(access: MetaLoginAccess) {
  const { sandboxUrl, version, appId, appSecret, clock } = access;
  const ask = requester(access);
  const granted = ({ access_token: accessToken, expires_in: seconds }: z.infer<typeof Token>): GrantedToken => ({
    accessToken,
    ...(seconds !== undefined && { expiresAt: clock.now() + seconds * 1000 }),
  });

  /** Documented with secrets in the query alone: the address is neither logged nor quoted. */
  const instagramToken = (network: PageNetwork, path: string, query: Readonly<Record<string, string>>) =>
    ask(network, Token, { url: `${hostsOf(network, sandboxUrl()).graph}${path}`, query });

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
    return [granted(await instagramToken(network, '/access_token', query))];
  }

  async function facebookPages(network: PageNetwork, given: { redirectUrl: string; code: string }) {
    const { tokens, graph } = hostsOf(network, sandboxUrl());
    const url = `${tokens}/${version()}/oauth/access_token`;
    const client = { client_id: appId('facebook'), client_secret: await appSecret('facebook') };
    const short = await ask(network, Token, { url, form: { ...client, ...codeForm(given) } });
    const form = { ...client, grant_type: 'fb_exchange_token', fb_exchange_token: short.access_token };
    const long = await ask(network, Token, { url, form });
    const query = { fields: 'id,name,access_token', limit: '100' };
    // The tokens of pages do not expire if that of the person lasts.
    const accounts = { url: `${graph}/${version()}/me/accounts`, query, bearer: long.access_token };
    const { data } = await ask(network, Accounts, accounts);
    return data.map(({ id: pageId, name, access_token: accessToken }) => ({ page: { pageId, name }, accessToken }));
  }

  async function renewed(network: PageNetwork, accessToken: string) {
    const query = { grant_type: 'ig_refresh_token', access_token: accessToken };
    return granted(await instagramToken(network, '/refresh_access_token', query));
  }

  return { instagramPages, facebookPages, renewed };
}

export function metaLogin(access: MetaLoginAccess): SocialLogin {
  const { instagramPages, facebookPages, renewed } = exchanges(access);
  return {
    authorizeUrl: authorizer(access),

    pagesOf: (network, given) =>
      network.channel === 'instagram' ? instagramPages(network, given) : facebookPages(network, given),

    refresh: async ({ accessToken, ...network }) =>
      network.channel === 'facebook' ? undefined : renewed(network, accessToken),
  };
}

/** Browsers return with `#_` behind the code, which is not part of it. */
const codeForm = ({ redirectUrl, code }: { readonly redirectUrl: string; readonly code: string }) => ({
  redirect_uri: redirectUrl,
  code: code.replace(/#_$/, ''),
});
