/** Synchronizations between two full comparisons request as little as possible, and find everything new. */
import { expect, test } from 'vitest';
import { handleSocialEvent } from '../../../shared/domain/piloto/handle-social-event.ts';
import { workOnConnection } from '../../../shared/domain/piloto/pages/work-on-connection.ts';
import type { NetworkComment } from '../../../shared/gateways/social-network.ts';
import { commentAt, day, minute, useInboxScene } from './use-inbox-scene.ts';

const inbox = useInboxScene();
const { converse, copied, expectTruth, publish } = inbox;

/** The requests of the synchronization that is due after the given number of minutes. */
async function requestsAfter(minutes: number): Promise<readonly string[]> {
  const { clock, network } = inbox.scene;
  clock.advance(minutes * minute);
  network.requests.length = 0;
  await inbox.scene.work();
  return [...network.requests];
}

function commentsOn(post: string): NetworkComment[] {
  const { comments } = inbox.scene.page.posts.get(post) ?? {};
  if (!comments) throw new Error('no such post');
  return comments;
}

/** A copy that also contains what all participants wrote long ago. */
async function givenCopy(): Promise<void> {
  for (const person of ['Ana', 'Bia', 'Caio']) converse(person, [3 * minute, 2 * minute]);
  publish('post', 8);
  publish('other post', 2);
  publish('post without comments', 0);
  await inbox.scene.work();
  await requestsAfter(60);
}

test('a synchronization of recent items makes two requests if nothing has changed, however many comments there are', async () => {
  await givenCopy();
  expect(await requestsAfter(6)).toEqual(['conversations', 'posts']);
});

test('a synchronization of recent items reads the comments on a post that has new ones until all are copied', async () => {
  await givenCopy();
  commentsOn('post').push(commentAt('post', 'new', inbox.scene.clock.now()));
  expect(await requestsAfter(6)).toEqual(['conversations', 'posts', 'comments']);
  await expectTruth();
  expect(await requestsAfter(6)).toEqual(['conversations', 'posts']);
});

test('a synchronization of recent items lists comments only once after an event has already added the new one', async () => {
  await givenCopy();
  const comment = commentAt('post', 'new', inbox.scene.clock.now());
  commentsOn('post').push(comment);
  const { pageId } = inbox.scene.page;
  await handleSocialEvent(inbox.scene.needs, { kind: 'comment', channel: 'instagram', pageId, comment });
  expect(await requestsAfter(6)).toEqual(['conversations', 'posts', 'comments']);
  expect(await requestsAfter(6)).toEqual(['conversations', 'posts']);
});

test('a synchronization of recent items finds new replies to old comments, and removals', async () => {
  await givenCopy();
  const comments = commentsOn('post');
  const [oldest] = comments;
  comments.push({ ...commentAt('post', 'reply', (oldest?.createdAt ?? 0) - 1), parentId: 'post-0' });
  await requestsAfter(6);
  await expectTruth();
  comments.splice(4, 1);
  await requestsAfter(6);
  await expectTruth();
});

test('comments read in several calls are compared with the count from before the first call', async () => {
  await givenCopy();
  const { clock, needs, id, network } = inbox.scene;
  commentsOn('post').push({ ...commentAt('post', 'reply', 1), parentId: 'post-0' });
  clock.advance(6 * minute);
  network.interrupt = () => clock.advance(15_000);
  await workOnConnection(needs, id);
  expect((await inbox.scene.connection())?.run?.entry?.place).toMatchObject({ commentCount: 9 });
  network.interrupt = undefined;
  // The new comment is listed before the part that is read next.
  commentsOn('post').push(commentAt('post', 'new', clock.now()));
  await inbox.scene.work();
  expect((await copied()).comments).toHaveLength(11);
  await requestsAfter(6);
  await expectTruth();
});

test('a synchronization of recent items reads a post’s comments again if its last read listed fewer than were counted', async () => {
  await givenCopy();
  const { network, needs } = inbox.scene;
  const comments: typeof network.comments = async (...given) => {
    const { items, ...rest } = await network.comments(...given);
    return { ...rest, items: items.filter(({ id }) => id !== 'new') };
  };
  commentsOn('post').push(commentAt('post', 'new', inbox.scene.clock.now()));
  inbox.scene.clock.advance(6 * minute);
  await inbox.scene.work({ ...needs, socialNetwork: { ...network, comments } });
  expect(await requestsAfter(6)).toEqual(['conversations', 'posts', 'comments']);
  await expectTruth();
});

test('a synchronization of recent items does not repeatedly read a post whose comments the social network partly hides', async () => {
  publish('post', 2);
  const { network, needs } = inbox.scene;
  const posts: typeof network.posts = async (access, cursor) => {
    const { items, ...rest } = await network.posts(access, cursor);
    return { ...rest, items: items.map((post) => ({ ...post, commentCount: 5 })) };
  };
  const socialNetwork = { ...network, posts };
  for (let round = 0; round < 3; round += 1) {
    await inbox.scene.work({ ...needs, socialNetwork });
    inbox.scene.clock.advance(6 * minute);
  }
  expect(network.requests.filter((request) => request === 'comments')).toHaveLength(2);
});

test('a synchronization of recent items does not read all comments if one is written after they were counted', async () => {
  await givenCopy();
  const { clock, needs, network } = inbox.scene;
  const write = (id: string) => commentsOn('post').push(commentAt('post', id, clock.now()));
  const comments: typeof network.comments = (...given) => {
    if (!commentsOn('post').some(({ id }) => id === 'newer')) write('newer');
    return network.comments(...given);
  };
  write('new');
  network.requests.length = 0;
  clock.advance(6 * minute);
  await inbox.scene.work({ ...needs, socialNetwork: { ...network, comments } });
  expect(network.requests).toEqual(['conversations', 'posts', 'comments']);
  await expectTruth();
  expect(await requestsAfter(6)).toEqual(['conversations', 'posts', 'comments']);
  expect(await requestsAfter(6)).toEqual(['conversations', 'posts']);
});

test('a synchronization of recent items reads only the newest comments on a busy post, even if one comment is hidden', async () => {
  const { clock, network, needs } = inbox.scene;
  const posts: typeof network.posts = async (access, cursor) => {
    const { items, ...rest } = await network.posts(access, cursor);
    return { ...rest, items: items.map((post) => ({ ...post, commentCount: (post.commentCount ?? 0) + 1 })) };
  };
  const work = () => inbox.scene.work({ ...needs, socialNetwork: { ...network, posts } });
  publish('post', 8);
  await work();
  clock.advance(60 * minute);
  await work();
  for (const id of ['first', 'second', 'third']) {
    commentsOn('post').push(commentAt('post', id, clock.now()));
    network.requests.length = 0;
    clock.advance(6 * minute);
    await work();
    expect(network.requests).toEqual(['conversations', 'posts', 'comments']);
    await expectTruth();
  }
});

test('a synchronization of recent items reads the newest comments on every post if the social network does not count them', async () => {
  const { network, needs } = inbox.scene;
  const posts: typeof network.posts = async (access, cursor) => {
    const { items, ...rest } = await network.posts(access, cursor);
    return { ...rest, items: items.map(({ commentCount: _secret, ...post }) => post) };
  };
  const uncounted = { ...needs, socialNetwork: { ...network, posts } };
  publish('post', 8);
  await inbox.scene.work(uncounted);
  inbox.scene.clock.advance(60 * minute);
  await inbox.scene.work(uncounted);
  commentsOn('post').push(commentAt('post', 'new', inbox.scene.clock.now()));
  network.requests.length = 0;
  inbox.scene.clock.advance(6 * minute);
  await inbox.scene.work(uncounted);
  expect(network.requests).toEqual(['conversations', 'posts', 'comments']);
  await expectTruth();
});

test('the daily full synchronization finds changed comments even if their number is the same', async () => {
  await givenCopy();
  const comments = commentsOn('post');
  comments.splice(0, 1);
  comments.push(commentAt('post', 'new', inbox.scene.clock.now()));
  expect(await requestsAfter(6)).toEqual(['conversations', 'posts']);
  inbox.scene.clock.advance(day);
  await inbox.scene.work();
  await expectTruth();
});
