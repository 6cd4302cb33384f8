/** The tokens, usage and deliveries of an account, as its owner sees them in the dashboard. */
import { beforeEach, describe, expect, test } from 'vitest';
import { activeTokensLimit, passwordGuesses } from '../../shared/contracts/limits.ts';
import { sessionKey, tokenKey } from '../../shared/domain/keys.ts';
import { confirmationMs } from '../../shared/domain/sessions/session.ts';
import { tokenDigest } from '../../shared/domain/tokens/token.ts';
import { tokenStore } from '../../shared/domain/tokens/token-store.ts';
import { callAsPage, type GivenSession, giveSession, type PageCall } from '../support/given-session.ts';
import { stillClock } from '../support/stepped-clock.ts';
import { serviceInTests, type TestAccount } from '../support/test-service.ts';

type OperationId = Parameters<typeof callAsPage>[1];

let account: TestAccount;
let owner: GivenSession;

const host = await serviceInTests({ clock: stillClock(), hasIdentity: true });
if (!host.service.identity) throw new Error('there is no identity provider');
const identity = host.service.identity;
beforeEach(async () => {
  account = await host.account();
  owner = await giveSession(host.service.context, account.accountId, ofGoogle());
});

const ana = { email: 'ana@example.com', name: 'Ana' };

/** The session of a user who logged in with Google, or with a password. */
function ofGoogle() {
  const { subject, username } = identity.users.fromProvider('Google', ana);
  return { kind: 'social', provider: 'Google', subject, username } as const;
}

const password = 'right horse';

function withPassword() {
  const user = identity.users.addWithPassword(ana, password);
  return { user, given: { subject: user.subject, username: user.username } };
}

const call = (operationId: OperationId, request: PageCall = {}) =>
  callAsPage(host.url, operationId, { cookie: owner.cookie, ...request });

const body = { name: 'Shop', scopes: ['read:profile'] };

interface Created {
  readonly token: string;
  readonly tokenId: string;
  readonly webhookToken: string;
}

async function created(): Promise<Created> {
  const response = await call('createToken', { body });
  expect(response.status, response.text).toBe(201);
  return response.body.data as Created;
}

const outcome = async (response: ReturnType<typeof call>) => {
  const { status, body: received } = await response;
  return [status, received.error?.code];
};

describe('a new token of an owner', () => {
  test('works at once, is shown once, and cannot be read again', async () => {
    const { token, tokenId, webhookToken } = await created();
    expect((await host.call('getProfile', { token })).status).toBe(200);
    const listed = await call('listTokens');
    expect(listed.body.data).toMatchObject({
      tokens: [{ tokenId, name: 'Shop', scopes: ['read:profile'], status: 'active', expiresAt: null }, {}],
    });
    const stored = JSON.stringify(await host.service.context.table.get(tokenKey(tokenDigest(token))));
    for (const text of [listed.text, stored]) {
      expect(text).not.toContain(token.slice(3, -8));
      expect(text).not.toContain(webhookToken);
    }
  });

  test('has the monthly cap that it was created with', async () => {
    await call('createToken', { body: { ...body, monthlyCreditCap: 7 } });
    const { body: listed } = await call('listTokens');
    const capped = { monthlyCreditCap: 7, creditsSpentThisMonth: 0 };
    expect(listed.data).toMatchObject({ tokens: [capped, { monthlyCreditCap: null, creditsSpentThisMonth: null }] });
  });

  test('is rejected from the first request after its revocation, and revoking can be repeated', async () => {
    const { token, tokenId } = await created();
    const params = { tokenId };
    expect((await call('revokeToken', { params })).status).toBe(200);
    expect((await host.call('getProfile', { token })).status).toBe(401);
    expect((await call('revokeToken', { params })).status).toBe(200);
  });

  test.each([
    ['a blank name', { name: ' ' }],
    ['a control character in its name', { name: 'a\u0007' }],
    ['a character that reverses the text after its name', { name: 'a\u202e' }],
    ['a name of 101 characters', { name: 'n'.repeat(101) }],
    ['no scope', { scopes: [] }],
    ['an unknown scope', { scopes: ['read:everything'] }],
    ['a scope twice', { scopes: ['read:usage', 'read:usage'] }],
    ['an expiry in the past', { expiresAt: '2020-01-31T00:00:00Z' }],
    ['an expiry in more than five years', { expiresAt: '2099-01-31T00:00:00Z' }],
    ['an expiry that is not a date-time', { expiresAt: 'tomorrow' }],
  ])('cannot have %s', async (_, wrong) => {
    expect(await outcome(call('createToken', { body: { ...body, ...wrong } }))).toEqual([400, 'VALIDATION_ERROR']);
  });

  test('is rejected with 409 when the limit of active tokens is reached, until one is revoked', async () => {
    // The account has one token from the beginning.
    const made = [];
    for (let count = 1; count < activeTokensLimit; count += 1) made.push(await created());
    expect(await outcome(call('createToken', { body }))).toEqual([409, 'TOO_MANY_TOKENS']);
    await call('revokeToken', { params: { tokenId: made[0]?.tokenId ?? '' } });
    expect((await call('createToken', { body })).status).toBe(201);
  });
});

describe('the confirmation of an owner’s identity', () => {
  test.each([
    [598, 'is recent enough', [201, undefined]],
    [602, 'is too old', [403, 'CONFIRMATION_REQUIRED']],
  ] as const)('by social log-in %i seconds ago %s', async (seconds, _, expected) => {
    const authenticatedAt = host.clock.now() - seconds * 1000;
    const given = { ...ofGoogle(), authenticatedAt };
    const { cookie } = await giveSession(host.service.context, account.accountId, given);
    expect(confirmationMs).toBe(600_000);
    expect(await outcome(call('createToken', { cookie, body }))).toEqual(expected);
  });

  test('by password requires the password, and only five of a hundred concurrent wrong ones are checked', async () => {
    const { cookie } = await giveSession(host.service.context, account.accountId);
    expect(await outcome(call('createToken', { cookie, body }))).toEqual([403, 'CONFIRMATION_REQUIRED']);
    const sessions = await Promise.all(
      Array.from({ length: 4 }, () => giveSession(host.service.context, account.accountId)),
    );
    const guess = (position: number) =>
      outcome(
        call('createToken', {
          cookie: sessions[position % sessions.length]?.cookie ?? '',
          body: { ...body, password: `guess ${position}` },
        }),
      );
    const outcomes = await Promise.all(Array.from({ length: 100 }, (_, position) => guess(position)));
    expect(outcomes.filter(([, code]) => code === 'WRONG_PASSWORD')).toHaveLength(passwordGuesses);
    expect(outcomes.filter(([status]) => status === 429)).toHaveLength(100 - passwordGuesses);
  });

  test('by a user who was disabled after logging in creates no token', async () => {
    const { username } = ofGoogle();
    const user = identity.users.findByName(username);
    if (!user) throw new Error('there is no such user');
    user.isEnabled = false;
    expect(await outcome(call('createToken', { body }))).toEqual([403, 'CONFIRMATION_REQUIRED']);
    user.isEnabled = true;
    expect((await call('createToken', { body })).status).toBe(201);
  });

  test('by the right password creates a token long after the log-in and clears earlier guesses', async () => {
    const given = { ...withPassword().given, authenticatedAt: host.clock.now() - 3_600_000 };
    const { cookie } = await giveSession(host.service.context, account.accountId, given);
    const attempt = (tried: string) => outcome(call('createToken', { cookie, body: { ...body, password: tried } }));
    for (let round = 0; round < 2; round += 1) {
      for (let count = 1; count < passwordGuesses; count += 1) {
        expect(await attempt('wrong horse')).toEqual([403, 'WRONG_PASSWORD']);
      }
      expect(await attempt(password)).toEqual([201, undefined]);
    }
  });

  test('by the right password is not checked after too many guesses, until fifteen minutes have passed', async () => {
    const { cookie } = await giveSession(host.service.context, account.accountId, withPassword().given);
    const attempt = (tried: string) => call('createToken', { cookie, body: { ...body, password: tried } });
    for (let count = 0; count < passwordGuesses; count += 1) await attempt('wrong horse');
    const checked = identity.userPool.checked();
    const locked = await attempt(password);
    expect([locked.status, locked.body.error?.code]).toEqual([429, 'RATE_LIMITED']);
    expect(identity.userPool.checked()).toBe(checked);
    host.clock.advance(1000 * Number(locked.headers['retry-after']));
    expect((await attempt(password)).status).toBe(201);
  });

  test('by a user with a second factor needs a password and a recent log-in, without which no password guess is counted', async () => {
    const { given, user } = withPassword();
    user.hasSecondFactor = true;
    const authenticatedAt = host.clock.now() - confirmationMs - 1000;
    const old = await giveSession(host.service.context, account.accountId, { ...given, authenticatedAt });
    const recent = await giveSession(host.service.context, account.accountId, given);
    const attempt = ({ cookie }: GivenSession, tried: string) =>
      outcome(call('createToken', { cookie, body: { ...body, password: tried } }));
    for (let count = 0; count <= passwordGuesses; count += 1) {
      expect(await attempt(old, password)).toEqual([403, 'CONFIRMATION_REQUIRED']);
    }
    expect(await attempt(recent, 'wrong horse')).toEqual([403, 'WRONG_PASSWORD']);
    expect(await attempt(recent, password)).toEqual([201, undefined]);
  });

  test.each([
    ['is revoked', { endedAt: 1 }],
    ['is of another provider', { provider: 'Facebook' }],
  ])('does not count if its session %s between the check and the write', async (_, change) => {
    const { context } = host.service;
    const [[name, value] = ['', '']] = Object.entries<string | number>(change);
    let attacked = '';
    const table: typeof context.table = {
      ...context.table,
      async transact(actions) {
        await context.table.update({
          Key: sessionKey(attacked),
          UpdateExpression: 'SET #name = :value',
          ExpressionAttributeNames: { '#name': name },
          ExpressionAttributeValues: { ':value': value },
        });
        return context.table.transact(actions);
      },
    };
    const params = { tokenId: account.tokenId };
    for (const [operationId, request] of [
      ['createToken', { body }],
      ['setTokenCap', { params, body: { monthlyCreditCap: 5 } }],
    ] as const) {
      const { cookie, digest } = await giveSession(context, account.accountId, ofGoogle());
      attacked = digest;
      const response = await host.withContext({ ...context, table }, () =>
        outcome(call(operationId, { ...request, cookie })),
      );
      expect(response, operationId).toEqual([403, 'CONFIRMATION_REQUIRED']);
    }
    const [token, ...others] = await tokenStore(context.table).list(account.accountId);
    expect([token?.monthlyCreditCap, others]).toEqual([undefined, []]);
  });
});

describe('a change of a token’s monthly cap', () => {
  const capOf = async () => (await tokenStore(host.service.context.table).list(account.accountId))[0]?.monthlyCreditCap;
  const setCap = (request: PageCall = {}) =>
    outcome(
      call('setTokenCap', { params: { tokenId: account.tokenId }, body: { monthlyCreditCap: null }, ...request }),
    );

  beforeEach(async () => {
    await tokenStore(host.service.context.table).setCap(account.accountId, account.tokenId, 5);
  });

  test('needs the owner’s password, whose wrong guesses count together with those for new tokens', async () => {
    const { cookie } = await giveSession(host.service.context, account.accountId, withPassword().given);
    const attempt = (tried?: string) =>
      setCap({ cookie, body: { monthlyCreditCap: null, ...(tried !== undefined && { password: tried }) } });
    expect(await attempt()).toEqual([403, 'CONFIRMATION_REQUIRED']);
    expect(await attempt('wrong horse')).toEqual([403, 'WRONG_PASSWORD']);
    expect(await capOf()).toBe(5);
    expect(await attempt(password)).toEqual([200, undefined]);
    expect(await capOf()).toBeUndefined();
    for (let count = 0; count < passwordGuesses; count += 1) {
      await call('createToken', { cookie, body: { ...body, password: 'wrong horse' } });
    }
    expect(await attempt(password)).toEqual([429, 'RATE_LIMITED']);
  });

  test('by an owner without a password needs a social log-in of the last ten minutes', async () => {
    const given = { ...ofGoogle(), authenticatedAt: host.clock.now() - confirmationMs - 2000 };
    const { cookie } = await giveSession(host.service.context, account.accountId, given);
    expect(await setCap({ cookie })).toEqual([403, 'CONFIRMATION_REQUIRED']);
    expect(await capOf()).toBe(5);
    expect(await setCap()).toEqual([200, undefined]);
    expect(await capOf()).toBeUndefined();
  });
});

test('an owner’s request with another account’s id gets the same response as one with an unknown id', async () => {
  const stranger = await host.account();
  const taskId = await host.speak(stranger.token);
  const nothing = host.service.context.ids.next();
  const cases = [
    ['revokeToken', 'tokenId', stranger.tokenId],
    ['redeliverWebhook', 'taskId', taskId],
  ] as const;
  for (const [operationId, name, id] of cases) {
    const [foreign, missing] = [
      await call(operationId, { params: { [name]: id } }),
      await call(operationId, { params: { [name]: nothing } }),
    ];
    expect([foreign.status, foreign.text]).toEqual([404, missing.text]);
  }
  expect((await host.call('getProfile', { token: stranger.token })).status).toBe(200);
});

test('a webhook cannot be sent again before its task has ended', async () => {
  const taskId = await host.speak(account.token);
  const expected = [409, 'WEBHOOK_NOT_DELIVERABLE'];
  expect(await outcome(call('redeliverWebhook', { params: { taskId } }))).toEqual(expected);
});
