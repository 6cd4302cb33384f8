/** The adapter to Instagram and Facebook against the sandbox, which speaks the documented Graph API. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { MetaFake } from '../../../infra/local/sandboxes/meta/meta-fake.ts';
import { channels } from '../../../shared/contracts/channels.ts';
import type { Page, SocialNetwork } from '../../../shared/gateways/social-network.ts';
import { testIds } from '../../support/test-table.ts';
import { connectedShop, faultIn, networkOn, startSandbox } from './meta-scene.ts';

let sandbox: MetaFake;
let network: SocialNetwork;

beforeAll(async () => {
  sandbox = await startSandbox();
  network = networkOn(sandbox.url);
});
afterAll(() => sandbox.close());

async function everything<Item>(read: (cursor?: string) => Promise<Page<Item>>): Promise<Item[]> {
  const items: Item[] = [];
  let page = await read();
  for (items.push(...page.items); page.next !== undefined; items.push(...page.items)) page = await read(page.next);
  return items;
}

const textsOf = (items: readonly { text: string | null }[]) => items.map(({ text }) => text);
const numbered = (count: number, word: string) => Array.from({ length: count }, (_, index) => `${word} ${index}`);

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

  test('the conversation with somebody is found among many, and there is none with a stranger', async () => {
    const { access, page, person } = shop();
    for (let index = 0; index < 60; index += 1) sandbox.world.write(sandbox.world.addPerson(page, `P${index}`), 'Oi');
    const { items, next } = await network.conversationsWith(access, person.id);
    expect([items.map(({ participant }) => participant.id), next]).toEqual([[person.id], undefined]);
    const stranger = await network.conversationsWith(access, '404');
    expect(stranger).toEqual({ items: [], unreadable: [] });
  });

  test('the replies to a comment are listed in parts, without those to others', async () => {
    const { access, postId, person } = shop();
    const post = sandbox.world.post(postId);
    const [comment, other] = ['Um', 'Dois'].map((text) => post && sandbox.world.addComment(post, person.id, text));
    if (!post || !comment || !other) throw new Error('no comments');
    const replies = Array.from({ length: 60 }, (_, index) =>
      sandbox.world.addComment(post, index % 2 ? null : person.id, `Resposta ${index}`, { parentId: comment.id }),
    );
    sandbox.world.addComment(post, null, 'De outro', { parentId: other.id });
    const to = { postId, commentId: comment.id };
    const first = await network.replies(access, to);
    const second = await network.replies(access, to, first.next);
    const found = [...first.items, ...second.items];
    expect(found.map(({ id }) => id).toSorted()).toEqual(replies.map(({ id }) => id).toSorted());
    expect(new Set(found.map(({ parentId }) => parentId))).toEqual(new Set([comment.id]));
    expect(found.filter(({ isOwn }) => isOwn)).toHaveLength(30);
    expect(second.next).toBeUndefined();
  });

  test('conversations are listed newest first, with who wrote', async () => {
    const { access, page, person } = shop();
    sandbox.world.write(person, 'Ainda estou aqui');
    const { items, next } = await network.conversations(access);
    expect(next).toBeUndefined();
    expect(items).toHaveLength(sandbox.world.people(page).length);
    const name = channel === 'instagram' ? { username: person.username } : { name: person.name };
    expect(items[0]).toMatchObject({ participant: { id: person.id, ...name } });
    const times = items.map(({ updatedAt }) => updatedAt);
    expect(times).toEqual(times.toSorted((one, other) => other - one));
  });

  test('somebody who wrote has a name and an image', async () => {
    const { access, person } = shop();
    expect(await network.participant(access, person.id)).toEqual({
      id: person.id,
      name: person.name,
      username: channel === 'instagram' ? person.username : null,
      avatarUrl: `${sandbox.url}/images/people/${person.id}.svg`,
    });
  });

  test('all messages of a conversation are read over several pages, newest first', async () => {
    const { access, person, page } = shop();
    const somebody = sandbox.world.addPerson(page, 'Ana');
    const texts = numbered(120, 'Mensagem');
    for (const [index, text] of texts.entries())
      sandbox.world.write(somebody, text, { at: 1_790_000_000_000 + index * 1000 });
    sandbox.world.write(person, 'De outra pessoa');
    const { items } = await network.conversations(access);
    const { id = '' } = items.find(({ participant }) => participant.id === somebody.id) ?? {};
    const messages = await everything((cursor) => network.messages(access, id, cursor));
    expect(textsOf(messages)).toEqual(texts.toReversed());
    expect(messages.at(-1)).toMatchObject({ direction: 'inbound', createdAt: 1_790_000_000_000, attachments: [] });
  });

  test('an old message of which the network tells only an id is no item, and is named', async () => {
    const { access, person } = shop();
    const written = numbered(25, 'Antiga').map((text) => sandbox.world.write(person, text).id);
    sandbox.detailedMessages = 20;
    const { items, unreadable } = await network.messages(access, `t_${person.id}`);
    sandbox.detailedMessages = Number.POSITIVE_INFINITY;
    expect(items.map(({ id }) => id)).toEqual(written.slice(5).toReversed());
    expect(unreadable.slice(0, 5)).toEqual(written.slice(0, 5).toReversed());
    const earlier = sandbox.world.messagesWith(person).slice(25);
    expect(unreadable.slice(5)).toEqual(earlier.map(({ id }) => id));
  });

  test('a message that is sent arrives, and is listed as the page’s own', async () => {
    const { access, person } = shop();
    sandbox.world.write(person, 'Oi?', { imageUrl: 'https://cdn.example/1.jpg' });
    const { id } = await network.sendText(access, person.id, 'Olá, tudo bem? 💙');
    expect(sandbox.world.message(id)).toMatchObject({ personId: person.id, text: 'Olá, tudo bem? 💙', isOwn: true });
    const [conversation] = (await network.conversations(access)).items;
    const { items } = await network.messages(access, conversation?.id ?? '');
    expect(items.find((one) => one.id === id)).toMatchObject({ direction: 'outbound', text: 'Olá, tudo bem? 💙' });
    expect(items.find(({ text }) => text === 'Oi?')).toMatchObject({
      direction: 'inbound',
      attachments: [{ type: 'image', url: 'https://cdn.example/1.jpg' }],
    });
    await network.markSeen(access, person.id);
    expect(sandbox.world.person(person.id)?.seenAt).toEqual(expect.any(Number));
  });

  test('nobody can be written to outside the 24-hour window, until they write again', async () => {
    const { access, person } = shop();
    sandbox.world.closeWindow(person);
    expect(await faultIn(network.sendText(access, person.id, 'Olá'))).toMatchObject({ reason: 'window-closed' });
    sandbox.world.write(person, 'Voltei');
    await network.sendText(access, person.id, 'Olá');
  });

  test('posts are listed newest first, with what they show', async () => {
    const { access, postId } = shop();
    const { items } = await network.posts(access);
    expect(items).toHaveLength(3);
    expect(items[0]).toMatchObject({
      id: postId,
      caption: expect.stringContaining('Fornada nova'),
      thumbnailUrl: `${sandbox.url}/images/posts/${postId}.svg`,
      permalink: expect.stringMatching(/^https:\/\/www\./),
    });
    const counts = items.map(({ id }) => sandbox.world.comments(id).length);
    expect(items.map(({ commentCount }) => commentCount)).toEqual(counts);
    expect(counts).toEqual([4, 3, 0]);
  });

  test('all comments of a post and all replies are read, over several pages of both', async () => {
    const { access, person, postId } = shop();
    const post = sandbox.world.post(postId);
    if (!post) throw new Error('no post');
    for (const text of numbered(60, 'Comentário')) sandbox.world.addComment(post, person.id, text);
    const top = sandbox.world.addComment(post, person.id, 'Quanto custa?');
    for (const text of numbered(30, 'Resposta')) sandbox.world.addComment(post, person.id, text, { parentId: top.id });
    const comments = await everything((cursor) => network.comments(access, postId, cursor));
    expect(new Set(comments.map(({ id }) => id))).toEqual(new Set(sandbox.world.comments(postId).map(({ id }) => id)));
    expect(comments).toHaveLength(sandbox.world.comments(postId).length);
    expect(comments.filter(({ parentId }) => parentId === top.id)).toHaveLength(30);
    const name = channel === 'instagram' ? person.username : person.name;
    expect(comments.find(({ id }) => id === top.id)).toEqual({
      id: top.id,
      postId,
      parentId: null,
      author: { id: person.id, username: name },
      isOwn: false,
      text: 'Quanto custa?',
      hidden: false,
      liked: false,
      likeCount: 0,
      createdAt: Math.floor(top.at / 1000) * 1000,
    });
  });

  test('the page comments and replies, and its comments are its own', async () => {
    const { access, person, postId } = shop();
    const post = sandbox.world.post(postId);
    const asked = post && sandbox.world.addComment(post, person.id, 'Tem azul?');
    const reply = await network.reply(access, { postId, commentId: asked?.id }, 'Tem sim!');
    const comment = await network.reply(access, { postId }, 'Obrigada a todos');
    const { items } = await network.comments(access, postId);
    expect(items.find(({ id }) => id === reply.id)).toMatchObject({
      isOwn: true,
      parentId: asked?.id,
      text: 'Tem sim!',
    });
    expect(items.find(({ id }) => id === comment.id)).toMatchObject({ isOwn: true, parentId: null });
  });

  test('a comment is hidden and shown again, and repeating it changes nothing', async () => {
    const { access, postId } = shop();
    const { id = '' } = sandbox.world.comments(postId)[0] ?? {};
    const shown = async () => (await network.comments(access, postId)).items.find((one) => one.id === id)?.hidden;
    for (const hidden of [true, true, false, false]) {
      await network.setHidden(access, id, hidden);
      expect(await shown()).toBe(hidden);
    }
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

test('each part of the comments costs one request, however many have replies of several parts', async () => {
  const { access, person, postId } = connectedShop(sandbox, 'instagram', testIds.next());
  const post = sandbox.world.post(postId);
  if (!post) throw new Error('no post');
  const asked = numbered(4, 'Pergunta').map((text) => sandbox.world.addComment(post, person.id, text));
  for (const { id: parentId } of asked)
    for (const text of numbered(80, 'Resposta')) sandbox.world.addComment(post, person.id, text, { parentId });
  const before = sandbox.requests.length;
  let parts = 0;
  const comments = await everything((cursor) => {
    parts += 1;
    if (parts === 2 && asked[0]) sandbox.world.remove(asked[0]);
    return network.comments(access, postId, cursor);
  });
  expect(sandbox.requests.length - before).toBe(parts);
  const left = sandbox.world.comments(postId).map(({ id }) => id);
  const removed = comments.filter(({ id }) => !left.includes(id));
  expect(removed.every(({ id, parentId }) => [id, parentId].includes(asked[0]?.id ?? null))).toBe(true);
  expect(comments.map(({ id }) => id)).toEqual(expect.arrayContaining(left));
  expect(new Set(comments.map(({ id }) => id)).size).toBe(comments.length);
  expect(await faultIn(network.comments(access, postId, 'a cursor'))).toMatchObject({ reason: 'rejected' });
});

test('a comment by the page’s name is its own, whatever id the network gives its author', async () => {
  const { access, page, postId } = connectedShop(sandbox, 'instagram', testIds.next());
  const { id } = await network.reply(access, { postId }, 'Obrigada a todos');
  const ownIn = async (username: string | null) => {
    const { items } = await network.comments({ ...access, pageId: 'of-another-kind', username }, postId);
    return items.filter(({ isOwn }) => isOwn).map((one) => one.id);
  };
  expect(await ownIn(page.username)).toContain(id);
  expect(await ownIn(null)).toEqual([]);
});

test('nobody is known to have granted a token that is not valid, or that no app can inspect', async () => {
  const { access } = connectedShop(sandbox, 'facebook', testIds.next());
  expect(await network.tokenDetails({ ...access, accessToken: 'another-token' })).toEqual({});
  const without = networkOn(sandbox.url, { facebookApp: async () => undefined });
  expect(await without.tokenDetails(access)).toEqual({});
  const other = networkOn(sandbox.url, { facebookApp: async () => ({ id: 'the-app', secret: 'guessed' }) });
  expect(await faultIn(other.tokenDetails(access))).toMatchObject({ reason: 'revoked' });
});

test('a page of Facebook likes a comment, and no longer; one of Instagram cannot', async () => {
  const { access, postId } = connectedShop(sandbox, 'facebook', testIds.next());
  const { id = '' } = sandbox.world.comments(postId)[0] ?? {};
  for (const liked of [true, true, false, false]) {
    await network.setLiked(access, id, liked);
    expect((await network.comments(access, postId)).items.find((one) => one.id === id)).toMatchObject({ liked });
  }
  const instagram = connectedShop(sandbox, 'instagram', testIds.next());
  const before = sandbox.requests.length;
  expect(await faultIn(network.setLiked(instagram.access, '1', true))).toMatchObject({ reason: 'unsupported' });
  expect(sandbox.requests.length).toBe(before);
});

test('a text that Instagram does not accept is rejected', async () => {
  const { access, person } = connectedShop(sandbox, 'instagram', testIds.next());
  sandbox.world.write(person, 'Oi');
  await network.sendText(access, person.id, 'á'.repeat(500));
  expect(await faultIn(network.sendText(access, person.id, 'á'.repeat(501)))).toMatchObject({ reason: 'rejected' });
});

test('a page of a sandbox cannot be reached where there is none', async () => {
  const { access } = connectedShop(sandbox, 'instagram', testIds.next());
  expect(await faultIn(networkOn('none').conversations(access))).toMatchObject({ reason: 'unsupported' });
});
