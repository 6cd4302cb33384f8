/** Parts of an inbox that always fail do not keep the rest from being copied for good. */
import { expect, test } from 'vitest';
import type { SocialNetwork } from '../../../../shared/gateways/social-network.ts';
import { fault } from '../../../support/model-network.ts';
import { truthOf } from '../inbox-scene.ts';
import { day, minute, useInboxScene } from '../use-inbox-scene.ts';

const inbox = useInboxScene();
const { converse, copied, expectTruth, publish } = inbox;

/** People who have each written two messages, and posts with a comment. */
function populate(people: number, posts = 0): void {
  for (let person = 0; person < people; person += 1) converse(`person-${person}`, [minute + person, 2 * minute]);
  for (let index = 0; index < posts; index += 1) publish(`post-${index}`, 1);
}

/** A network that never returns the messages of one person, or the comments on one post. */
function failingAt({ person = '', post = '' }): SocialNetwork {
  const { network } = inbox.scene;
  return {
    ...network,
    messages: async (access, conversationId, cursor) => {
      if (conversationId === `thread-${person}`) throw fault('unavailable');
      return network.messages(access, conversationId, cursor);
    },
    comments: async (access, postId, cursor) => {
      if (postId === post) throw fault('unavailable');
      return network.comments(access, postId, cursor);
    },
  };
}

/** Works for an hour on what is due. */
async function workForAnHour(socialNetwork: SocialNetwork): Promise<void> {
  for (let minutes = 0; minutes < 60; minutes += 1) {
    await inbox.scene.work({ ...inbox.scene.needs, socialNetwork });
    inbox.scene.clock.advance(minute);
  }
}

test('a conversation and a post that always fail at the social network keep the rest of an inbox from being copied for minutes only', async () => {
  populate(4, 3);
  await workForAnHour(failingAt({ person: 'person-1', post: 'post-1' }));
  const { messages, comments } = truthOf(inbox.scene.page);
  expect(await copied()).toMatchObject({
    messages: messages.filter((one) => one.with !== 'person-1'),
    comments: comments.filter((one) => one.below !== 'post-1'),
  });
  expect((await inbox.scene.connection())?.fullySyncedAt).toBeDefined();
  expect(JSON.stringify(inbox.scene.logger.warnings)).toContain('part of an inbox not copied');
  // They are copied once they no longer fail: a synchronization in progress ends, and a full one follows.
  for (const passed of [day, 5 * minute]) {
    inbox.scene.clock.advance(passed);
    await inbox.scene.work();
  }
  await expectTruth();
});

test('a conversation that always fails when it is compared delays the removal of others for minutes only', async () => {
  populate(4);
  await inbox.scene.work();
  for (const person of ['person-0', 'person-3']) inbox.scene.page.conversations.delete(person);
  inbox.scene.clock.advance(day);
  await workForAnHour(failingAt({ person: 'person-0' }));
  const { messages } = await copied();
  expect(messages.map((one) => one.with)).not.toContain('person-3');
  expect((await inbox.scene.connection())?.run).toBeUndefined();
});

test('nothing is left out of an inbox while the social network throttles or does not respond at all', async () => {
  populate(4, 2);
  for (const reason of ['throttled', 'unavailable'] as const) {
    inbox.scene.network.interrupt = () => {
      throw fault(reason, 60);
    };
    await workForAnHour(inbox.scene.network);
  }
  inbox.scene.network.interrupt = undefined;
  await inbox.scene.work();
  await expectTruth();
});

test('a list of the social network that repeats itself without end does not keep the rest of an inbox from being copied', async () => {
  populate(2, 1);
  const { network } = inbox.scene;
  network.interrupt = () => inbox.scene.clock.advance(10_000);
  let asked = 0;
  const repeated: SocialNetwork = {
    ...network,
    conversations: async (access, cursor) => {
      asked += 1;
      const part = await network.conversations(access, cursor?.startsWith('again') ? undefined : cursor);
      return { ...part, next: part.next ?? `again ${asked % 2}` };
    },
    messages: async (access, conversationId, cursor) => {
      const part = await network.messages(access, conversationId, cursor === 'again' ? undefined : cursor);
      return conversationId === 'thread-person-1' ? { ...part, next: 'again' } : part;
    },
  };
  await inbox.scene.work({ ...inbox.scene.needs, socialNetwork: repeated });
  expect(await copied()).toEqual(truthOf(inbox.scene.page));
  expect(await inbox.scene.connection()).toMatchObject({ fault: 'incomplete' });
});
