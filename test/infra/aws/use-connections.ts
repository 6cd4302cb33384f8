/** An owner connects pages in the dashboard, so that every permission for this is used. */
import { expect } from 'vitest';
import type { Channel } from '../../../shared/contracts/channels.ts';
import { connectionStore } from '../../../shared/domain/piloto/pages/connection-store.ts';
import { connecting, type OwnersBrowser } from '../../support/connecting.ts';
import type { TestService } from '../../support/test-service.ts';

export async function useConnections(host: TestService): Promise<void> {
  const { call, connect, ownersBrowser, shopPage, shown } = connecting(host);
  const connections = connectionStore(host.service.context.table);
  const owner = await ownersBrowser();
  const { accountId } = owner;

  /** The next user who connects the page has a different id at the social network. */
  async function connectedByAnotherUser(channel: Channel): Promise<void> {
    for (;;) {
      const found = await connections.find({ accountId, channel });
      if (!found) throw new Error('nothing is connected');
      if (await connections.save({ ...found, userId: 'another-user' })) return;
    }
  }

  const choose = async (by: OwnersBrowser, pageId: string) => {
    // Catalogs are cached for half a minute.
    host.clock.advance(30_000);
    const response = await call(by, 'chooseConnection', { params: { channel: 'facebook' }, body: { pageId } });
    expect(response.status, response.text).toBe(200);
  };

  const page = shopPage(accountId, 'facebook');
  const other = shopPage('other shop', 'facebook');
  const instagram = shopPage(accountId, 'instagram');
  expect(await connect(owner, 'instagram', [instagram.id])).toBe('connected');
  await connectedByAnotherUser('instagram');
  expect(await connect(owner, 'instagram', [instagram.id])).toBe('connected');

  expect(await connect(owner, 'facebook', [page.id, other.id])).toBe('choose');
  await shown(owner, 'facebook');
  const again = await ownersBrowser(accountId);
  expect(await connect(again, 'facebook', [page.id, other.id])).toBe('choose');
  await choose(owner, page.id);
  await connectedByAnotherUser('facebook');
  await choose(again, page.id);

  // Another account connects the page.
  const rival = await ownersBrowser();
  expect(await connect(rival, 'facebook', [other.id, page.id])).toBe('choose');
  const body = { pageId: page.id };
  expect((await call(rival, 'chooseConnection', { params: { channel: 'facebook' }, body })).status).toBe(409);
  expect(await connect(rival, 'instagram', [instagram.id])).toBe('other-account');
  for (const channel of ['instagram', 'facebook'])
    expect((await call(owner, 'removeConnection', { params: { channel } })).status).toBe(200);
}
