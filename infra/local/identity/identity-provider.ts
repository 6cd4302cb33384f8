/**
 * The local identity provider: replaces Cognito's log-in pages, its OpenID Connect endpoints and its own API, all on
 * one port. Its host is 127.0.0.1 and the dashboard's is localhost, so that browsers treat them as two sites, as on
 * AWS.
 */
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { SignJWT } from 'jose';
import type Provider from 'oidc-provider';
import { listen } from '../../../fakes/listen.ts';
import { loginRoutes } from '../../../shared/contracts/login.ts';
import { operatorLoginRoutes } from '../../../shared/contracts/operate-login.ts';
import { collectBytes } from '../../../shared/platform/limit-bytes.ts';
import type { SettingValues } from '../../../shared/platform/setting-values.ts';
import { localIssuer } from './local-issuer.ts';
import { type LocalUser, type LocalUsers, localUsers } from './local-users.ts';
import { googlePage, loginPage, signUpPage } from './login-page.ts';
import { oidcProvider } from './oidc-provider.ts';
import { type UserPoolApi, userPoolApi } from './user-pool-api.ts';

export interface IdentityProviderOptions {
  /** The port; any free one by default. */
  readonly port?: number;
  /** The secrets of its clients; random by default. */
  readonly secrets?: Readonly<Record<'pages' | 'passwords' | 'operators', string>>;
  /** The site of the dashboard and of the operators' pages, to which the log-in pages redirect. */
  readonly siteUrl: string;
  /** The current time in milliseconds, used for log-ins. */
  readonly now: () => number;
}

export interface IdentityProvider {
  readonly url: string;
  readonly users: LocalUsers;
  readonly userPool: Pick<UserPoolApi, 'checked' | 'refreshTokens'>;
  readonly settings: Pick<
    SettingValues,
    | 'identityIssuer'
    | 'identityKeysUrl'
    | 'identityUrl'
    | 'identityClient'
    | 'identityClientSecret'
    | 'passwordClient'
    | 'passwordClientSecret'
    | Extract<keyof SettingValues, `operatorIdentity${string}`>
  >;
  /** Signs an ID token with these claims. */
  sign(claims: Readonly<Record<string, unknown>>): Promise<string>;
  close(): Promise<void>;
}

const keyId = 'local';

/** Users of this client log in with a password alone. */
const operatorsClient = 'local-operators';

const [userPoolId, issuer] = ['local', localIssuer];

function signingKey() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const jwk = { ...privateKey.export({ format: 'jwk' }), kid: keyId, use: 'sig', alg: 'RS256' };
  const sign = (claims: Readonly<Record<string, unknown>>) =>
    new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: keyId }).sign(privateKey);
  return { jwk, sign };
}

const html = (response: ServerResponse, status: number, page: string): void => {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' }).end(page);
};

const hour = 3600;

/** Longer than any form or request; a longer one closes its connection. */
const maxBodyBytes = 2 ** 16;

const bodyOf = async (request: IncomingMessage): Promise<string> =>
  (await collectBytes(request, maxBodyBytes)).toString();

/** The user of a submitted log-in form; undefined if it is rejected. */
function userOf(users: LocalUsers, way: string | undefined, form: URLSearchParams): LocalUser | undefined {
  const [email = '', password = '', name = ''] = ['email', 'password', 'name'].map((field) => form.get(field) ?? '');
  if (way === 'google') return users.fromProvider('Google', { email, name: email.split(/[.@]/)[0] ?? '' });
  return way === 'sign-up' ? users.signUp({ email, name }, password) : users.withPassword(email, password);
}

/** Serves the pages of a log-in: `/interaction/<id>`, with `/password`, `/sign-up` or `/google`. */
async function interact(
  { now, oidc, users }: { readonly now: () => number; readonly oidc: Provider; readonly users: LocalUsers },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { pathname } = new URL(request.url ?? '', 'http://local');
  const [, , uid = '', way] = pathname.split('/');
  const { params } = await oidc.interactionDetails(request, response);
  const page = { path: `/interaction/${uid}`, isForOperators: params.client_id === operatorsClient };
  const google = () => googlePage(page, ['demo.google@example.com', 'ana.google@example.com']);
  if (request.method === 'GET') {
    const isGoogle = way === 'google' || params.identity_provider === 'Google';
    if (way === 'sign-up') return html(response, 200, signUpPage(page));
    return html(response, 200, isGoogle ? google() : loginPage(page));
  }
  const user = userOf(users, way, new URLSearchParams(await bodyOf(request)));
  if (!user && way === 'sign-up') {
    return html(
      response,
      409,
      signUpPage({ ...page, problem: 'An account with this e-mail address already has a password.' }),
    );
  }
  if (!user?.isEnabled) {
    return html(response, 401, loginPage({ ...page, problem: 'The e-mail address or the password is wrong.' }));
  }
  const login = { accountId: user.subject, ts: Math.floor(now() / 1000), amr: [randomUUID()] };
  await oidc.interactionFinished(request, response, { login }, { mergeWithLastSubmission: false });
}

/** Logs out like Cognito: ends the provider's own session, and redirects only to a registered URL. */
function logOut(request: IncomingMessage, response: ServerResponse, homes: Readonly<Record<string, string>>): void {
  const { searchParams } = new URL(request.url ?? '', 'http://local');
  const homeUrl = homes[searchParams.get('client_id') ?? ''];
  if (homeUrl === undefined || searchParams.get('logout_uri') !== homeUrl) {
    response.writeHead(400).end('The client or the address is not registered.');
    return;
  }
  const forgotten = ['_session', '_session.sig'].map((name) => `${name}=; path=/; max-age=0`);
  response.writeHead(302, { location: homeUrl, 'set-cookie': forgotten }).end();
}

async function callApi(api: UserPoolApi, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const operation = String(request.headers['x-amz-target']).split('.').at(-1) ?? '';
  const { status, body } = await api.respond(operation, JSON.parse(await bodyOf(request)) as Record<string, unknown>);
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(body));
}

type Clients = Readonly<Record<'pages' | 'passwords' | 'operators', { readonly id: string; readonly secret: string }>>;

const clientsWith = (secrets: IdentityProviderOptions['secrets']): Clients => ({
  pages: { id: 'local-pages', secret: secrets?.pages ?? randomUUID() },
  passwords: { id: 'local-passwords', secret: secrets?.passwords ?? randomUUID() },
  operators: { id: operatorsClient, secret: secrets?.operators ?? randomUUID() },
});

/** The clients of the log-in pages, with where each sends browsers after a log-in. */
const callbacksOf = ({ operators, pages }: Clients, siteUrl: string) => [
  { ...pages, callbackUrl: siteUrl + loginRoutes.completeLogin.path },
  { ...operators, callbackUrl: siteUrl + operatorLoginRoutes.completeOperatorLogin.path },
];

/** Where each client sends browsers after a log-out. */
const homesOf = ({ operators, pages }: Clients, siteUrl: string) => ({
  [pages.id]: siteUrl + loginRoutes.returnHome.path,
  [operators.id]: siteUrl + operatorLoginRoutes.returnToDesk.path,
});

const settingsFor = (url: string, { operators, pages, passwords }: Clients): IdentityProvider['settings'] => ({
  identityIssuer: issuer,
  identityKeysUrl: `${url}/.well-known/jwks.json`,
  identityUrl: url,
  identityClient: pages.id,
  identityClientSecret: pages.secret,
  passwordClient: passwords.id,
  passwordClientSecret: passwords.secret,
  operatorIdentityIssuer: issuer,
  operatorIdentityKeysUrl: `${url}/.well-known/jwks.json`,
  operatorIdentityUrl: url,
  operatorIdentityClient: operators.id,
  operatorIdentityClientSecret: operators.secret,
});

export async function startIdentityProvider(options: IdentityProviderOptions): Promise<IdentityProvider> {
  const { siteUrl, now, port = 0, secrets } = options;
  const made = clientsWith(secrets);
  const users = localUsers();
  const { jwk, sign } = signingKey();
  const parts: { handle?: (request: IncomingMessage, response: ServerResponse) => Promise<void> } = {};
  const server = createServer((request, response) => {
    parts.handle?.(request, response).catch((error: Error) => {
      process.stderr.write(`Identity provider: ${error.message}\n`);
      if (!response.headersSent) html(response, 400, loginPageGone);
    });
  });
  const url = `http://127.0.0.1:${await listen(server, port)}`;
  const oidc = oidcProvider({ issuer, clients: callbacksOf(made, siteUrl), key: jwk, users });
  const serve = oidc.callback();
  const idTokenOf = (user: LocalUser, aud: string) => {
    const seconds = Math.floor(now() / 1000);
    const { subject: sub, username } = user;
    const times = { iat: seconds, exp: seconds + hour, auth_time: seconds };
    return sign({ iss: issuer, aud, sub, token_use: 'id', 'cognito:username': username, ...times });
  };
  const api = userPoolApi({ userPoolId, client: made.passwords, users, sign: idTokenOf });
  const homes = homesOf(made, siteUrl);
  parts.handle = async (request, response) => {
    const { pathname } = new URL(request.url ?? '', url);
    if (pathname.startsWith('/interaction/')) return interact({ now, oidc, users }, request, response);
    if (pathname === '/logout') return logOut(request, response, homes);
    if (pathname === '/' && request.method === 'POST') return callApi(api, request, response);
    return serve(request, response);
  };
  return {
    url,
    users,
    userPool: api,
    sign,
    settings: settingsFor(url, made),
    async close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

const loginPageGone = '<!doctype html><title>Expired</title><p>This log-in has expired. Go back and begin again.</p>';
