/** Creating a token: what is stored, and what is shown only once. */

import { beforeEach, expect, test } from 'vitest';
import { tokenNameBytes } from '../../../shared/contracts/limits.ts';
import { type HostedStores, stores } from '../../../shared/domain/stores.ts';
import { issueToken } from '../../../shared/domain/tokens/issue-token.ts';
import { isWellFormedToken, tokenDigest } from '../../../shared/domain/tokens/token.ts';
import { tokenStore } from '../../../shared/domain/tokens/token-store.ts';
import { anAccount, tableInTests, testIds, testTime } from '../../support/test-table.ts';

let store: HostedStores;

const clock = { now: () => testTime };
const webhookSecrets = {
  webhookTokenOf: async (tokenId: string) => `webhook token of ${tokenId}`,
  sign: async () => '',
  publicKeys: async () => [],
};

const host = await tableInTests();
beforeEach(() => {
  store = stores(host.table, clock);
});

const create = (request: Parameters<typeof issueToken>[1], conditions?: Parameters<typeof issueToken>[2]) =>
  issueToken({ ...store, ids: testIds, webhookSecrets }, request, conditions);

test('a token is well-formed, has the requested scopes, and comes with its webhook token', async () => {
  const { accountId } = await inserted();
  const scopes = ['generate:audio', 'read:tasks'] as const;
  const { token, tokenId, webhookToken } = await create({
    accountId,
    name: 'backend',
    scopes,
    expiresAt: testTime + 1,
  });
  expect(isWellFormedToken(token)).toBe(true);
  expect(webhookToken).toBe(`webhook token of ${tokenId}`);
  const known = { tokenId, accountId, name: 'backend', scopes, expiresAt: testTime + 1 };
  expect(await store.tokens.admit(tokenDigest(token), testTime)).toMatchObject({ status: 'admitted', token: known });
  expect((await store.tokens.admit(tokenDigest(token), testTime + 1)).status).toBe('rejected');
});

test('no stored value reveals a token’s text or its webhook token', async () => {
  const { accountId } = await inserted();
  const { token, webhookToken } = await create({ accountId, name: 'backend', scopes: ['read:usage'] });
  const stored = JSON.stringify(await tokenStore(store.table).list(accountId));
  expect(stored).not.toContain(token.slice(3, -8));
  expect(stored).not.toContain(webhookToken);
});

test('tokens are unique', async () => {
  const { accountId } = await inserted();
  const made = [];
  for (let count = 0; count < 3; count += 1)
    made.push(await create({ accountId, name: 'same', scopes: ['read:usage'] }));
  expect(new Set(made.map(({ token }) => token)).size).toBe(3);
  expect(new Set(made.map(({ tokenId }) => tokenId)).size).toBe(3);
});

test('creating a token for an unknown account is rejected and stores nothing', async () => {
  const accountId = testIds.next();
  const request = create({ accountId, name: 'backend', scopes: ['read:usage'] });
  await expect(request).rejects.toThrow(`there is no account ${accountId}`);
  expect(await tokenStore(store.table).list(accountId)).toEqual([]);
});

test('a token name longer than its row’s limit in bytes is rejected and stores nothing', async () => {
  const { accountId } = await inserted();
  const request = create({ accountId, name: '𝓃'.repeat(tokenNameBytes / 4 + 1), scopes: ['read:usage'] });
  await expect(request).rejects.toMatchObject({
    kind: 'invalid',
    details: { message: `name must be at most ${tokenNameBytes} bytes in UTF-8` },
  });
  expect(await tokenStore(store.table).list(accountId)).toEqual([]);
});

test('a token name may be exactly as long as the limit in bytes', async () => {
  const { accountId } = await inserted();
  const name = '𝓃'.repeat(tokenNameBytes / 4);
  await create({ accountId, name, scopes: ['read:usage'] });
  expect(await tokenStore(store.table).list(accountId)).toMatchObject([{ name }]);
});

test('creating a token beyond the limit, or against its condition, is rejected with the reason', async () => {
  const { accountId } = await inserted();
  const request = { accountId, name: 'backend', scopes: ['read:usage'] } as const;
  const given = {
    ConditionCheck: { Key: { pk: 'TEST', sk: 'nothing' }, ConditionExpression: 'attribute_exists(pk)' },
  };
  await expect(create(request, { given })).rejects.toMatchObject({ kind: 'unconfirmed' });
  const { tokenId } = await create(request, { limit: 1 });
  await expect(create(request, { limit: 1 })).rejects.toMatchObject({ kind: 'too-many-tokens' });
  expect(await tokenStore(store.table).list(accountId)).toMatchObject([{ tokenId }]);
});

async function inserted() {
  const account = anAccount();
  await store.accounts.insert(account, undefined);
  return account;
}
