/** Studio avatars over HTTP: creation, replacement by source influencer under races, and rejected requests. */
import { array, assert, asyncProperty, constantFrom, nat, option, record } from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { serviceInTests, type TestAccount } from '../support/test-service.ts';

let account: TestAccount;

const host = await serviceInTests();
beforeEach(async () => {
  account = await host.account({ planId: 'pro' });
});

const imageUrl = 'https://example.com/ana.png';

const create = (body: object, headers: Record<string, string> = {}, token = account.token) =>
  host.call('createStudioAvatar', { token, body, headers });

const idOf = (response: { readonly body: { readonly data?: unknown } }) => (response.body.data as { id: string }).id;

test('an avatar is saved as given and costs nothing', async () => {
  const body = { name: 'Ana', imageUrl, gender: 'feminino', type: 'custom' };
  const response = await create(body);
  expect([response.status, response.body.data]).toEqual([200, { id: expect.any(String), name: 'Ana' }]);
  const { avatars, accounts } = host.service.context;
  expect(await avatars.find(account.accountId, idOf(response))).toEqual({
    accountId: account.accountId,
    avatarId: idOf(response),
    name: 'Ana',
    image: { url: imageUrl },
    gender: 'feminino',
    type: 'custom',
    createdAt: expect.any(Number),
  });
  const stranger = await host.account();
  expect(await avatars.find(stranger.accountId, idOf(response))).toBeUndefined();
  expect((await accounts.find(account.accountId))?.balance).toBe(1000);
});

test('an avatar request without a source influencer always creates a new avatar', async () => {
  const [one, other] = [await create({ name: 'Ana', imageUrl }), await create({ name: 'Ana', imageUrl })];
  expect(idOf(one)).not.toBe(idOf(other));
});

test('an avatar with the same source influencer as an earlier one replaces it and keeps its id and creation time', async () => {
  const sourceInfluencerId = 'influencer-1';
  const first = await create({ name: 'Ana', imageUrl, gender: 'feminino', type: 'preset', sourceInfluencerId });
  const { avatars } = host.service.context;
  const before = await avatars.find(account.accountId, idOf(first));
  host.clock.advance(1000);
  const second = await create({ name: 'Bia', imageUrl: `${imageUrl}?2`, sourceInfluencerId });
  expect(second.body.data).toEqual({ id: idOf(first), name: 'Bia' });
  expect(await avatars.find(account.accountId, idOf(first))).toEqual({
    accountId: account.accountId,
    avatarId: idOf(first),
    name: 'Bia',
    image: { url: `${imageUrl}?2` },
    sourceInfluencerId,
    createdAt: before?.createdAt,
  });
});

test('concurrent requests with one source influencer get the same avatar id, and other influencers and accounts others', async () => {
  const origins = ['a', 'b', 'a#b', '😀'.repeat(200), 'a'.repeat(200)];
  const origin = constantFrom(...origins);
  const requests = array(record({ origin, account: nat(1), key: option(constantFrom('1', '2')) }), {
    minLength: 2,
    maxLength: 12,
  });
  await assert(
    asyncProperty(requests, async (wanted) => {
      const accounts = await Promise.all([host.account({ planId: 'pro' }), host.account({ planId: 'business' })]);
      const responses = await Promise.all(
        wanted.map(async ({ origin: sourceInfluencerId, account: who, key }, index) => {
          const keyHeader = { 'idempotency-key': `${key} ${origins.indexOf(sourceInfluencerId)}` };
          const body = { name: `Ana ${key === null ? index : 'with a key'}`, imageUrl, sourceInfluencerId };
          const response = await create(body, key === null ? {} : keyHeader, accounts[who]?.token);
          return { scope: `${who} ${sourceInfluencerId}`, status: response.status, id: idOf(response) };
        }),
      );
      expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
      const ids = Map.groupBy(responses, ({ scope }) => scope);
      for (const [scope, same] of ids) expect([scope, new Set(same.map(({ id }) => id)).size]).toEqual([scope, 1]);
      expect(new Set(responses.map(({ id }) => id)).size).toBe(ids.size);
    }),
    { numRuns: 12 },
  );
});

test.for([
  [{ name: 'Ana' }, /^imageUrl or avatarFileId is required$/],
  [{ name: '', imageUrl }, /^name must be a string of 1 to 120 characters$/],
  [{ name: 'a'.repeat(121), imageUrl }, /^name must be a string of 1 to 120 characters$/],
  [{ name: 'Ana', imageUrl: 'https://10.0.0.1/a.png' }, /^imageUrl must be an https URL of a public host/],
  [{ name: 'Ana', imageUrl, type: 'other' }, /^type must be one of preset, custom$/],
  [{ name: 'Ana', avatarFileId: 'unknown' }, /^avatarFileId must be the id of one of the account's files$/],
  [{ name: 'Ana', imageUrl, avatarFileId: 'unknown' }, /^avatarFileId must be the id of one of the account's files$/],
  [{ name: 'Ana', imageUrl, sourceInfluencerId: 'a'.repeat(201) }, /^sourceInfluencerId must be a string of 1 to 200/],
] as const)('an avatar with %j is rejected', async ([body, message]) => {
  const response = await create(body);
  expect([response.status, response.body.error?.message]).toEqual([400, expect.stringMatching(message)]);
});

test('an avatar request gets 403 if the plan lacks the Studio, and 503 while the Studio is switched off', async () => {
  const withoutStudio = await host.account();
  const forbidden = await create({ name: 'Ana', imageUrl }, {}, withoutStudio.token);
  expect([forbidden.status, forbidden.body.error?.code]).toEqual([403, 'FORBIDDEN']);
  const { catalog } = host.service.context;
  await catalog.switchOperation('createStudioAvatar', false);
  host.clock.advance(30_001);
  const off = await create({ name: 'Ana', imageUrl });
  await catalog.switchOperation('createStudioAvatar', true);
  host.clock.advance(30_001);
  expect([off.status, off.body.error?.code, off.headers['retry-after']]).toEqual([503, 'FEATURE_DISABLED', '30']);
});
