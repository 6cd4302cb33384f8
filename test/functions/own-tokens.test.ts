/** The tokens, usage and deliveries of an account, as its owner sees them in the dashboard. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { activeTokensLimit, passwordGuesses } from '../../shared/contracts/limits.ts';
import { confirmationMs } from '../../shared/domain/dashboard/session.ts';
import { tokenKey } from '../../shared/domain/keys.ts';
import { tokenDigest } from '../../shared/domain/tokens/token.ts';
import { callAsPage, type GivenSession, giveSession, type PageCall } from '../support/given-session.ts';
import { stillClock } from '../support/stepped-clock.ts';
import { type TestAccount, type TestService, testService } from '../support/test-service.ts';

type OperationId = Parameters<typeof callAsPage>[1];

let host: TestService;
let account: TestAccount;
let owner: GivenSession;

beforeAll(async () => {
  host = await testService({ clock: stillClock(), hasIdentity: true });
});
afterAll(() => host.close());
beforeEach(async () => {
  account = await host.account();
  owner = await giveSession(host.service.context, account.accountId, { kind: 'social', provider: 'Google' });
});

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

describe('a new token', () => {
  test('works at once, is shown once, and is nowhere afterwards', async () => {
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

  test('is rejected by the next request after its revocation, which can be repeated', async () => {
    const { token, tokenId } = await created();
    const params = { tokenId };
    expect((await call('revokeToken', { params })).status).toBe(200);
    expect((await host.call('getProfile', { token })).status).toBe(401);
    expect((await call('revokeToken', { params })).status).toBe(200);
  });

  test.each([
    ['a blank name', { name: ' ' }],
    ['a control character in its name', { name: 'a\u0007' }],
    ['a name of 101 characters', { name: 'n'.repeat(101) }],
    ['no scope', { scopes: [] }],
    ['an unknown scope', { scopes: ['read:everything'] }],
    ['a scope twice', { scopes: ['read:usage', 'read:usage'] }],
    ['an expiry in the past', { expiresAt: '2020-01-31T00:00:00Z' }],
    ['an expiry in more than five years', { expiresAt: '2099-01-31T00:00:00Z' }],
    ['an expiry that is no time', { expiresAt: 'tomorrow' }],
  ])('cannot have %s', async (_, wrong) => {
    expect(await outcome(call('createToken', { body: { ...body, ...wrong } }))).toEqual([400, 'VALIDATION_ERROR']);
  });

  test('is rejected with 409 when as many as the limit are active, until one is revoked', async () => {
    // The account has one from the beginning.
    const made = [];
    for (let count = 1; count < activeTokensLimit; count += 1) made.push(await created());
    expect(await outcome(call('createToken', { body }))).toEqual([409, 'TOO_MANY_TOKENS']);
    await call('revokeToken', { params: { tokenId: made[0]?.tokenId ?? '' } });
    expect((await call('createToken', { body })).status).toBe(201);
  });
});

describe('the confirmation of who the owner is', () => {
  test.each([
    [598, [201, undefined]],
    [602, [403, 'CONFIRMATION_REQUIRED']],
  ] as const)('of a social account counts %i seconds after its log-in as %j', async (seconds, expected) => {
    const authenticatedAt = host.clock.now() - seconds * 1000;
    const given = { kind: 'social', provider: 'Google', authenticatedAt } as const;
    const { cookie } = await giveSession(host.service.context, account.accountId, given);
    expect(confirmationMs).toBe(600_000);
    expect(await outcome(call('createToken', { cookie, body }))).toEqual(expected);
  });

  test('of an account with a password needs it, and of a hundred wrong ones at once five are checked', async () => {
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
});

test('ids of another account are reported exactly like ids of nothing', async () => {
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

test('usage has what the owner’s tasks cost today, by type and token, and rejects other ranges', async () => {
  await host.speak(account.token);
  const { body: received } = await call('getUsage');
  expect(received.data).toMatchObject({
    isComplete: true,
    usage: [{ taskType: 'voice', tokenId: account.tokenId, tasks: 1, creditsUsed: 1, creditsRefunded: 0 }],
  });
  for (const query of ['from=2026-02-30', 'from=2026-01-02&to=2026-01-01', 'from=2026-01-01&to=2026-04-03']) {
    expect(await outcome(call('getUsage', { query }))).toEqual([400, 'VALIDATION_ERROR']);
  }
  expect((await call('getUsage', { query: 'from=2026-01-01&to=2026-04-02' })).status).toBe(200);
});

test('a webhook is not sent again before its task has ended', async () => {
  const taskId = await host.speak(account.token);
  const expected = [409, 'WEBHOOK_NOT_REDELIVERABLE'];
  expect(await outcome(call('redeliverWebhook', { params: { taskId } }))).toEqual(expected);
});
