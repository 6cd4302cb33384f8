/** Meta's OAuth: asks the owner of a page for consent, and exchanges the result for a token that lasts. */
import * as z from 'zod';
import type { Channel } from '../../contracts/channels.ts';
import type { Clock } from '../../platform/clock.ts';
import { authorizedHeaders, exchange } from '../exchange.ts';
import { NetworkFault, type PageAccess } from '../social-network.ts';
import { networkNames } from './graph-client.ts';
import { faultOf, lostFault } from './graph-fault.ts';
import { hostsOf, type PageNetwork } from './meta-hosts.ts';

export interface MetaApp {
  readonly id: string;
  readonly secret: string;
}

export interface MetaLoginAccess {
  readonly sandboxUrl: () => string;
  readonly version: () => string;
  /** Read at each use, so that a changed secret needs no restart. */
  readonly app: (channel: Channel) => Promise<MetaApp>;
  readonly clock: Clock;
  /** For one exchange. Default: 10 s. */
  readonly timeLimitMs?: number;
}

export interface GrantedToken {
  readonly accessToken: string;
  /** Undefined if it does not expire. */
  readonly expiresAt?: number;
}

export interface GrantedPage extends GrantedToken {
  /** Undefined if the page is yet to be asked for by its token. */
  readonly pageId?: string;
}

export interface MetaLogin {
  /** Where a browser goes; it returns to `redirectUrl` with a `code` and the same `state`. */
  authorizeUrl(network: PageNetwork, given: { readonly redirectUrl: string; readonly state: string }): Promise<string>;
  /** The pages that a code grants. @throws {NetworkFault} */
  pagesOf(network: PageNetwork, given: { readonly redirectUrl: string; readonly code: string }): Promise<GrantedPage[]>;
  /** A token that lasts longer, of one that is a day old at least; undefined if it does not expire. @throws {NetworkFault} */
  refresh(access: PageAccess): Promise<GrantedToken | undefined>;
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
const Accounts = z.object({ data: z.array(z.object({ id: z.string().min(1), access_token: z.string().min(1) })) });

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
  ({ sandboxUrl, version, app }: MetaLoginAccess): MetaLogin['authorizeUrl'] =>
  async (network, { redirectUrl, state }) => {
    const { channel } = network;
    const { dialog } = hostsOf(network, sandboxUrl());
    const path = channel === 'instagram' ? '/oauth/authorize' : `/${version()}/dialog/oauth`;
    const { id } = await app(channel);
    const query = { client_id: id, redirect_uri: redirectUrl, response_type: 'code', scope: scopes[channel].join(',') };
    return `${dialog}${path}?${new URLSearchParams({ ...query, state }).toString()}`;
  };

export function metaLogin(access: MetaLoginAccess): MetaLogin {
  const { sandboxUrl, version, app, clock } = access;
  const ask = requester(access);
  const granted = ({ access_token: accessToken, expires_in: seconds }: z.infer<typeof Token>): GrantedToken => ({
    accessToken,
    ...(seconds !== undefined && { expiresAt: clock.now() + seconds * 1000 }),
  });

  /** Documented with secrets in the query alone: the address is neither logged nor quoted. */
  const instagramToken = (network: PageNetwork, path: string, query: Readonly<Record<string, string>>) =>
    ask(network, Token, { url: `${hostsOf(network, sandboxUrl()).graph}${path}`, query });

  async function instagramPages(network: PageNetwork, given: { redirectUrl: string; code: string }) {
    const { id, secret } = await app('instagram');
    const form = { client_id: id, client_secret: secret, grant_type: 'authorization_code', ...codeForm(given) };
    const url = `${hostsOf(network, sandboxUrl()).tokens}/oauth/access_token`;
    const { access_token: token } = await ask(network, CodeToken, { url, form });
    const query = { grant_type: 'ig_exchange_token', client_secret: secret, access_token: token };
    return [granted(await instagramToken(network, '/access_token', query))];
  }

  async function facebookPages(network: PageNetwork, given: { redirectUrl: string; code: string }) {
    const { id, secret } = await app('facebook');
    const { tokens, graph } = hostsOf(network, sandboxUrl());
    const url = `${tokens}/${version()}/oauth/access_token`;
    const client = { client_id: id, client_secret: secret };
    const short = await ask(network, Token, { url, form: { ...client, ...codeForm(given) } });
    const form = { ...client, grant_type: 'fb_exchange_token', fb_exchange_token: short.access_token };
    const long = await ask(network, Token, { url, form });
    const query = { fields: 'id,access_token', limit: '100' };
    // The tokens of pages do not expire if that of the person lasts.
    const accounts = { url: `${graph}/${version()}/me/accounts`, query, bearer: long.access_token };
    const { data } = await ask(network, Accounts, accounts);
    return data.map(({ id: pageId, access_token: accessToken }) => ({ pageId, accessToken }));
  }

  return {
    authorizeUrl: authorizer(access),

    pagesOf: (network, given) =>
      network.channel === 'instagram' ? instagramPages(network, given) : facebookPages(network, given),

    async refresh({ accessToken, ...network }) {
      if (network.channel === 'facebook') return undefined;
      const query = { grant_type: 'ig_refresh_token', access_token: accessToken };
      return granted(await instagramToken(network, '/refresh_access_token', query));
    },
  };
}

/** Browsers return with `#_` behind the code, which is not part of it. */
const codeForm = ({ redirectUrl, code }: { readonly redirectUrl: string; readonly code: string }) => ({
  redirect_uri: redirectUrl,
  code: code.replace(/#_$/, ''),
});
