/** The adapter to Instagram and Facebook with the sandbox: posts, comments and a page's actions on them. */
import { describe, expect, test } from 'vitest';
import { channels } from '../../../shared/contracts/channels.ts';
import { localServer } from '../../support/local-server.ts';
import { testIds } from '../../support/test-table.ts';
import { connectedShop, everything, faultIn, networkOn, numbered, useSandbox } from './meta-scene.ts';

const meta = useSandbox();

describe.for(channels)('on %s,', (channel) => {
  const shop = () => connectedShop(meta.sandbox, channel, testIds.next());

  test('the replies to a comment are listed page by page, without replies to other comments', async () => {
    const { access, postId, person } = shop();
    const post = meta.sandbox.world.post(postId);
    const [comment, other] = ['Um', 'Dois'].map((text) => post && meta.sandbox.world.addComment(post, person.id, text));
    if (!post || !comment || !other) throw new Error('no comments');
    const replies = Array.from({ length: 60 }, (_, index) =>
      meta.sandbox.world.addComment(post, index % 2 ? null : person.id, `Resposta ${index}`, { parentId: comment.id }),
    );
    meta.sandbox.world.addComment(post, null, 'De outro', { parentId: other.id });
    const to = { postId, commentId: comment.id };
    const first = await meta.network.replies(access, to);
    const second = await meta.network.replies(access, to, first.next);
    const found = [...first.items, ...second.items];
    expect(found.map(({ id }) => id).toSorted()).toEqual(replies.map(({ id }) => id).toSorted());
    expect(new Set(found.map(({ parentId }) => parentId))).toEqual(new Set([comment.id]));
    expect(found.filter(({ isOwn }) => isOwn)).toHaveLength(30);
    expect(second.next).toBeUndefined();
  });

  test('posts are listed newest first with their visible details', async () => {
    const { access, postId } = shop();
    const { items } = await meta.network.posts(access);
    expect(items).toHaveLength(3);
    expect(items[0]).toMatchObject({
      id: postId,
      caption: expect.stringContaining('Fornada nova'),
      thumbnailUrl: `${meta.sandbox.url}/images/posts/${postId}.svg`,
      permalink: expect.stringMatching(/^https:\/\/www\./),
    });
    const counts = items.map(({ id }) => meta.sandbox.world.comments(id).length);
    expect(items.map(({ commentCount }) => commentCount)).toEqual(counts);
    expect(counts).toEqual([4, 3, 0]);
  });

  test('all comments and replies of a post are read, even if both span several pages', async () => {
    const { access, person, postId } = shop();
    const post = meta.sandbox.world.post(postId);
    if (!post) throw new Error('no post');
    for (const text of numbered(60, 'Comentário')) meta.sandbox.world.addComment(post, person.id, text);
    const top = meta.sandbox.world.addComment(post, person.id, 'Quanto custa?');
    for (const text of numbered(30, 'Resposta'))
      meta.sandbox.world.addComment(post, person.id, text, { parentId: top.id });
    const comments = await everything((cursor) => meta.network.comments(access, postId, cursor));
    expect(new Set(comments.map(({ id }) => id))).toEqual(
      new Set(meta.sandbox.world.comments(postId).map(({ id }) => id)),
    );
    expect(comments).toHaveLength(meta.sandbox.world.comments(postId).length);
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

  test('an account’s page can comment and reply, and its comments are marked as its own', async () => {
    const { access, person, postId } = shop();
    const post = meta.sandbox.world.post(postId);
    const asked = post && meta.sandbox.world.addComment(post, person.id, 'Tem azul?');
    const reply = await meta.network.reply(access, { postId, commentId: asked?.id }, 'Tem sim!');
    const comment = await meta.network.reply(access, { postId }, 'Obrigada a todos');
    const { items } = await meta.network.comments(access, postId);
    expect(items.find(({ id }) => id === reply.id)).toMatchObject({
      isOwn: true,
      parentId: asked?.id,
      text: 'Tem sim!',
    });
    expect(items.find(({ id }) => id === comment.id)).toMatchObject({ isOwn: true, parentId: null });
  });

  test('a comment can be hidden and shown again, and repeating this changes nothing', async () => {
    const { access, postId } = shop();
    const { id = '' } = meta.sandbox.world.comments(postId)[0] ?? {};
    const shown = async () => (await meta.network.comments(access, postId)).items.find((one) => one.id === id)?.hidden;
    for (const hidden of [true, true, false, false]) {
      await meta.network.setHidden(access, id, hidden);
      expect(await shown()).toBe(hidden);
    }
  });
});

test('each page of comments takes one request to Meta, even if many comments have several pages of replies', async () => {
  const { access, person, postId } = connectedShop(meta.sandbox, 'instagram', testIds.next());
  const post = meta.sandbox.world.post(postId);
  if (!post) throw new Error('no post');
  const asked = numbered(4, 'Pergunta').map((text) => meta.sandbox.world.addComment(post, person.id, text));
  for (const { id: parentId } of asked)
    for (const text of numbered(80, 'Resposta')) meta.sandbox.world.addComment(post, person.id, text, { parentId });
  const before = meta.sandbox.requests.length;
  let parts = 0;
  const comments = await everything((cursor) => {
    parts += 1;
    if (parts === 2 && asked[0]) meta.sandbox.world.remove(asked[0]);
    return meta.network.comments(access, postId, cursor);
  });
  expect(meta.sandbox.requests.length - before).toBe(parts);
  const left = meta.sandbox.world.comments(postId).map(({ id }) => id);
  const removed = comments.filter(({ id }) => !left.includes(id));
  expect(removed.every(({ id, parentId }) => [id, parentId].includes(asked[0]?.id ?? null))).toBe(true);
  expect(comments.map(({ id }) => id)).toEqual(expect.arrayContaining(left));
  expect(new Set(comments.map(({ id }) => id)).size).toBe(comments.length);
  expect(await faultIn(meta.network.comments(access, postId, 'a cursor'))).toMatchObject({ reason: 'rejected' });
});

test('a Meta comment under the page’s name counts as the page’s own, whatever author id Meta gives it', async () => {
  const { access, page, postId } = connectedShop(meta.sandbox, 'instagram', testIds.next());
  const { id } = await meta.network.reply(access, { postId }, 'Obrigada a todos');
  const ownIn = async (username: string | null) => {
    const { items } = await meta.network.comments({ ...access, pageId: 'of-another-kind', username }, postId);
    return items.filter(({ isOwn }) => isOwn).map((one) => one.id);
  };
  expect(await ownIn(page.username)).toContain(id);
  expect(await ownIn(null)).toEqual([]);
});

test('the author of an Instagram comment without an author id has a part of the user name as id, of whole characters', async () => {
  const username = `${'a'.repeat(127)}🍞`;
  const comment = { id: '7', text: 'Oi', timestamp: '2026-11-23T01:00:00+0000', username };
  const server = await localServer((_request, response) => void response.end(JSON.stringify({ data: [comment] })));
  const { access, postId } = connectedShop(meta.sandbox, 'instagram', testIds.next());
  const { items } = await networkOn(server.url).comments(access, postId);
  await server.close();
  expect(items.map(({ author }) => author)).toEqual([{ id: 'a'.repeat(127), username }]);
});

test('a Facebook page can like and unlike a comment, and an Instagram page cannot', async () => {
  const { access, postId } = connectedShop(meta.sandbox, 'facebook', testIds.next());
  const { id = '' } = meta.sandbox.world.comments(postId)[0] ?? {};
  for (const liked of [true, true, false, false]) {
    await meta.network.setLiked(access, id, liked);
    expect((await meta.network.comments(access, postId)).items.find((one) => one.id === id)).toMatchObject({ liked });
  }
  const instagram = connectedShop(meta.sandbox, 'instagram', testIds.next());
  const before = meta.sandbox.requests.length;
  expect(await faultIn(meta.network.setLiked(instagram.access, '1', true))).toMatchObject({ reason: 'unsupported' });
  expect(meta.sandbox.requests.length).toBe(before);
});
