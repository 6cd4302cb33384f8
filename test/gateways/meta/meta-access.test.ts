/**
 * The adapter to Instagram and Facebook with the sandbox: a token's owner, what it gives access to, and where it is
 * sent.
 */
import { describe, expect, test } from 'vitest';
import { channels } from '../../../shared/contracts/channels.ts';
import { testIds } from '../../support/test-table.ts';
import { connectedShop, faultIn, networkOn, useSandbox } from './meta-scene.ts';

const meta = useSandbox();

describe.for(channels)('on %s,', (channel) => {
  const shop = () => connectedShop(meta.sandbox, channel, testIds.next());

  test('a token identifies its page', async () => {
    const { access, page } = shop();
    const { pageId: _unknown, ...grant } = access;
    expect(await meta.network.page(grant)).toMatchObject({ pageId: page.id, name: page.name, username: page.username });
  });

  test('a token identifies the user who granted it, by the id that Meta reports when access is withdrawn', async () => {
    const { access, page } = shop();
    const { pageId: _unknown, ...grant } = access;
    const { userId } = { ...(await meta.network.page(grant)), ...(await meta.network.tokenDetails(grant)) };
    expect(userId).toBe(page.userId);
  });

  test('a page can be subscribed to events and unsubscribed', async () => {
    const { access, page } = shop();
    await meta.network.subscribe(access);
    expect(meta.sandbox.world.page(page.id)?.subscribedFields).toContain('messages');
    await meta.network.unsubscribe(access);
    expect(meta.sandbox.world.page(page.id)?.subscribedFields).toEqual([]);
  });

  test('a token that has been revoked, is malformed or belongs to another page gives no access', async () => {
    const { access, page } = shop();
    const other = shop();
    meta.sandbox.world.revoke(page);
    for (const accessToken of [access.accessToken, 'no token', 'linha\nquebrada', '']) {
      expect(await faultIn(meta.network.conversations({ ...access, accessToken }))).toMatchObject({
        reason: 'revoked',
      });
      expect(await faultIn(meta.network.sendText({ ...access, accessToken }, '1', 'Olá'))).toMatchObject({
        reason: 'revoked',
      });
    }
    const { accessToken } = other.access;
    expect(await faultIn(meta.network.comments({ ...access, accessToken }, '1'))).toMatchObject({
      reason: 'not-found',
    });
  });

  test('an object that does not exist or belongs to another page is not found', async () => {
    const { access } = shop();
    const other = shop();
    const [comment] = meta.sandbox.world.comments(other.postId);
    const attempts = [
      meta.network.messages(access, 't_0'),
      meta.network.messages(access, `t_${other.person.id}`),
      meta.network.comments(access, other.postId),
      meta.network.participant(access, '../me'),
      meta.network.sendText(access, other.person.id, 'Olá'),
      meta.network.reply(access, { postId: other.postId }, 'Olá'),
      meta.network.setHidden(access, comment?.id ?? '', true),
    ];
    for (const attempt of attempts) expect(await faultIn(attempt)).toMatchObject({ reason: 'not-found' });
  });

  test('a token is sent in a header and never in a URL', async () => {
    const { access, person } = shop();
    const before = meta.sandbox.requests.length;
    await meta.network.conversations(access);
    await meta.network.sendText(access, person.id, 'Olá').catch(() => undefined);
    for (const { path, headers } of meta.sandbox.requests.slice(before)) {
      expect(headers.authorization).toBe(`Bearer ${access.accessToken}`);
      expect(path).not.toContain(access.accessToken);
      expect(path.startsWith(`/${channel}/v24.0/me/`)).toBe(true);
    }
  });
});

test('the user who granted a Meta token is unknown if the token is invalid or cannot be inspected', async () => {
  const { access } = connectedShop(meta.sandbox, 'facebook', testIds.next());
  expect(await meta.network.tokenDetails({ ...access, accessToken: 'another-token' })).toEqual({});
  const without = networkOn(meta.sandbox.url, { facebookApp: async () => undefined });
  expect(await without.tokenDetails(access)).toEqual({});
  const other = networkOn(meta.sandbox.url, { facebookApp: async () => ({ id: 'the-app', secret: 'guessed' }) });
  expect(await faultIn(other.tokenDetails(access))).toMatchObject({ reason: 'revoked' });
});

test('a page of the Meta sandbox cannot be accessed if no sandbox is configured', async () => {
  const { access } = connectedShop(meta.sandbox, 'instagram', testIds.next());
  expect(await faultIn(networkOn('none').conversations(access))).toMatchObject({ reason: 'unsupported' });
});
