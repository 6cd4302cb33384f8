/** The row of an account's active tokens on the real table: its first version, and how it is read. */
import { beforeEach, expect, test } from 'vitest';
import { activeTokensKey } from '../../../shared/domain/keys.ts';
import { activeTokens } from '../../../shared/domain/tokens/active-tokens.ts';
import { tokenStore } from '../../../shared/domain/tokens/token-store.ts';
import { tableInTests, testIds, testTime } from '../../support/test-table.ts';

let accountId: string;

const host = await tableInTests();
beforeEach(() => {
  accountId = testIds.next();
});

async function aToken() {
  const [tokenId, digest, expiresAt] = [testIds.next(), testIds.secret(32), testTime + 1];
  const token = { tokenId, accountId, name: 'backend', scopes: ['read:usage'], expiresAt } as const;
  await tokenStore(host.table).insert(digest, token);
  return { tokenId, active: { [tokenId]: { digest, exp: expiresAt } } };
}

test('the row of active tokens has the digest and the expiry of each token', async () => {
  const tokens = [await aToken(), await aToken()];
  expect(await activeTokens(host.table, accountId)).toEqual(Object.assign({}, ...tokens.map(({ active }) => active)));
});

test('the row of active tokens is initialized with the unrevoked tokens of earlier releases', async () => {
  const [kept, revoked] = [await aToken(), await aToken()];
  await tokenStore(host.table).revoke(accountId, revoked.tokenId, testTime);
  await host.table.transact([{ Delete: { Key: activeTokensKey(accountId) } }]);
  expect(await activeTokens(host.table, accountId)).toEqual(kept.active);
});

test('creating the row of active tokens throws when the response to its first write is lost', async () => {
  const failure = new Error('no response');
  const put = async (...given: Parameters<typeof host.table.put>) => {
    await host.table.put(...given);
    throw failure;
  };
  await expect(activeTokens({ ...host.table, put }, accountId)).rejects.toBe(failure);
});

test('a damaged row of active tokens throws an error that names the attribute', async () => {
  await host.table.put({ Item: { ...activeTokensKey(accountId), active: 'all' } });
  await expect(activeTokens(host.table, accountId)).rejects.toThrow(
    'a stored row of active tokens cannot be read: active (',
  );
});
