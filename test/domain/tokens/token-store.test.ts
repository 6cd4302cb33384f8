/** Storing tokens, and the write that admits a request, on the real table. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { Scope } from '../../../shared/contracts/scopes.ts';
import { indexes, tokensOwner } from '../../../shared/domain/index-keys.ts';
import { activeTokensKey, tokenKey } from '../../../shared/domain/keys.ts';
import { emptyLog, windowMs } from '../../../shared/domain/rate-limit.ts';
import type { Token } from '../../../shared/domain/tokens/token.ts';
import { type TokenStore, tokenStore } from '../../../shared/domain/tokens/token-store.ts';
import { type Table, TransactionCanceled } from '../../../shared/platform/dynamo-table.ts';
import { tableInTests, testIds } from '../../support/test-table.ts';

let tokens: TokenStore;
let accountId: string;

const host = await tableInTests();
beforeEach(() => {
  tokens = tokenStore(host.table);
  accountId = testIds.next();
});

const start = 1_700_000_000_000;

const aToken = (given: Partial<Token> = {}): Token => ({
  tokenId: testIds.next(),
  accountId,
  name: 'backend',
  scopes: ['read:usage'],
  ...given,
});

/** Creates a token and returns its key. */
async function freshDigest(given: Partial<Token> = {}): Promise<string> {
  const digest = testIds.secret(16);
  await tokens.insert(digest, aToken(given));
  return digest;
}

/** Gives a token the state that it has after requests at these times, oldest first. */
async function used(digest: string, ...times: readonly number[]): Promise<void> {
  await host.table.update({
    Key: tokenKey(digest),
    UpdateExpression: 'SET rl = :log',
    ExpressionAttributeValues: { ':log': [...emptyLog().slice(times.length), ...times] },
  });
}

const sixty = (time: number): number[] => emptyLog().fill(time);

describe('a stored token', () => {
  test('is found when it is used, with its attributes and the remaining limit', async () => {
    const token = aToken({ scopes: ['generate:audio', 'read:tasks'], expiresAt: start + 1 });
    await tokens.insert('known', token);
    const rateLimit = { remaining: 59, resetSeconds: 60 };
    expect(await tokens.admit('known', start)).toStrictEqual({ status: 'admitted', token, rateLimit });
  });

  test('is read without scopes that this release does not know', async () => {
    const digest = await freshDigest({ scopes: ['read:tasks', 'read:tomorrow' as Scope] });
    expect(await tokens.admit(digest, start)).toMatchObject({ token: { scopes: ['read:tasks'] } });
  });

  test('that is damaged causes an error that names the kind of row', async () => {
    const digest = await freshDigest();
    await host.table.update({
      Key: tokenKey(digest),
      UpdateExpression: 'SET #name = :number',
      ExpressionAttributeNames: { '#name': 'name' },
      ExpressionAttributeValues: { ':number': 1 },
    });
    await expect(tokens.admit(digest, start)).rejects.toThrow('a stored token cannot be read: name (');
  });

  test('that never expires has no expiry and is valid in the year 9998', async () => {
    const token = aToken();
    await tokens.insert('eternal', token);
    const { tokenId } = token;
    const admission = await tokens.admit('eternal', Date.UTC(9998, 0, 1));
    expect(admission).toMatchObject({ status: 'admitted', token: { tokenId } });
    expect(admission).toHaveProperty('token', token);
    expect(await tokens.list(accountId)).toMatchObject([token]);
  });

  test('is valid until the millisecond of its expiry, and an unknown token is never valid', async () => {
    const digest = await freshDigest({ expiresAt: start + 1000 });
    expect((await tokens.admit(digest, start + 999)).status).toBe('admitted');
    expect(await tokens.admit(digest, start + 1000)).toEqual({ status: 'rejected' });
    expect(await tokens.admit('unknown', start)).toEqual({ status: 'rejected' });
    expect(await host.table.get(tokenKey('unknown'))).toBeUndefined();
  });

  test('never overwrites an existing token', async () => {
    const token = aToken();
    await tokens.insert('taken', token);
    await expect(tokens.insert('taken', aToken({ name: 'intruder' }))).rejects.toBeInstanceOf(TransactionCanceled);
    expect(await tokens.list(accountId)).toStrictEqual([token]);
  });

  test('fails with an error if the table does not respond', async () => {
    const failure = new Error('no response');
    const silent = tokenStore({ ...host.table, update: () => Promise.reject(failure) });
    await expect(silent.admit('known', start)).rejects.toBe(failure);
  });
});

describe('the row of an account’s active tokens', () => {
  const rows = (count: number, exp: number) =>
    Object.fromEntries(Array.from({ length: count }, () => [testIds.next(), { digest: testIds.secret(32), exp }]));

  test('drops any number of expired tokens, in expressions below DynamoDB’s limit of 4 KB', async () => {
    const active = rows(400, 1);
    await host.table.put({ Item: { ...activeTokensKey(accountId), active } });
    const lengths: number[] = [];
    const note = (write: object) => {
      const texts = Object.entries(write).filter(([name]) => name.endsWith('Expression'));
      lengths.push(...texts.map(([, text]) => Buffer.byteLength(String(text))));
    };
    const table: Table = {
      ...host.table,
      update(input) {
        note(input);
        return host.table.update(input);
      },
      transact(actions) {
        for (const { Update } of actions) note(Update ?? {});
        return host.table.transact(actions);
      },
    };
    const token = aToken();
    expect(await tokenStore(table).insert(testIds.secret(16), token, { limit: 1 })).toBe('inserted');
    expect(lengths.length).toBeGreaterThan(0);
    expect(Math.max(...lengths)).toBeLessThan(4096);
    const left = await host.table.get(activeTokensKey(accountId));
    expect(Object.keys(left?.active as object)).toEqual([token.tokenId]);
  });

  test('is initialized with every active token of earlier releases, however many newer ones are revoked', async () => {
    const [oldest, digest] = [aToken(), testIds.secret(16)];
    await tokens.insert(digest, oldest);
    for (let count = 0; count < 101; count += 1) {
      const { tokenId, ...revoked } = aToken({ revokedAt: start });
      await host.table.put({
        Item: {
          ...tokenKey(testIds.secret(16)),
          [indexes.byOwner.pk]: tokensOwner(revoked.accountId),
          [indexes.byOwner.sk]: tokenId,
          name: revoked.name,
          scopes: new Set(revoked.scopes),
          exp: start,
          revokedAt: start,
          rl: emptyLog(),
        },
      });
    }
    await host.table.transact([{ Delete: { Key: activeTokensKey(accountId) } }]);
    expect((await tokens.list(accountId)).map(({ tokenId }) => tokenId)).toContain(oldest.tokenId);
    expect(await tokens.insert(testIds.secret(16), aToken(), { limit: 1 })).toBe('full');
  });
});

describe('the rate limit of a stored token', () => {
  test('admits sixty requests, and the next once the oldest is exactly 60 seconds old', async () => {
    const token = aToken();
    const digest = testIds.secret(16);
    await tokens.insert(digest, token);
    const limited = (resetSeconds: number) => ({ status: 'limited', token, rateLimit: { remaining: 0, resetSeconds } });
    await used(digest, ...sixty(start + 1500).with(0, start));
    expect(await tokens.admit(digest, start + 1500)).toEqual(limited(59));
    expect(await tokens.admit(digest, start + windowMs - 1)).toEqual(limited(1));
    expect(await tokens.admit(digest, start + windowMs)).toMatchObject({
      status: 'admitted',
      rateLimit: { remaining: 0, resetSeconds: 2 },
    });
    expect(await tokens.admit(digest, start + windowMs)).toEqual(limited(2));
  });

  test('stores the times of sixty requests, newest last, and does not count rejected ones', async () => {
    const digest = await freshDigest();
    const log = async () => (await host.table.get(tokenKey(digest)))?.rl;
    for (const time of [start, start + 1]) await tokens.admit(digest, time);
    expect(await log()).toEqual([...emptyLog().slice(2), start, start + 1]);
    await used(digest, ...sixty(start));
    await tokens.admit(digest, start + 1);
    expect(await log()).toEqual(sixty(start));
    await tokens.admit(digest, start + windowMs);
    expect(await log()).toEqual(sixty(start).with(59, start + windowMs));
  });

  test('when it is used up, does not hide that the token has expired or was revoked', async () => {
    const expired = await freshDigest({ expiresAt: start + 1000 });
    await used(expired, ...sixty(start));
    expect((await tokens.admit(expired, start + 999)).status).toBe('limited');
    expect((await tokens.admit(expired, start + 1000)).status).toBe('rejected');
    const token = aToken();
    await tokens.insert('used up', token);
    await used('used up', ...sixty(start));
    await tokens.revoke(accountId, token.tokenId, start);
    expect((await tokens.admit('used up', start)).status).toBe('rejected');
  });
});

describe('the tokens of an account', () => {
  test('are listed newest first, without those of other accounts', async () => {
    const all = [aToken(), aToken({ name: 'other', expiresAt: start }), aToken()];
    for (const token of all.toReversed()) await tokens.insert(testIds.secret(16), token);
    await freshDigest({ accountId: testIds.next() });
    expect(await tokens.list(accountId)).toStrictEqual(all.toReversed());
  });

  test('are listed with the time of their last admitted request', async () => {
    const digest = await freshDigest();
    expect((await tokens.list(accountId))[0]).not.toHaveProperty('lastUsedAt');
    await used(digest, ...sixty(start).with(0, start - 1));
    await tokens.admit(digest, start + 1);
    expect(await tokens.list(accountId)).toMatchObject([{ lastUsedAt: start }]);
  });

  test('are all listed while active, and otherwise only the newest hundred', async () => {
    const oldest = aToken();
    await tokens.insert(testIds.secret(16), oldest);
    const made = Array.from({ length: 101 }, () => aToken());
    for (const token of made) await tokens.insert(testIds.secret(16), token);
    for (const { tokenId } of made) await tokens.revoke(accountId, tokenId, start);
    const listed = await tokens.list(accountId);
    expect(listed.map(({ tokenId }) => tokenId)).toEqual([
      ...made
        .slice(1)
        .map(({ tokenId }) => tokenId)
        .toReversed(),
      oldest.tokenId,
    ]);
  });

  test('do not include one that is deleted while they are listed', async () => {
    await freshDigest();
    const emptied = tokenStore({ ...host.table, getMany: async () => [] });
    expect(await emptied.list(accountId)).toEqual([]);
  });

  test('include those of earlier releases, which count and can be revoked', async () => {
    const [kept, revoked] = [aToken(), aToken()];
    for (const token of [kept, revoked]) await tokens.insert(`${token.tokenId} digest`, token);
    await tokens.revoke(accountId, revoked.tokenId, start);
    await host.table.transact([{ Delete: { Key: activeTokensKey(accountId) } }]);
    expect(await tokens.insert('one too many', aToken(), { limit: 1 })).toBe('full');
    await host.table.transact([{ Delete: { Key: activeTokensKey(accountId) } }]);
    expect(await tokens.revoke(accountId, kept.tokenId, start)).toBe(true);
    expect((await tokens.admit(`${kept.tokenId} digest`, start)).status).toBe('rejected');
  });
});

describe('revoking a token', () => {
  test('rejects only that token from then on', async () => {
    const [one, other] = [aToken(), aToken()];
    await tokens.insert(`${one.tokenId} digest`, one);
    await tokens.insert(`${other.tokenId} digest`, other);
    expect(await tokens.revoke(accountId, other.tokenId, start)).toBe(true);
    expect((await tokens.admit(`${other.tokenId} digest`, start)).status).toBe('rejected');
    expect((await tokens.admit(`${one.tokenId} digest`, start)).status).toBe('admitted');
    expect(await tokens.list(accountId)).toMatchObject([{ ...other, revokedAt: start }, one]);
  });

  test('keeps the first revocation time when it is repeated', async () => {
    const token = aToken();
    await tokens.insert('twice', token);
    await tokens.revoke(accountId, token.tokenId, start);
    expect(await tokens.revoke(accountId, token.tokenId, start + 5)).toBe(true);
    expect(await tokens.list(accountId)).toStrictEqual([{ ...token, revokedAt: start }]);
  });

  test('of another account returns false and changes nothing', async () => {
    const token = aToken({ accountId: testIds.next() });
    await tokens.insert('foreign', token);
    expect(await tokens.revoke(accountId, token.tokenId, start)).toBe(false);
    expect((await tokens.admit('foreign', start)).status).toBe('admitted');
  });

  test('that expired long ago keeps its first revocation time when it is repeated', async () => {
    const token = aToken({ expiresAt: start });
    await tokens.insert('expired', token);
    await tokens.insert('newer', aToken());
    expect(await tokens.revoke(accountId, token.tokenId, start + 1)).toBe(true);
    expect(await tokens.revoke(accountId, token.tokenId, start + 2)).toBe(true);
    expect((await tokens.list(accountId)).at(-1)).toStrictEqual({ ...token, revokedAt: start + 1 });
  });

  test('does not restore a token that is deleted at the same time', async () => {
    const token = aToken();
    await tokens.insert('there', token);
    await host.table.transact([{ Delete: { Key: tokenKey('there') } }]);
    await expect(tokens.revoke(accountId, token.tokenId, start)).rejects.toBeInstanceOf(TransactionCanceled);
    expect(await host.table.get(tokenKey('there'))).toBeUndefined();
  });
});
