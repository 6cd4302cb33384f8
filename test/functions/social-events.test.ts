/**
 * Events of social networks, from the sandbox's HTTP requests to the copy, and callbacks about users who withdraw
 * consent.
 */
import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { type Channel, channels } from '../../shared/contracts/channels.ts';
import { inboundRoutes } from '../../shared/contracts/inbound.ts';
import { inboxIdOf } from '../../shared/domain/inbox-keys.ts';
import { postStore } from '../../shared/domain/piloto/comments/post-store.ts';
import { conversationStore } from '../../shared/domain/piloto/conversations/conversation-store.ts';
import { connectPages, withdraw, withdrawal } from '../support/connected-pages.ts';
import { eventually } from '../support/eventually.ts';
import { serviceInTests } from '../support/test-service.ts';

const host = await serviceInTests();
const { accountId } = await host.account({ planId: 'business' });
const connected = await connectPages(host, accountId);

function pageOf(channel: Channel) {
  const page = connected.pages.find((one) => one.channel === channel);
  if (!page) throw new Error(`no page of ${channel} is connected`);
  return page;
}

const eventsUrl = () => host.url + inboundRoutes.receiveSocialEvent.path;

const handshake = async (token: string, mode = 'subscribe') => {
  const query = new URLSearchParams({ 'hub.mode': mode, 'hub.verify_token': token, 'hub.challenge': '1158201444' });
  const response = await fetch(`${eventsUrl()}?${query.toString()}`);
  return { status: response.status, type: response.headers.get('content-type'), body: await response.text() };
};

test('the events endpoint echoes the challenge only if the verify token is right', async () => {
  const token = host.service.context.settings.metaVerifyToken;
  const accepted = { status: 200, type: 'text/plain; charset=utf-8', body: '1158201444' };
  expect(await handshake(token)).toEqual(accepted);
  expect((await handshake('guessed')).status).toBe(401);
  expect((await handshake(token, 'unsubscribe')).status).toBe(401);
});

test('a customer’s message is in the inbox copy before the social network gets its response', async () => {
  const { world } = host.service.social;
  const page = pageOf('instagram');
  const person = world.addPerson(page, 'Nina Prado');
  world.write(person, 'Vocês abrem amanhã?');
  const sent = await host.service.social.sent();
  expect(sent.at(-1)).toMatchObject({ kind: 'message', status: 200 });
  const conversationId = inboxIdOf({ channel: page.channel, pageId: page.id }, person.id);
  const conversation = await conversationStore(host.service.context.table).find(accountId, conversationId);
  expect(conversation).toMatchObject({ unreadCount: 1, lastMessage: { text: 'Vocês abrem amanhã?' } });
});

test.for(channels)(
  'the profile of a new participant on %s is known before any synchronization',
  { timeout: 90_000 },
  async (channel) => {
    const { context, social } = host.service;
    const page = pageOf(channel);
    const person = social.world.addPerson(page, 'Lia Prado');
    social.world.write(person, 'Oi');
    await social.sent();
    const conversationId = inboxIdOf({ channel, pageId: page.id }, person.id);
    const known = async () => {
      const found = await conversationStore(context.table).find(accountId, conversationId);
      return found?.participant.avatarUrl ? found.participant : undefined;
    };
    expect(await eventually('the participant', known)).toMatchObject({
      name: 'Lia Prado',
      avatarUrl: expect.stringContaining(person.id),
    });
  },
);

test('a customer’s comment and read receipt are in the inbox copy', async () => {
  const { world } = host.service.social;
  const { table } = host.service.context;
  for (const page of channels.map(pageOf)) {
    const person = world.addPerson(page, 'Caio Reis');
    const [post] = world.posts(page);
    if (!post) throw new Error('the page has no posts');
    const ofPage = { channel: page.channel, pageId: page.id };
    const store = postStore(table);
    const before = await store.find(accountId, inboxIdOf(ofPage, post.id));
    world.addComment(post, person.id, 'Lindo!');
    world.write(person, 'Oi');
    world.send(person, 'Olá!');
    world.read(person);
    await host.service.social.sent();
    const after = await store.find(accountId, inboxIdOf(ofPage, post.id));
    expect(after?.unansweredCount).toBe((before?.unansweredCount ?? 0) + 1);
    const conversation = await conversationStore(table).find(accountId, inboxIdOf(ofPage, person.id));
    expect(conversation?.seenUntil).toBeGreaterThan(0);
  }
});

test('a comment of the page itself is recognized, whatever author id Instagram gives it', async () => {
  const { table, settings } = host.service.context;
  const page = pageOf('instagram');
  const [post] = host.service.social.world.posts(page);
  if (!post) throw new Error('the page has no posts');
  const ofPage = { channel: page.channel, pageId: page.id };
  const postId = inboxIdOf(ofPage, post.id);
  const from = [
    { id: page.id, username: 'renamed' },
    { id: page.userId, username: 'renamed' },
    { id: '178414', username: page.username },
    { id: '178415', username: 'visitor' },
    { id: '178416' },
  ];
  const changes = from.map((author, index) => {
    const value = { id: `own-${index}`, text: 'Obrigada!', from: author, media: { id: post.id } };
    return { field: 'comments', value };
  });
  const body = JSON.stringify({ object: 'instagram', entry: [{ id: page.id, time: 1_795_000_000, changes }] });
  const signature = createHmac('sha256', settings.metaInstagramSecrets).update(body).digest('hex');
  const headers = { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${signature}` };
  expect((await fetch(eventsUrl(), { method: 'POST', headers, body })).status).toBe(200);
  const ids = from.map((_, index) => inboxIdOf(ofPage, `own-${index}`));
  const comments = await postStore(table).comments(accountId, postId, ids);
  expect(comments.map(({ isOwn }) => isOwn)).toEqual([true, true, true, false, false]);
});

test('an inbox event without the app’s signature changes nothing', async () => {
  const sent = await host.service.social.sent();
  const { headers = {}, body = '' } = sent.at(-1) ?? {};
  const forge = (changed: RequestInit) => fetch(eventsUrl(), { method: 'POST', headers, body, ...changed });
  expect((await forge({ body: body.replace('{', '{ ') })).status).toBe(401);
  expect((await forge({ headers: { 'content-type': 'application/json' } })).status).toBe(401);
  expect((await forge({})).status).toBe(200);
});

test('an inbox event that cannot be applied when it arrives is applied from the queue', async () => {
  const { context, social } = host.service;
  const page = pageOf('instagram');
  const person = social.world.addPerson(page, 'Rui Sá');
  const table = { ...context.table, transact: () => Promise.reject(new Error('the table is down')) };
  await host.withContext({ ...context, table }, async () => {
    social.world.write(person, 'Oi?');
    expect((await social.sent()).at(-1)).toMatchObject({ status: 200 });
  });
  const conversationId = inboxIdOf({ channel: page.channel, pageId: page.id }, person.id);
  const store = conversationStore(context.table);
  const found = () => store.find(accountId, conversationId);
  expect(await eventually('the message from the queue', found)).toMatchObject({ lastMessage: { text: 'Oi?' } });
}, 90_000);

test('a forged consent withdrawal and one of the wrong kind change nothing', async () => {
  const page = pageOf('instagram');
  expect((await withdraw(host.url, 'data-deletion', withdrawal('guessed', page))).status).toBe(401);
  expect((await withdraw(host.url, 'other' as 'deauthorize', withdrawal('guessed', page))).status).toBe(404);
  expect(await connected.needs.connections.of(accountId)).toMatchObject([
    { state: 'connected' },
    { state: 'connected' },
  ]);
});

test.for([
  ['/inbound/social/meta/deauthorize', 16],
  ['/inbound/social/meta', 2048],
  ['/inbound/payments/mercado-pago', 2048],
  ['/inbound/payments/stripe', 2048],
  ['/inbound/engines/fal/address', 2048],
] as const)(
  'a body sent to %s that is longer than %i KiB is rejected before it is parsed',
  async ([path, kibibytes]) => {
    const send = (body: string) => fetch(host.url + path, { method: 'POST', body });
    const response = await send('a&'.repeat(kibibytes * 512 + 1));
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      error: { code: 'VALIDATION_ERROR', message: `The body must be at most ${kibibytes} KiB.` },
    });
    expect((await send('a&'.repeat(8 * 1024))).status).not.toBe(400);
  },
);

test('the deletion page says that a code that was never issued is unknown', async () => {
  for (const code of ['unknown', '0'.repeat(32), 'a'.repeat(3000)])
    expect((await fetch(`${host.url}/data-deletion/${code}`)).status).toBe(404);
});

test('a deletion request by a user without a connected page does not report a deletion', async () => {
  const secret = host.service.context.settings.metaFacebookSecrets;
  const response = await withdraw(host.url, 'data-deletion', withdrawal(secret, { userId: '404' }));
  const { url } = (await response.json()) as { url: string };
  expect(await (await fetch(url)).text()).toContain('Nothing was deleted');
});

test.for(channels)(
  'data of a page on %s is erased when the user who connected it requests that, and a status page says when it is done',
  async (channel) => {
    const { metaInstagramSecrets, metaFacebookSecrets } = host.service.context.settings;
    const secret = channel === 'instagram' ? metaInstagramSecrets : metaFacebookSecrets;
    const response = await withdraw(host.url, 'data-deletion', withdrawal(secret, pageOf(channel)));
    const { url, confirmation_code: code } = (await response.json()) as { url: string; confirmation_code: string };
    expect(url).toBe(`${host.url}/data-deletion/${code}`);
    expect(await (await fetch(url)).text()).toContain('is being deleted');
    host.clock.advance(3 * 60_000);
    await host.service.invoke('scheduleInboxSyncs', {});
    const text = async () => {
      const shown = await (await fetch(url)).text();
      return shown.includes('has been deleted') ? shown : undefined;
    };
    await eventually('the end of the deletion', text);
    const left = channels.slice(channels.indexOf(channel) + 1).toSorted();
    const states = left.map((one) => ({ channel: one, state: 'connected' }));
    expect(await connected.needs.connections.of(accountId)).toMatchObject(states);
  },
);
