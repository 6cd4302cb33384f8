/** Which ID tokens and passwords the adapter to Cognito accepts, tested with the local identity provider. */
import { generateKeyPairSync } from 'node:crypto';
import { inspect } from 'node:util';
import { SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { startIdentityProvider } from '../../../infra/local/identity/identity-provider.ts';
import { localIdentity } from '../../../infra/local/service-environment.ts';
import { type CognitoAccess, cognito } from '../../../shared/gateways/cognito/cognito.ts';
import { identifiedBy } from '../../../shared/gateways/cognito/cognito-claims.ts';
import { identityProvider } from '../../../shared/gateways/identity-provider.ts';
import { systemClock } from '../../../shared/platform/clock.ts';
import { idTokens } from '../../../shared/platform/id-tokens.ts';
import type { SettingValues } from '../../../shared/platform/setting-values.ts';
import { settingsOf, settingVariables } from '../../../shared/platform/settings.ts';
import { localServer } from '../../support/local-server.ts';
import { RecordingLogger } from '../../support/recording-logger.ts';
import { stillClock } from '../../support/stepped-clock.ts';

const clock = stillClock();
let claims: Record<string, unknown>;

const home = 'http://localhost:1/account/api/home';

const provider = await startIdentityProvider({ siteUrl: 'http://localhost:1', now: () => clock.now() });
const { identityIssuer, identityKeysUrl } = provider.settings;
const verify = idTokens({ issuer: () => identityIssuer, keysUrl: () => identityKeysUrl, clock });
afterAll(() => provider.close());

const seconds = () => Math.floor(clock.now() / 1000);

beforeEach(() => {
  claims = {
    iss: provider.settings.identityIssuer,
    aud: provider.settings.identityClient,
    sub: 'subject',
    token_use: 'id',
    'cognito:username': 'subject',
    origin_jti: 'log-in',
    nonce: 'nonce',
    auth_time: seconds(),
    iat: seconds(),
    exp: seconds() + 3600,
    email: 'ana@example.com',
    email_verified: true,
  };
});

const audience = () => provider.settings.identityClient;
const believed = async (token: string) => {
  const read = await verify(token, audience());
  return read && identifiedBy(read, 'nonce', systemClock.now());
};

describe('a Cognito ID token', () => {
  test('states which user logged in, when and how', async () => {
    expect(await believed(await provider.sign(claims))).toEqual({
      issuer: provider.settings.identityIssuer,
      subject: 'subject',
      username: 'subject',
      kind: 'password',
      provider: 'password',
      name: 'ana@example.com',
      email: 'ana@example.com',
      isEmailVerified: true,
      authenticatedAt: seconds() * 1000,
      loginId: 'log-in',
      groups: [],
    });
  });

  test.each([
    ['for another client', { aud: 'another' }],
    ['of another issuer', { iss: 'https://evil.example' }],
    ['that has expired', { exp: 1000 }],
    ['without an expiry', { exp: undefined }],
    ['that is an access token', { token_use: 'access' }],
    ['for another log-in attempt', { nonce: 'another' }],
    ['without a nonce', { nonce: undefined }],
    ['without the time of the log-in', { auth_time: undefined }],
    ['without the id of the log-in', { origin_jti: undefined }],
    ['without a user', { sub: undefined }],
  ])('%s is not accepted', async (_, change) => {
    expect(await believed(await provider.sign({ ...claims, ...change }))).toBeUndefined();
  });

  const falseDomains = 'example.com/x example.com# example.com? example.com\\a %65xample.com '.split(' ');
  test.for([...falseDomains.map((domain) => `ana@${domain}`), '(c)ana@example.com', 'ana(c)@example.com'])(
    'takes the address %s, whose domain is no host name or whose name has a comment, for none',
    async (email) => {
      const found = await believed(await provider.sign({ ...claims, email }));
      expect(found).toMatchObject({ email: '', isEmailVerified: false });
    },
  );

  test('names a user without a name by whole characters of the email address', async () => {
    const email = `${'a'.repeat(119)}🍞@example.com`;
    expect(await believed(await provider.sign({ ...claims, name: '', email }))).toMatchObject({
      email,
      name: 'a'.repeat(119),
    });
  });

  test('yields the user’s name in one line without hidden or reversed text, and no invalid email address', async () => {
    const names = { name: '  Ana\u202e\u0000\nSilva\ud800 ', email: 'ana\u202e@example.com' };
    expect(await believed(await provider.sign({ ...claims, ...names }))).toMatchObject({
      name: expect.stringMatching(/^Ana Silva/),
      email: '',
      isEmailVerified: false,
    });
  });

  test.for([0, -1, 9e15, 1e300])(
    'with an impossible log-in time (%d) does not count as a recent log-in',
    async (auth_time) => {
      expect(await believed(await provider.sign({ ...claims, auth_time }))).toMatchObject({ authenticatedAt: 0 });
    },
  );

  test.for([
    [30, 'counts'],
    [3600, 'does not count'],
    [11 * 3600, 'does not count'],
  ] as const)('with a log-in time %d seconds in the future %s as a recent log-in', async ([ahead, verdict]) => {
    const auth_time = seconds() + ahead;
    const expected = verdict === 'counts' ? auth_time * 1000 : 0;
    expect(await believed(await provider.sign({ ...claims, auth_time }))).toMatchObject({
      authenticatedAt: expected,
    });
  });

  test('without a signature, signed with another key or with a shared secret is not accepted', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const forged = new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'local' }).sign(privateKey);
    const secret = Buffer.from(provider.settings.identityClientSecret);
    const shared = new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: 'local' }).sign(secret);
    for (const token of [new UnsecuredJWT(claims).encode(), await forged, await shared, 'a.b.c', '']) {
      expect(await believed(token)).toBeUndefined();
    }
  });

  test('causes an error, not a rejection, while Cognito’s keys cannot be fetched', async () => {
    const { identityIssuer } = provider.settings;
    const unread = async (keysUrl: string) =>
      idTokens({ issuer: () => identityIssuer, keysUrl: () => keysUrl, clock })(
        await provider.sign(claims),
        audience(),
      );
    await expect(unread('http://127.0.0.1:1/keys')).rejects.toThrow();
    for (const [status, body] of [
      [503, '{"keys":[]}'],
      [200, '<html>'],
      [200, '{}'],
    ] as const) {
      const server = await localServer((_, response) => void response.writeHead(status).end(body));
      await expect(unread(server.url), body).rejects.toThrow();
      await server.close();
    }
  });

  const google = [{ providerName: 'Google' }];
  test.each([
    ['a user of another provider only', 'Google_1', google, 'Google'],
    ['a user of another provider only, in a pool with lower-case names', 'google_1', google, 'Google'],
    ['a password account that is linked to another provider', 'subject', google, 'password'],
    ['a user who is linked to two other providers', 'Google_1', [...google, { providerName: 'Facebook' }], 'password'],
    ['a password user who is named like a user of another provider', 'Google_1', [], 'password'],
  ])('names the identity provider of the log-in: %s', async (_, username, identities, expected) => {
    const token = await provider.sign({ ...claims, 'cognito:username': username, identities });
    expect(await believed(token)).toMatchObject({ provider: expected });
  });

  test.each([
    [true, 'a verified', true],
    ['true', 'a verified', true],
    [false, 'an unverified', false],
    ['false', 'an unverified', false],
    [undefined, 'an unverified', false],
  ])('with the email verification claim %j contains %s address', async (flag, _, expected) => {
    expect(await believed(await provider.sign({ ...claims, email_verified: flag }))).toMatchObject({
      isEmailVerified: expected,
    });
  });
});

const secret = { id: () => 'id', secret: async () => 'secret' };
const access: CognitoAccess = {
  url: () => provider.url,
  userPoolId: () => 'local',
  pages: secret,
  passwords: secret,
  callbackUrl: () => home,
  homeUrl: () => home,
  clock: systemClock,
  verify: async () => ({ token_use: 'id', sub: 's' }),
  call: () => Promise.reject(new Error('unreachable')),
  logger: new RecordingLogger(),
};

describe('a Cognito log-in code', () => {
  const identified = async (status: number, body: unknown) => {
    const server = await localServer((_, response) => void response.writeHead(status).end(JSON.stringify(body)));
    const adapter = cognito({ ...access, url: () => server.url });
    try {
      return await adapter.identify({ code: 'c', verifier: 'v', nonce: 'n' });
    } finally {
      await server.close();
    }
  };

  test('that is invalid identifies no user', async () => {
    expect(await identified(400, { error: 'invalid_grant' })).toEqual({ rejected: 'the code was rejected' });
  });

  test.each([
    [400, { error: 'invalid_client' }],
    [400, { error: 'invalid_request' }],
    [400, '<html>'],
    [401, { error: 'invalid_grant' }],
    [503, {}],
  ])('causes an error, not a rejection, after a response with the status %s and the body %j', async (status, body) => {
    await expect(identified(status, body)).rejects.toThrow(`responded to a code with ${status}`);
  });
});

describe('a Cognito password', () => {
  const identity = (changes: Partial<SettingValues> = {}) => {
    const given = { dashboardUrl: 'http://localhost:1', ...provider.settings, ...changes };
    const named = Object.entries(given).map(([name, value]) => [settingVariables[name as keyof SettingValues], value]);
    const environment: Record<string, string> = {
      ...localIdentity,
      AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER: provider.url,
      ...Object.fromEntries(named),
    };
    return identityProvider({ clock, settings: settingsOf(environment), logger: new RecordingLogger() });
  };
  const ana = () => provider.users.addWithPassword({ email: 'ana@example.com', name: 'Ana' }, 'right horse');
  const check = (password: string, given = ana()) =>
    identity().checkPassword({ username: given.username, subject: given.subject, password });

  test('confirms its user and leaves no valid token behind', async () => {
    expect(await check('right horse')).toBe('confirmed');
    expect(provider.userPool.refreshTokens.size).toBe(0);
  });

  test.each([
    ['is rejected', async () => ({ status: 400, fault: 'UnsupportedTokenTypeException', body: {} })],
    ['gets no response', () => Promise.reject(new Error('the user pool did not respond to RevokeToken'))],
  ])(
    'confirms its user even if the token’s revocation %s, which is logged',
    async (_, revoke: CognitoAccess['call']) => {
      const logger = new RecordingLogger();
      const body = { AuthenticationResult: { IdToken: 'id', RefreshToken: 'refresh-canary' } };
      const call: CognitoAccess['call'] = async (operation, request) =>
        operation === 'RevokeToken' ? revoke(operation, request) : { status: 200, fault: undefined, body };
      const adapter = cognito({ ...access, call, logger });
      expect(await adapter.checkPassword({ username: 'u', subject: 's', password: 'p' })).toBe('confirmed');
      expect(logger.warnings).toHaveLength(1);
      expect(inspect(logger.warnings)).not.toContain('refresh-canary');
    },
  );

  test('that is wrong or belongs to another or an unknown user confirms no user', async () => {
    const bia = provider.users.addWithPassword({ email: 'bia@example.com', name: 'Bia' }, 'other horse');
    expect(await check('wrong horse')).toBe('rejected');
    expect(await check('')).toBe('rejected');
    expect(await check('other horse', { ...bia, subject: ana().subject })).toBe('rejected');
    expect(await check('right horse', { ...ana(), username: 'unknown' })).toBe('rejected');
  });

  test('of a disabled user confirms no user', async () => {
    const user = ana();
    user.isEnabled = false;
    expect(await identity().isEnabled(user.username)).toBe(false);
    expect(await check('right horse', user)).toBe('rejected');
    user.isEnabled = true;
    expect(await identity().isEnabled(user.username)).toBe(true);
    expect(await identity().isEnabled('unknown')).toBe(false);
  });

  test('is gone once its user is deleted, and the deletion can be repeated', async () => {
    const { username } = provider.users.addWithPassword({ email: 'leaves@example.com', name: 'Lia' }, 'gone horse');
    const user = provider.users.findByName(username);
    await identity().deleteUser(username);
    await identity().deleteUser(username);
    expect(user && (await check('gone horse', user))).toBe('rejected');
    const wrong = identity({ identityIssuer: 'https://identity.invalid/other' });
    await expect(wrong.deleteUser(username)).rejects.toThrow(/deletion with ResourceNotFoundException$/);
  });

  test('that is checked against the wrong user pool causes an error that quotes no input', async () => {
    const wrong = identity({ identityIssuer: 'https://identity.invalid/other' });
    const failed = wrong.checkPassword({ username: 'a-name', subject: 'a-subject', password: 'right horse' });
    await expect(failed).rejects.toThrow(/^the user pool responded to a password with ResourceNotFoundException$/);
  });

  test.each([
    [
      'a second factor',
      { status: 200, fault: undefined, body: { ChallengeName: 'SOFTWARE_TOKEN_MFA', Session: 's' } },
      'challenged',
    ],
    ['a new password', { status: 400, fault: 'PasswordResetRequiredException', body: {} }, 'reset-required'],
  ])('alone does not confirm a user who needs %s', async (_, response, verdict) => {
    const adapter = cognito({ ...access, call: async () => response });
    expect(await adapter.checkPassword({ username: 'u', subject: 's', password: 'p' })).toBe(verdict);
  });
});
