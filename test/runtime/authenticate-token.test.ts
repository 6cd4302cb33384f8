/** Authentication by token: token, rate limit and scope, on the real table. */

import type { APIGatewayProxyEvent } from 'aws-lambda';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Scope } from '../../shared/contracts/scopes.ts';
import { tokenKey } from '../../shared/domain/keys.ts';
import { emptyLog } from '../../shared/domain/rate-limit.ts';
import { type Stores, stores } from '../../shared/domain/stores.ts';
import { tokenDigest, tokenSecretBytes, tokenText } from '../../shared/domain/tokens/token.ts';
import { tokenStore } from '../../shared/domain/tokens/token-store.ts';
import { authenticateToken } from '../../shared/runtime/authenticate-token.ts';
import type { Exchange } from '../../shared/runtime/exchange.ts';
import { tableInTests, testIds, testTime } from '../support/test-table.ts';

let store: Stores;
let admissions: number;

const clock = { now: () => testTime };

const host = await tableInTests();
beforeEach(() => {
  const made = stores(host.table, clock);
  admissions = 0;
  const admit: Stores['tokens']['admit'] = (...given) => {
    admissions += 1;
    return made.tokens.admit(...given);
  };
  store = { ...made, tokens: { ...made.tokens, admit } };
});

async function aToken(...scopes: Scope[]) {
  const text = tokenText(testIds.secret(tokenSecretBytes));
  const [tokenId, accountId] = [testIds.next(), testIds.next()];
  await tokenStore(store.table).insert(tokenDigest(text), { tokenId, accountId, name: 'test', scopes });
  return { text, tokenId, accountId };
}

/** A request with these Authorization headers. */
const exchangeOf = (headers: readonly string[]): Exchange => {
  const multiValueHeaders = { AUTHORIZATION: [...headers] };
  return {
    name: 'getProfile',
    rules: {},
    event: { multiValueHeaders } as unknown as APIGatewayProxyEvent,
    requestId: 'request',
    startedAt: testTime,
    responseHeaders: {},
    cookies: [],
  };
};

const profileScope: Scope = 'read:profile';

const authenticate = (exchange: Exchange, scopes: readonly Scope[] = [profileScope]) =>
  authenticateToken(exchange, { ...store, clock }, scopes);

const outcome = (exchange: Exchange, scopes?: readonly Scope[]): Promise<unknown> =>
  authenticate(exchange, scopes).then(
    () => 'admitted',
    (error: unknown) => error,
  );

const unauthenticated = { name: 'Rejection', kind: 'unauthenticated' };

describe('a valid token', () => {
  test('identifies the caller and returns the remaining rate limit', async () => {
    const { text, tokenId, accountId } = await aToken(profileScope);
    const exchange = exchangeOf([`Bearer ${text}`]);
    const actor = { kind: 'token', accountId, tokenId, scopes: [profileScope], monthlyCreditCap: undefined };
    expect(await authenticate(exchange)).toStrictEqual(actor);
    expect(exchange.responseHeaders).toStrictEqual({
      'RateLimit-Policy': '"token";q=60;w=60',
      RateLimit: '"token";r=59;t=60',
    });
  });

  test.for(['bearer', 'BEARER', 'bEaReR'])('is accepted with the scheme %s', async (scheme) => {
    const { text, tokenId } = await aToken(profileScope);
    const exchange = exchangeOf([`${scheme} ${text}`]);
    expect(await authenticate(exchange)).toMatchObject({ tokenId });
  });
});

describe('a request is rejected as unauthenticated and not counted', () => {
  test.for<[string, (text: string) => string[]]>([
    ['without an Authorization header', () => []],
    ['with an empty Authorization header', () => ['']],
    ['without a scheme', (text) => [text]],
    ['with another scheme', (text) => [`Basic ${text}`]],
    ['with text before the scheme', (text) => [`x Bearer ${text}`]],
    ['with text after the token', (text) => [`Bearer ${text} x`]],
    ['with two spaces', (text) => [`Bearer  ${text}`]],
    ['with a malformed token', (text) => [`Bearer ${text}0`]],
    ['with the valid header twice', (text) => [`Bearer ${text}`, `Bearer ${text}`]],
    ['with an empty header after the valid one', (text) => [`Bearer ${text}`, '']],
    ['with an empty header before the valid one', (text) => ['', `Bearer ${text}`]],
  ])('%s', async ([, headersOf]) => {
    const { text } = await aToken(profileScope);
    const exchange = exchangeOf(headersOf(text));
    expect(await outcome(exchange)).toMatchObject(unauthenticated);
    expect(exchange).not.toHaveProperty('actor');
    expect(exchange.responseHeaders).toEqual({ 'WWW-Authenticate': 'Bearer' });
    expect(admissions).toBe(0);
  });

  test('with a token that was never created', async () => {
    const exchange = exchangeOf([`Bearer ${tokenText('0'.repeat(56))}`]);
    expect(await outcome(exchange)).toMatchObject(unauthenticated);
    expect(exchange).not.toHaveProperty('actor');
    expect(exchange.responseHeaders).toEqual({ 'WWW-Authenticate': 'Bearer' });
  });
});

test('a request with a token over its rate limit gets Retry-After but no scopes of the token, and the log names the account', async () => {
  const { text, tokenId, accountId } = await aToken('read:orders');
  await host.table.update({
    Key: tokenKey(tokenDigest(text)),
    UpdateExpression: 'SET rl = :log',
    ExpressionAttributeValues: { ':log': emptyLog().fill(testTime - 20_000) },
  });
  const exchange = exchangeOf([`Bearer ${text}`]);
  const limited = { name: 'Rejection', kind: 'rate-limited', details: { retryAfterSeconds: 40 } };
  expect(await outcome(exchange)).toMatchObject(limited);
  expect(exchange.responseHeaders).toMatchObject({ RateLimit: '"token";r=0;t=40' });
  expect(exchange.actor).toMatchObject({ accountId, tokenId });
});

describe('an operation with required scopes', () => {
  test('accepts a token that has any of its scopes', async () => {
    const { text } = await aToken('read:usage', 'read:orders');
    expect(await outcome(exchangeOf([`Bearer ${text}`]), ['read:tasks', 'read:orders'])).toBe('admitted');
  });

  test('rejects a token that has none of its scopes, and names the scopes', async () => {
    const { text } = await aToken('read:usage');
    const exchange = exchangeOf([`Bearer ${text}`]);
    const forbidden = (message: string) => ({ name: 'Rejection', kind: 'forbidden', details: { message } });
    expect(await outcome(exchange, ['read:tasks'])).toMatchObject(forbidden('The token lacks the scope read:tasks.'));
    expect(exchange.responseHeaders).toMatchObject({ RateLimit: '"token";r=59;t=60' });
    expect(await outcome(exchangeOf([`Bearer ${text}`]), ['read:tasks', 'read:orders'])).toMatchObject(
      forbidden('The token lacks one of the scopes read:tasks, read:orders.'),
    );
  });
});
