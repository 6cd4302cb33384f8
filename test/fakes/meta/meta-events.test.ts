/** The events of the sandbox: what people do reaches the service, signed, in the ways in which deliveries go wrong. */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { MetaFake } from '../../../fakes/meta/meta-fake.ts';
import { channels } from '../../../shared/contracts/channels.ts';
import type { SocialEvent, SocialNetwork } from '../../../shared/gateways/social-network.ts';
import { connectedShop, networkOn, startSandbox } from '../../gateways/meta/meta-scene.ts';
import { eventually } from '../../support/eventually.ts';
import { type LocalServer, localServer } from '../../support/local-server.ts';
import { testIds } from '../../support/test-table.ts';

let sandbox: MetaFake;
let network: SocialNetwork;
let service: LocalServer;
const received: SocialEvent[] = [];

beforeAll(async () => {
  // Like the service, it accepts what the network has signed.
  service = await localServer(async (request, response) => {
    const body = (await request.setEncoding('utf8').toArray()).join('');
    const events = await network.eventsOf({ headers: request.headers as Record<string, string>, body });
    received.push(...(events ?? []));
    response.writeHead(events ? 200 : 401).end();
  });
  sandbox = await startSandbox({ eventsUrl: service.url });
  network = networkOn(sandbox.url);
});
afterAll(() => Promise.all([sandbox.close(), service.close()]));

async function subscribedShop(channel: (typeof channels)[number]) {
  const shop = connectedShop(sandbox, channel, testIds.next());
  await network.subscribe(shop.access);
  return shop;
}

/** What the service has received of a page. */
async function eventsOf(pageId: string): Promise<SocialEvent[]> {
  await sandbox.sent();
  return received.filter((event) => event.pageId === pageId);
}

describe.for(channels)('in the sandbox, on %s,', (channel) => {
  test('messages and unsent ones are reported, but not those of the page itself', async () => {
    const { access, page, person } = await subscribedShop(channel);
    const message = sandbox.world.write(person, 'Oi, tem alguém aí?', { imageUrl: 'https://cdn.example/1.jpg' });
    await network.sendText(access, person.id, 'Tem sim!');
    sandbox.world.read(person);
    sandbox.world.unsend(message);
    const events = await eventsOf(page.id);
    expect(new Set(events.map(({ kind }) => kind))).toEqual(new Set(['message', 'message-status', 'message-deleted']));
    expect(events.find(({ kind }) => kind === 'message')).toEqual({
      kind: 'message',
      channel,
      pageId: page.id,
      participantId: person.id,
      message: {
        id: message.id,
        direction: 'inbound',
        text: 'Oi, tem alguém aí?',
        attachments: [{ type: 'image', url: 'https://cdn.example/1.jpg' }],
        status: 'delivered',
        createdAt: message.at,
      },
    });
    expect(events).toContainEqual(expect.objectContaining({ kind: 'message-status', status: 'read' }));
  });

  test('comments are reported as the Graph API lists them', async () => {
    const { access, page, person, postId } = await subscribedShop(channel);
    const post = sandbox.world.post(postId);
    const comment = post && sandbox.world.addComment(post, person.id, 'Que lindo!');
    const reply = await network.reply(access, { postId, commentId: comment?.id }, 'Obrigada!');
    const listed = (await network.comments(access, postId)).items;
    const reported = (await eventsOf(page.id)).flatMap((event) => (event.kind === 'comment' ? [event.comment] : []));
    for (const id of [comment?.id, reply.id]) {
      expect(listed).toContainEqual(reported.find((one) => one.id === id));
    }
    expect(reported.map(({ isOwn }) => isOwn)).toEqual(expect.arrayContaining([false, true]));
  });

  test('nothing is reported for a page that is not subscribed or whose access was revoked', async () => {
    const { page, person } = connectedShop(sandbox, channel, testIds.next());
    sandbox.world.write(person, 'Ninguém ouve');
    const revoked = await subscribedShop(channel);
    sandbox.world.revoke(revoked.page);
    sandbox.world.write(revoked.person, 'Ninguém ouve');
    expect([...(await eventsOf(page.id)), ...(await eventsOf(revoked.page.id))]).toEqual([]);
  });
});

test('the sandbox reports what happens to a Facebook comment', async () => {
  const { access, page, person, postId } = await subscribedShop('facebook');
  const post = sandbox.world.post(postId);
  const comment = post && sandbox.world.addComment(post, person.id, 'Compre seguidores');
  if (!comment) throw new Error('no comment');
  await network.setHidden(access, comment.id, true);
  await sandbox.sent();
  sandbox.world.edit({ ...comment, isHidden: true }, 'Vendo seguidores');
  await sandbox.sent();
  sandbox.world.remove(comment);
  expect((await eventsOf(page.id)).slice(1)).toMatchObject([
    { kind: 'comment', comment: { id: comment.id, hidden: true }, change: { what: 'hidden' } },
    { kind: 'comment', comment: { id: comment.id, text: 'Vendo seguidores' }, change: { what: 'text' } },
    { kind: 'comment-deleted', postId, commentId: comment.id },
  ]);
});

test.for([
  ['at once', [200]],
  ['late', [200]],
  ['twice', [200, 200]],
  ['forged', [401]],
  ['lost', []],
] as const)('in the social sandbox, an event sent %s gets the responses %j', async ([outcome, expected]) => {
  const { page, person } = await subscribedShop('instagram');
  sandbox.events = outcome;
  sandbox.world.write(person, 'Oi');
  sandbox.events = 'at once';
  const events = (await sandbox.sent()).filter(({ pageId }) => pageId === page.id);
  expect(events.map(({ status }) => status)).toEqual(expected);
});

test('in the social sandbox, a reordered event arrives after the next one, and the latest one again on demand', async () => {
  const { page, person } = await subscribedShop('instagram');
  sandbox.events = 'reordered';
  sandbox.world.write(person, 'Primeira');
  sandbox.events = 'at once';
  sandbox.world.write(person, 'Segunda');
  await sandbox.sent();
  await sandbox.resend();
  const texts = (await eventsOf(page.id)).flatMap((event) => (event.kind === 'message' ? [event.message.text] : []));
  expect(texts).toEqual(['Segunda', 'Primeira', 'Primeira']);
});

test('a restarted social sandbox has everything at the same address', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'meta-sandbox-'));
  const path = join(folder, 'private', 'meta.jsonl');
  const before = await startSandbox({ path });
  const { access, page, person, postId } = connectedShop(before, 'instagram', 'owner');
  before.world.write(person, 'Antes');
  await before.close();

  const after = await startSandbox({ path });
  expect(after.url).toBe(before.url);
  expect(after.world.shopOf('owner').map(({ id }) => id)).toContain(page.id);
  // The first request may find a connection that the earlier sandbox has just closed.
  const posts = await eventually('the posts', () =>
    networkOn(after.url)
      .posts(access)
      .catch(() => undefined),
  );
  expect(posts.items[0]?.id).toBe(postId);
  expect(after.world.messagesWith(person)[0]?.text).toBe('Antes');
  expect(statSync(path).mode & 0o077).toBe(0);
  await after.close();
  rmSync(folder, { recursive: true });
});
