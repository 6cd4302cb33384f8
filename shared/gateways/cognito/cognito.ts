/**
 * Adapter to Cognito as the identity provider: its managed log-in pages by OpenID Connect, and its own API for
 * passwords.
 */
import { createHmac } from 'node:crypto';
import * as z from 'zod';
import { once } from '../../contracts/once.ts';
import type { Clock } from '../../platform/clock.ts';
import type { VerifyIdToken } from '../../platform/id-tokens.ts';
import type { CallUserPool } from '../../platform/user-pool.ts';
import { exchange } from '../exchange.ts';
import type { Identity, OperatorIdentity, PasswordCheck } from '../identity.ts';
import { parseResponse } from '../parse-response.ts';
import { identifiedBy } from './cognito-claims.ts';

interface Client {
  readonly id: () => string;
  readonly secret: () => Promise<string>;
}

/** Access to the managed log-in pages. */
export interface PagesAccess {
  /** The URL of the pages, without a trailing slash. */
  readonly url: () => string;
  readonly pages: Client;
  /** The URLs to which browsers are redirected after a log-in and after a log-out. */
  readonly callbackUrl: () => string;
  readonly homeUrl: () => string;
  readonly clock: Clock;
  readonly verify: VerifyIdToken;
}

export interface CognitoAccess extends PagesAccess {
  readonly userPoolId: () => string;
  /** The client that may only check passwords. */
  readonly passwords: Client;
  readonly call: CallUserPool;
  readonly logger: { warn(message: string, extra: Error): void };
}

const patienceMs = 5000;

/** The name of a provider at Cognito, which lists its own users under the provider `COGNITO`. */
const ownProvider = (provider: string): string => (provider === 'password' ? 'COGNITO' : provider);

const CodeRejected = once(() => z.object({ error: z.literal('invalid_grant') }));
const Tokens = once(() => z.object({ id_token: z.string() }));
const Authentication = once(() =>
  z.object({
    ChallengeName: z.string().optional(),
    AuthenticationResult: z.object({ IdToken: z.string(), RefreshToken: z.string().optional() }).optional(),
  }),
);
const User = once(() => z.object({ Enabled: z.boolean() }));

async function exchangeCode(
  { url, pages, callbackUrl }: PagesAccess,
  { code, verifier }: { readonly code: string; readonly verifier: string },
): Promise<string | undefined> {
  const credentials = Buffer.from(`${pages.id()}:${await pages.secret()}`).toString('base64');
  const form = { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: callbackUrl() };
  const { status, body } = await exchange(`${url()}/oauth2/token`, {
    method: 'POST',
    headers: { Authorization: `Basic ${credentials}`, 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
    signal: AbortSignal.timeout(patienceMs),
  });
  // Any other response is the fault of the configuration or the provider.
  if (status === 400 && CodeRejected().safeParse(body).success) return undefined;
  if (status !== 200) throw new Error(`the identity provider responded to a code with ${status}`);
  return parseResponse('the identity provider', Tokens(), body).id_token;
}

/**
 * Errors that all mean that the user cannot be confirmed. They are not distinguished, so that nothing about users
 * leaks.
 */
const rejections = new Set(['NotAuthorizedException', 'UserNotFoundException', 'UserNotConfirmedException']);

/** Revokes tokens; a failure is only logged, because the password has been checked anyway. */
async function revoke({ call, logger }: CognitoAccess, request: Readonly<Record<string, string>>): Promise<void> {
  try {
    const { fault, status } = await call('RevokeToken', request);
    if (status !== 200) throw new Error(`the user pool responded to a revocation with ${fault ?? status}`);
  } catch (error) {
    logger.warn('a refresh token was not revoked', error as Error);
  }
}

async function checkPassword(access: CognitoAccess, { username, subject, password }: PasswordCheck) {
  const { call, passwords, userPoolId, verify } = access;
  const [ClientId, secret] = [passwords.id(), await passwords.secret()];
  const SECRET_HASH = createHmac('sha256', secret).update(`${username}${ClientId}`).digest('base64');
  const { fault, status, body } = await call('AdminInitiateAuth', {
    UserPoolId: userPoolId(),
    ClientId,
    AuthFlow: 'ADMIN_USER_PASSWORD_AUTH',
    AuthParameters: { USERNAME: username, PASSWORD: password, SECRET_HASH },
  });
  if (fault === 'PasswordResetRequiredException') return 'reset-required';
  if (fault && rejections.has(fault)) return 'rejected';
  if (status !== 200) throw new Error(`the user pool responded to a password with ${fault ?? status}`);
  const { AuthenticationResult } = parseResponse('the user pool', Authentication(), body);
  if (!AuthenticationResult) return 'challenged';
  const { IdToken, RefreshToken } = AuthenticationResult;
  // The tokens are not needed, so the long-lived one is revoked at once.
  if (RefreshToken) await revoke(access, { ClientId, ClientSecret: secret, Token: RefreshToken });
  const claims = await verify(IdToken, ClientId);
  return claims?.token_use === 'id' && claims.sub === subject ? 'confirmed' : 'rejected';
}

/** The log-in pages, without Cognito's own API. */
export const cognitoPages = (access: PagesAccess): OperatorIdentity => ({
  loginUrl({ state, nonce, challenge, provider, prompt }) {
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: access.pages.id(),
      redirect_uri: access.callbackUrl(),
      scope: 'openid email profile',
      state,
      nonce,
      code_challenge: challenge,
      code_challenge_method: 'S256',
      ...(provider && { identity_provider: ownProvider(provider) }),
      ...(prompt && { prompt }),
    });
    return `${access.url()}/oauth2/authorize?${query.toString()}`;
  },
  logoutUrl() {
    const query = new URLSearchParams({ client_id: access.pages.id(), logout_uri: access.homeUrl() });
    return `${access.url()}/logout?${query.toString()}`;
  },
  async identify({ code, verifier, nonce }) {
    const token = await exchangeCode(access, { code, verifier });
    if (token === undefined) return { rejected: 'the code was rejected' };
    const claims = await access.verify(token, access.pages.id());
    return (claims && identifiedBy(claims, nonce, access.clock.now())) ?? { rejected: 'the ID token was rejected' };
  },
});

export const cognito = (access: CognitoAccess): Identity => ({
  ...cognitoPages(access),
  checkPassword: (check) => checkPassword(access, check),
  async isEnabled(username) {
    const { fault, status, body } = await access.call('AdminGetUser', {
      UserPoolId: access.userPoolId(),
      Username: username,
    });
    if (fault === 'UserNotFoundException') return false;
    if (status !== 200) throw new Error(`the user pool responded to a user with ${fault ?? status}`);
    return parseResponse('the user pool', User(), body).Enabled;
  },
  async deleteUser(username) {
    const { fault, status } = await access.call('AdminDeleteUser', {
      UserPoolId: access.userPoolId(),
      Username: username,
    });
    if (fault === 'UserNotFoundException') return;
    if (status !== 200) throw new Error(`the user pool responded to a deletion with ${fault ?? status}`);
  },
});
