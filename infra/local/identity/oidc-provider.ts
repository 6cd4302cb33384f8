/** OpenID Connect with the same paths, parameters and claims as Cognito's log-in pages. */
import { randomBytes } from 'node:crypto';
import type { JWK } from 'jose';
import Provider, { type Configuration } from 'oidc-provider';
import type { LocalUser, LocalUsers } from './local-users.ts';
import { MemoryAdapter } from './memory-adapter.ts';

export interface OidcOptions {
  readonly issuer: string;
  readonly clients: readonly { readonly id: string; readonly secret: string; readonly callbackUrl: string }[];
  readonly key: JWK;
  readonly users: LocalUsers;
}

/** The lifetime of tokens is long, because a test's clock may be a day ahead of the provider's. */
const tokenSeconds = 2 * 24 * 3600;

const claimsOf = (
  { subject, username, email, isEmailVerified, name, groups, provider }: LocalUser,
  loginId: string,
) => ({
  sub: subject,
  token_use: 'id',
  'cognito:username': username,
  origin_jti: loginId,
  email,
  email_verified: isEmailVerified,
  name,
  ...(groups.length > 0 && { 'cognito:groups': groups }),
  ...(provider && { identities: [{ providerName: provider, userId: username.slice(provider.length + 1) }] }),
});

const idTokenClaims =
  'sub token_use cognito:username cognito:groups origin_jti identities email email_verified name'.split(' ');

const configuration = ({ clients, key, users }: OidcOptions): Configuration => ({
  adapter: MemoryAdapter,
  clients: clients.map(({ callbackUrl, id, secret }) => ({
    client_id: id,
    client_secret: secret,
    redirect_uris: [callbackUrl],
    response_types: ['code'],
    grant_types: ['authorization_code'],
    token_endpoint_auth_method: 'client_secret_basic',
    require_auth_time: true,
  })),
  jwks: { keys: [key] },
  cookies: { keys: [randomBytes(16).toString('hex')] },
  routes: { authorization: '/oauth2/authorize', token: '/oauth2/token', jwks: '/.well-known/jwks.json' },
  pkce: { required: () => true },
  claims: {
    openid: idTokenClaims,
    email: [],
    profile: [],
  },
  conformIdTokenClaims: false,
  extraParams: ['identity_provider'],
  ttl: { IdToken: tokenSeconds, Session: 3600, Interaction: 3600, Grant: 3600, AuthorizationCode: 60, AccessToken: 60 },
  features: { devInteractions: { enabled: false } },
  interactions: { url: (_context, interaction) => `/interaction/${interaction.uid}` },
  async findAccount(context, subject) {
    const user = users.find(subject);
    if (!user?.isEnabled) return undefined;
    // The id of the log-in is stored with the session as its authentication method.
    const source = context.oidc.entities.AuthorizationCode ?? context.oidc.session;
    const [loginId = ''] = source?.amr ?? [];
    return { accountId: subject, claims: async () => claimsOf(user, loginId) };
  },
  // Skips the consent page, because the dashboard is the provider's own application.
  async loadExistingGrant(context) {
    const { client: asking, session, provider } = context.oidc;
    if (!asking || !session?.accountId) return undefined;
    const grant = new provider.Grant({ clientId: asking.clientId, accountId: session.accountId });
    grant.addOIDCScope('openid email profile');
    await grant.save();
    return grant;
  },
});

export function oidcProvider(options: OidcOptions): Provider {
  const provider = new Provider(options.issuer, configuration(options));
  provider.on('server_error', (_context, error) => {
    process.stderr.write(`Identity provider: ${error.message}\n`);
  });
  return provider;
}
