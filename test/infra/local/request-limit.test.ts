/** Slow requests of one caller to the local service. */
import { expect, test } from 'vitest';
import { requestLimit } from '../../../infra/local/request-limit.ts';
import { sessionRoot } from '../../../shared/contracts/operation.ts';
import { sessionKey, tokenKey } from '../../../shared/domain/keys.ts';
import { sessionDigest } from '../../../shared/domain/sessions/session.ts';
import { tokenDigest } from '../../../shared/domain/tokens/token.ts';

const batch = '/api/v1/generate/batch';
const never = () => new Promise<never>(() => undefined);
const one = async () => 1;
let count = 0;

const ofToken = (name: string | number, resource = batch) => ({
  httpMethod: 'POST',
  resource,
  headers: { Authorization: `Bearer av_${name}` },
});
const ofSession = (name: string | number, resource = batch) => ({
  httpMethod: 'POST',
  resource: resource.replace('/api/v1/', sessionRoot),
  headers: { Cookie: `session=${name}`, authorization: `Bearer ${count++}` },
});

/** All numbered tokens and sessions belong to one account; others are unknown. */
const numbered = Array.from({ length: 100 }, (_, index) => index);
const owned = new Set<string>(
  numbered.flatMap((index) => [tokenKey(tokenDigest(`av_${index}`)).pk, sessionKey(sessionDigest(`${index}`)).pk]),
);
const limitInTest = () => requestLimit(async ({ pk }) => (owned.has(pk) ? 'the account' : undefined));

test('slow requests of one token, however their headers are written, leave places for requests of other tokens', async () => {
  const limited = limitInTest();
  for (const index of numbered) {
    const headers = { Cookie: `x=${index}`, authorization: `${index % 2 ? 'Bearer' : 'bearer'} av_slow` };
    void limited({ httpMethod: 'POST', resource: batch, headers }, never);
  }
  expect(await limited(ofToken('other'), one)).toBe(1);
});

test.each([
  ['create tasks', batch],
  ['store products', '/api/v1/studio/products'],
  ['read', '/api/v1/tasks'],
])(
  'slow requests that %s, of all tokens and sessions of an account, leave places for those of others',
  async (_, resource) => {
    const limited = limitInTest();
    for (const index of numbered) {
      void limited(ofToken(index, resource), never);
      void limited(ofSession(index, resource), never);
    }
    expect(await limited(ofToken('other', resource), one)).toBe(1);
    expect(await limited(ofSession('other', resource), one)).toBe(1);
  },
);

test.each([batch, '/api/v1/studio/products'])(
  'requests for %s, even of many accounts, do not keep other requests waiting',
  async (resource) => {
    const limited = limitInTest();
    for (const index of numbered) void limited(ofToken(`account-${index}`, resource), never);
    expect(await limited({ httpMethod: 'GET', resource: '/health', headers: {} }, one)).toBe(1);
    expect(await limited({ ...ofToken('reader', '/api/v1/studio/products'), httpMethod: 'GET' }, one)).toBe(1);
  },
);

test('slow requests of seven accounts do not keep those of an eighth waiting', async () => {
  const limited = limitInTest();
  for (const index of numbered) void limited(ofToken(`account-${index % 7}`), never);
  expect(await limited(ofToken('other'), one)).toBe(1);
});
