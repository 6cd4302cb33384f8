/** Users' withdrawals at the social network and the events of pages: which of them may change what. */
import { expect, test } from 'vitest';
import { handleOrEnqueue } from '../../../../shared/domain/piloto/handle-or-enqueue.ts';
import { connectPage } from '../../../../shared/domain/piloto/pages/connect-page.ts';
import { erasureState, withdraw } from '../../../../shared/domain/piloto/pages/withdraw.ts';
import type { SocialEvent } from '../../../../shared/gateways/social-network.ts';
import { tokenOf } from '../../../support/model-network.ts';
import { testIds } from '../../../support/test-table.ts';
import { useInboxScene } from '../use-inbox-scene.ts';

const inbox = useInboxScene();

test('a user who withdraws consent is disconnected and can look up when everything is erased', async () => {
  const confirmationCode = testIds.secret(16);
  await withdraw(inbox.scene.needs, { userId: inbox.scene.page.pageId, confirmationCode });
  expect(await inbox.scene.connection()).toMatchObject({ state: 'erasing' });
  expect(await erasureState(inbox.scene.needs, confirmationCode)).toBe('erasing');
  inbox.scene.clock.advance(3 * 60_000);
  await inbox.scene.work();
  expect(await erasureState(inbox.scene.needs, confirmationCode)).toBe('erased');
});

test('a withdrawal of consent that is sent again does not disconnect a page that was connected after it', async () => {
  const { scene } = inbox;
  const { connectedAt = 0 } = (await scene.connection()) ?? {};
  const sentAgain = { userId: scene.page.pageId, issuedAt: connectedAt - 61_000 };
  const confirmationCode = testIds.secret(16);
  await withdraw(scene.needs, { ...sentAgain, confirmationCode });
  expect(await scene.connection()).toMatchObject({ state: 'connected' });
  expect(await erasureState(scene.needs, confirmationCode)).toBe('nothing-found');
  // The clock of the social network may be a little behind.
  await withdraw(scene.needs, { ...sentAgain, issuedAt: connectedAt - 59_000, confirmationCode });
  expect(await scene.connection()).toMatchObject({ state: 'erasing' });
});

test('a withdrawal of consent by a user without a known page reports that nothing was found', async () => {
  const confirmationCode = testIds.secret(16);
  await withdraw(inbox.scene.needs, { userId: testIds.next(), confirmationCode });
  expect(await erasureState(inbox.scene.needs, confirmationCode)).toBe('nothing-found');
  expect(await inbox.scene.connection()).toMatchObject({ state: 'connected' });
});

test('a user who has connected pages to several accounts withdraws from all of them and affects no other user', async () => {
  const userId = testIds.next();
  const others = await Promise.all([0, 1, 2].map(() => inbox.newScene()));
  const users = [userId, userId, testIds.next()];
  for (const [index, other] of others.entries()) {
    const network = { ...other.network, tokenDetails: async () => ({ userId: users[index] ?? '' }) };
    const grant = { ...other.id, network: 'sandbox', accessToken: tokenOf(other.page.pageId) } as const;
    await connectPage({ ...other.needs, socialNetwork: network }, grant);
  }
  await withdraw(inbox.scene.needs, { userId, confirmationCode: testIds.secret(16) });
  const states = await Promise.all(others.map(async (other) => (await other.connection())?.state));
  expect(states).toEqual(['erasing', 'erasing', 'connected']);
});

test('an erasure code that was never issued has no status', async () => {
  expect(await erasureState(inbox.scene.needs, testIds.secret(16))).toBeUndefined();
});

const event = (pageId: string): SocialEvent => ({
  kind: 'message',
  channel: 'instagram',
  pageId,
  participantId: 'person',
  message: { id: 'm', direction: 'inbound', text: 'Oi', attachments: [], status: 'delivered', createdAt: 1 },
});

test('an inbox event is applied at once, without the queue', async () => {
  await handleOrEnqueue(inbox.scene.needs, [event(inbox.scene.page.pageId)]);
  expect((await inbox.copied()).messages).toMatchObject([{ text: 'Oi' }]);
});

test('an inbox event about a page that is not connected is counted and dropped', async () => {
  await handleOrEnqueue(inbox.scene.needs, [event(testIds.next())]);
  expect(inbox.scene.metrics.recorded).toContainEqual([{ SocialEventsIgnored: 1 }]);
});

test('inbox events that cannot be applied are enqueued in separate messages', async () => {
  const sent: object[] = [];
  const inboxQueue = { send: async (message: object) => void sent.push(message) };
  const table = { ...inbox.table, transact: () => Promise.reject(new Error('the table is down')) };
  const events = [event(inbox.scene.page.pageId), event(testIds.next())];
  await handleOrEnqueue({ ...inbox.scene.needs, inboxQueue, table }, events);
  expect(sent).toEqual([{ kind: 'events', events: [events[0]] }]);
});

test('inbox events that cannot be enqueued are rejected, so the sender repeats them', async () => {
  const down = () => Promise.reject(new Error('down'));
  const needs = { ...inbox.scene.needs, inboxQueue: { send: down }, table: { ...inbox.table, transact: down } };
  await expect(handleOrEnqueue(needs, [event(inbox.scene.page.pageId)])).rejects.toMatchObject({
    kind: 'dependency-unavailable',
  });
});
