/** The adapter to Instagram and Facebook against the sandbox: whose a token is, what it gives access to, and where it is sent. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { MetaFake } from '../../../infra/local/sandboxes/meta/meta-fake.ts';
import { channels } from '../../../shared/contracts/channels.ts';
import type { SocialNetwork } from '../../../shared/gateways/social-network.ts';
import { testIds } from '../../support/test-table.ts';
import { connectedShop, faultIn, networkOn, startSandbox } from './meta-scene.ts';

let sandbox: MetaFake;
let network: SocialNetwork;

beforeAll(async () => {
  sandbox = await startSandbox();
  network = networkOn(sandbox.url);
});
afterAll(() => sandbox.close());

describe.for(channels)('on %s', (channel) => {
  const shop = () => connectedShop(sandbox, channel, testIds.next());

  test('a token says which page it belongs to', async () => {
    const { access, page } = shop();
    const { pageId: _unknown, ...grant } = access;
    expect(await network.page(grant)).toMatchObject({ pageId: page.id, name: page.name, username: page.username });
  });

  test('a token says who granted it, by the id with which they withdraw', async () => {
    const { access, page } = shop();
    const { pageId: _unknown, ...grant } = access;
    const { userId } = { ...(await network.page(grant)), ...(await network.tokenDetails(grant)) };
    expect(userId).toBe(page.userId);
  });

  test('a page subscribes to what happens, and no longer', async () => {
    const { access, page } = shop();
    await network.subscribe(access);
    expect(sandbox.world.page(page.id)?.subscribedFields).toContain('messages');
    await network.unsubscribe(access);
    expect(sandbox.world.page(page.id)?.subscribedFields).toEqual([]);
  });

  test('a token that was revoked, malformed or of another page is no access', async () => {
    const { access, page } = shop();
    const other = shop();
    sandbox.world.revoke(page);
    for (const accessToken of [access.accessToken, 'no token', 'linha\nquebrada', '']) {
      expect(await faultIn(network.conversations({ ...access, accessToken }))).toMatchObject({ reason: 'revoked' });
      expect(await faultIn(network.sendText({ ...access, accessToken }, '1', 'Olá'))).toMatchObject({
        reason: 'revoked',
      });
    }
    const { accessToken } = other.access;
    expect(await faultIn(network.comments({ ...access, accessToken }, '1'))).toMatchObject({ reason: 'not-found' });
  });

  test('what does not exist, or belongs to another page, is not found', async () => {
    const { access } = shop();
    const other = shop();
    const [comment] = sandbox.world.comments(other.postId);
    const attempts = [
      network.messages(access, 't_0'),
      network.messages(access, `t_${other.person.id}`),
      network.comments(access, other.postId),
      network.participant(access, '../me'),
      network.sendText(access, other.person.id, 'Olá'),
      network.reply(access, { postId: other.postId }, 'Olá'),
      network.setHidden(access, comment?.id ?? '', true),
    ];
    for (const attempt of attempts) expect(await faultIn(attempt)).toMatchObject({ reason: 'not-found' });
  });

  test('a token is sent in a header, and is in no address', async () => {
    const { access, person } = shop();
    const before = sandbox.requests.length;
    await network.conversations(access);
    await network.sendText(access, person.id, 'Olá').catch(() => undefined);
    for (const { path, headers } of sandbox.requests.slice(before)) {
      expect(headers.authorization).toBe(`Bearer ${access.accessToken}`);
      expect(path).not.toContain(access.accessToken);
      expect(path.startsWith(`/${channel}/v24.0/me/`)).toBe(true);
    }
  });
});

test('nobody is known to have granted a token that is not valid, or that no app can inspect', async () => {
  const { access } = connectedShop(sandbox, 'facebook', testIds.next());
  expect(await network.tokenDetails({ ...access, accessToken: 'another-token' })).toEqual({});
  const without = networkOn(sandbox.url, { facebookApp: async () => undefined });
  expect(await without.tokenDetails(access)).toEqual({});
  const other = networkOn(sandbox.url, { facebookApp: async () => ({ id: 'the-app', secret: 'guessed' }) });
  expect(await faultIn(other.tokenDetails(access))).toMatchObject({ reason: 'revoked' });
});

test('a page of a sandbox cannot be reached where there is none', async () => {
  const { access } = connectedShop(sandbox, 'instagram', testIds.next());
  expect(await faultIn(networkOn('none').conversations(access))).toMatchObject({ reason: 'unsupported' });
});
