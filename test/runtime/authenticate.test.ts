/** Who may call what: token, limit and scope, over the real table. */
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { registry } from '../../shared/contracts/registry.ts';
import type { Scope } from '../../shared/contracts/scopes.ts';
import { tokenKey } from '../../shared/domain/keys.ts';
import { type Stores, stores } from '../../shared/domain/stores.ts';
import { emptyLog } from '../../shared/domain/tokens/rate-limit.ts';
import { tokenDigest, tokenSecretBytes, tokenText } from '../../shared/domain/tokens/token.ts';
import { authenticate } from '../../shared/runtime/authenticate.ts';
import type { Exchange } from '../../shared/runtime/exchange.ts';
import { type TestTable, testIds, testTable, testTime } from '../support/test-table.ts';

let host: TestTable;
let store: Stores;
let admissions: number;

const clock = { now: () => testTime };

beforeAll(async () => {
  host = await testTable();
});
afterAll(() => host.close());
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
  await store.tokens.insert(tokenDigest(text), { tokenId, accountId, name: 'test', scopes });
  return { text, tokenId, accountId };
}

/** A request for an operation, with these Authorization headers. */
const exchangeOf = (headers: readonly string[], contract: Exchange['contract'] = registry.getProfile): Exchange => {
  const multiValueHeaders = { AUTHORIZATION: [...headers] };
  return {
    contract,
    context: { ...store, clock } as Exchange['context'],
    event: { multiValueHeaders } as unknown as APIGatewayProxyEvent,
    requestId: 'request',
    startedAt: testTime,
    responseHeaders: {},
  };
};

const profileScope: Scope = registry.getProfile.scopes[0];
const refusal = (exchange: Exchange): Promise<unknown> =>
  authenticate(exchange).then(
    () => 'admitted',
    (error: unknown) => error,
  );

describe('a good token', () => {
  test('says who calls, and what is left of the minute', async () => {
    const { text, tokenId, accountId } = await aToken(profileScope);
    const exchange = exchangeOf([`Bearer ${text}`]);
    await authenticate(exchange);
    expect(exchange.caller).toStrictEqual({ accountId, tokenId, scopes: [profileScope] });
    expect(exchange.responseHeaders).toStrictEqual({
      'RateLimit-Policy': '"token";q=60;w=60',
      RateLimit: '"token";r=59;t=60',
    });
  });

  test.for(['bearer', 'BEARER', 'bEaReR'])('may come with the scheme %s', async (scheme) => {
    const { text, tokenId } = await aToken(profileScope);
    const exchange = exchangeOf([`${scheme} ${text}`]);
    await authenticate(exchange);
    expect(exchange.caller).toMatchObject({ tokenId });
  });
});

describe('a request is refused as unauthorized, and not counted,', () => {
  test.for<[string, (text: string) => string[]]>([
    ['without a header', () => []],
    ['with an empty header', () => ['']],
    ['without a scheme', (text) => [text]],
    ['with another scheme', (text) => [`Basic ${text}`]],
    ['with something before the scheme', (text) => [`x Bearer ${text}`]],
    ['with something after the token', (text) => [`Bearer ${text} x`]],
    ['with two spaces', (text) => [`Bearer  ${text}`]],
    ['with a token that is malformed', (text) => [`Bearer ${text}0`]],
    ['with the right header twice', (text) => [`Bearer ${text}`, `Bearer ${text}`]],
    ['with an empty header after the right one', (text) => [`Bearer ${text}`, '']],
    ['with an empty header before the right one', (text) => ['', `Bearer ${text}`]],
  ])('%s', async ([, headersOf]) => {
    const { text } = await aToken(profileScope);
    const exchange = exchangeOf(headersOf(text));
    expect(await refusal(exchange)).toMatchObject({ name: 'Refusal', code: 'UNAUTHORIZED' });
    expect(exchange).not.toHaveProperty('caller');
    expect(exchange.responseHeaders).toEqual({});
    expect(admissions).toBe(0);
  });

  test('with a token that nobody made', async () => {
    const exchange = exchangeOf([`Bearer ${tokenText('0'.repeat(56))}`]);
    expect(await refusal(exchange)).toMatchObject({ name: 'Refusal', code: 'UNAUTHORIZED' });
    expect(exchange).not.toHaveProperty('caller');
    expect(exchange.responseHeaders).toEqual({});
  });
});

test('a token over its limit is told when to come back and nothing of its scopes, and the log whose it is', async () => {
  const { text, tokenId, accountId } = await aToken('read:orders');
  await host.table.update({
    Key: tokenKey(tokenDigest(text)),
    UpdateExpression: 'SET rl = :log',
    ExpressionAttributeValues: { ':log': emptyLog().fill(testTime - 20_000) },
  });
  const exchange = exchangeOf([`Bearer ${text}`]);
  expect(await refusal(exchange)).toMatchObject({ name: 'Refusal', code: 'RATE_LIMITED', retryAfterSeconds: 40 });
  expect(exchange.responseHeaders).toMatchObject({ RateLimit: '"token";r=0;t=40' });
  expect(exchange.caller).toMatchObject({ accountId, tokenId });
});

describe('an operation', () => {
  const withScopes = (...scopes: Scope[]): Exchange['contract'] => ({ ...registry.getProfile, scopes });

  test('that asks for no scope lets everybody pass, and does not look at the header', async () => {
    const exchange = exchangeOf(['Bearer nonsense'], registry.listPlans);
    expect(await refusal(exchange)).toBe('admitted');
    expect(exchange).not.toHaveProperty('caller');
    expect(admissions).toBe(0);
  });

  test('lets a token pass that has any of its scopes', async () => {
    const { text } = await aToken('read:usage', 'read:orders');
    expect(await refusal(exchangeOf([`Bearer ${text}`], withScopes('read:tasks', 'read:orders')))).toBe('admitted');
  });

  test('refuses a token that has none of its scopes, and names them', async () => {
    const { text } = await aToken('read:usage');
    const exchange = exchangeOf([`Bearer ${text}`], withScopes('read:tasks'));
    const needsOne = { name: 'Refusal', code: 'FORBIDDEN', message: 'the token lacks the scope read:tasks' };
    expect(await refusal(exchange)).toMatchObject(needsOne);
    expect(exchange.responseHeaders).toMatchObject({ RateLimit: '"token";r=59;t=60' });
    const message = 'the token lacks one of the scopes read:tasks, read:orders';
    const needsOneOf = exchangeOf([`Bearer ${text}`], withScopes('read:tasks', 'read:orders'));
    expect(await refusal(needsOneOf)).toMatchObject({ ...needsOne, message });
  });
});
