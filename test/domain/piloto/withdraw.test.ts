/** What people withdraw at the network, and the events of pages: who may change what here. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { attendOrEnqueue } from '../../../shared/domain/piloto/attend-social-event.ts';
import { connectPage } from '../../../shared/domain/piloto/connect-page.ts';
import { erasureState, withdraw } from '../../../shared/domain/piloto/withdraw.ts';
import type { SocialEvent } from '../../../shared/gateways/social-network.ts';
import { tokenOf } from '../../support/model-network.ts';
import { type TestTable, testIds, testTable } from '../../support/test-table.ts';
import { copyOf, type InboxScene, inboxScene, testBox } from './inbox-scene.ts';

let host: TestTable;
let scene: InboxScene;
const { secretBox, remove } = testBox();
beforeAll(async () => {
  host = await testTable();
});
afterAll(async () => {
  await host.close();
  remove();
});
beforeEach(async () => {
  scene = await inboxScene(host.table, secretBox);
});

test('whoever withdraws their consent is disconnected, and can see when everything is erased', async () => {
  const confirmationCode = testIds.secret(16);
  await withdraw(scene.needs, { userId: scene.page.pageId, confirmationCode });
  expect(await scene.connection()).toMatchObject({ state: 'erasing' });
  expect(await erasureState(scene.needs, confirmationCode)).toBe('erasing');
  scene.clock.advance(3 * 60_000);
  await scene.work();
  expect(await erasureState(scene.needs, confirmationCode)).toBe('erased');
});

test('nothing is said to be deleted for a user of whom no page is known', async () => {
  const confirmationCode = testIds.secret(16);
  await withdraw(scene.needs, { userId: testIds.next(), confirmationCode });
  expect(await erasureState(scene.needs, confirmationCode)).toBe('nothing-found');
  expect(await scene.connection()).toMatchObject({ state: 'connected' });
});

test('whoever has connected pages to several accounts withdraws them all, and nobody else’s', async () => {
  const userId = testIds.next();
  const others = await Promise.all([0, 1, 2].map(() => inboxScene(host.table, secretBox)));
  const users = [userId, userId, testIds.next()];
  for (const [index, other] of others.entries()) {
    const network = { ...other.network, userBehind: async () => users[index] };
    const grant = { ...other.id, network: 'sandbox', accessToken: tokenOf(other.page.pageId) } as const;
    await connectPage({ ...other.needs, socialNetwork: network }, grant);
  }
  await withdraw(scene.needs, { userId, confirmationCode: testIds.secret(16) });
  const states = await Promise.all(others.map(async (other) => (await other.connection())?.state));
  expect(states).toEqual(['erasing', 'erasing', 'connected']);
});

test('nothing is known by a code that was never given out', async () => {
  expect(await erasureState(scene.needs, testIds.secret(16))).toBeUndefined();
});

const event = (pageId: string): SocialEvent => ({
  kind: 'message',
  channel: 'instagram',
  pageId,
  participantId: 'person',
  message: { id: 'm', direction: 'inbound', text: 'Oi', attachments: [], status: 'delivered', createdAt: 1 },
});

test('an event is applied at once', async () => {
  await attendOrEnqueue(scene.needs, [event(scene.page.pageId)]);
  expect((await copyOf(host.table, scene.accountId)).messages).toMatchObject([{ text: 'Oi' }]);
});

test('an event about a page that is not connected is counted and dropped', async () => {
  await attendOrEnqueue(scene.needs, [event(testIds.next())]);
  expect(scene.metrics.recorded).toContainEqual([{ SocialEventsIgnored: 1 }]);
});

test('events that cannot be applied are enqueued, each for itself', async () => {
  const sent: object[] = [];
  const inboxQueue = { send: async (message: object) => void sent.push(message) };
  const table = { ...host.table, transact: () => Promise.reject(new Error('the table is down')) };
  const events = [event(scene.page.pageId), event(testIds.next())];
  await attendOrEnqueue({ ...scene.needs, inboxQueue, table }, events);
  expect(sent).toEqual([{ kind: 'event', event: events[0] }]);
});

test('the sender repeats events that cannot be enqueued either', async () => {
  const down = () => Promise.reject(new Error('down'));
  const needs = { ...scene.needs, inboxQueue: { send: down }, table: { ...host.table, transact: down } };
  await expect(attendOrEnqueue(needs, [event(scene.page.pageId)])).rejects.toMatchObject({
    kind: 'engine-unavailable',
  });
});
