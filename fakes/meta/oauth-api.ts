/** The sandbox's OAuth: codes for consents, and tokens for codes. */
import { randomBytes } from 'node:crypto';
import type { Channel } from '../../shared/contracts/channels.ts';
import { GraphError, invalidParameter, invalidToken } from './graph-error.ts';
import type { SandboxPage } from './meta-records.ts';
import { type MetaWorld, tokenDays } from './meta-world.ts';
import { newToken } from './new-shop.ts';

const lifetimeSeconds = tokenDays * 24 * 3600;

type Parameters = Readonly<Record<string, unknown>>;

interface Consent {
  readonly pageIds: readonly string[];
  readonly redirectUrl: string;
}

const refused = (): GraphError => new GraphError('Invalid verification code', { code: 100, subcode: 36_009 });

function checkSecret({ client_secret: secret }: Parameters, appSecret: string): void {
  if (secret !== appSecret) throw invalidParameter('Error validating client secret');
}

function tokenDetails(world: MetaWorld, token: string): object {
  const page = world.pageWith(token);
  if (!page) return { data: { is_valid: false } };
  return { data: { is_valid: true, type: 'PAGE', profile_id: page.id, user_id: page.userId, expires_at: 0 } };
}

function longerToken(world: MetaWorld, token: string, isRenewal: boolean): object {
  const page = world.pageWith(token);
  if (page?.channel !== 'instagram') throw invalidToken();
  if (isRenewal && !world.isRenewable(page, token)) throw invalidParameter('The token is not a day old');
  return { access_token: world.grant(page), token_type: 'bearer', expires_in: lifetimeSeconds };
}

const pagesWith = (world: MetaWorld, ids: readonly string[]): SandboxPage[] =>
  ids.map((id) => world.page(id)).filter((page) => page !== undefined);

/** The selected pages, each with a token. */
const accountsOf = (world: MetaWorld, ids: readonly string[]): object => ({
  data: pagesWith(world, ids).map((page) => ({ id: page.id, name: page.name, access_token: world.grant(page) })),
});

export function oauthApi(world: MetaWorld, appSecret: string) {
  /** Consents by authorization code; each code can be used once. */
  const codes = new Map<string, Consent>();
  /** The pages selected by a user who has logged in to Facebook, by the user's token. */
  const people = new Map<string, readonly string[]>();

  function chosenPages(given: Parameters): SandboxPage[] {
    checkSecret(given, appSecret);
    const code = String(given.code);
    const consent = codes.get(code);
    codes.delete(code);
    if (!consent || consent.redirectUrl !== given.redirect_uri) throw refused();
    return pagesWith(world, consent.pageIds);
  }

  function instagramToken(path: string, given: Parameters): object | undefined {
    if (path === '/oauth/access_token') {
      const [page] = chosenPages(given);
      if (!page) throw refused();
      return { access_token: world.grant(page), user_id: Number(page.userId), permissions: 'all' };
    }
    if (path !== '/access_token' && path !== '/refresh_access_token') return undefined;
    if (path === '/access_token') checkSecret(given, appSecret);
    return longerToken(world, String(given.access_token), path === '/refresh_access_token');
  }

  function facebookToken(given: Parameters): object {
    checkSecret(given, appSecret);
    const longer = given.grant_type === 'fb_exchange_token' ? people.get(String(given.fb_exchange_token)) : undefined;
    const pageIds = longer ?? chosenPages(given).map(({ id }) => id);
    const token = newToken('facebook');
    people.set(token, pageIds);
    return { access_token: token, token_type: 'bearer', ...(longer && { expires_in: lifetimeSeconds }) };
  }

  return {
    /** Creates the code with which a browser returns. */
    consent(pages: readonly SandboxPage[], redirectUrl: string): string {
      const code = `AQ${randomBytes(24).toString('base64url')}`;
      codes.set(code, { pageIds: pages.map(({ id }) => id), redirectUrl });
      return code;
    },
    /** The response; undefined if the path is not about tokens. @throws {GraphError} */
    reply(channel: Channel, path: string, given: Parameters, bearer: string | undefined): object | undefined {
      if (channel === 'instagram') return instagramToken(path, given);
      const edge = path.replace(/^\/v\d+\.\d+/, '');
      if (edge === '/oauth/access_token') return facebookToken(given);
      // Whether a request is authenticated as the app itself, whose token consists of its id and secret.
      if (edge === '/debug_token' && bearer?.split('|')[1] !== appSecret) throw invalidToken();
      if (edge === '/debug_token') return tokenDetails(world, String(given.input_token));
      if (edge !== '/me/accounts') return undefined;
      const chosen = people.get(bearer ?? '');
      if (!chosen) throw invalidToken();
      return accountsOf(world, chosen);
    },
  };
}

export type OauthApi = ReturnType<typeof oauthApi>;
