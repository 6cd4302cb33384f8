/** Messages with the same time in seconds are stored in the order in which a social network lists them. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { inboxIdOf } from '../../../../shared/domain/inbox-keys.ts';
import { conversationStore } from '../../../../shared/domain/piloto/conversations/conversation-store.ts';
import { handleSocialEvent } from '../../../../shared/domain/piloto/handle-social-event.ts';
import { timesInOrder } from '../../../../shared/domain/piloto/synchronization/times-in-order.ts';
import { messageAt, minute, useInboxScene } from '../use-inbox-scene.ts';

const inbox = useInboxScene();

/** Seconds with the number of messages written in each, newest first; those that an event reported are marked. */
const listed = fc
  .array(fc.array(fc.boolean(), { minLength: 1, maxLength: 9 }), { minLength: 1, maxLength: 5 })
  .map((seconds) =>
    seconds.flatMap((inSecond, index) =>
      inSecond.map((isStored, position) => ({
        messageId: `${index}-${position}`,
        createdAt: (100 - index) * 1000,
        storedAt: isStored ? (100 - index) * 1000 + 900 - position * 100 : undefined,
      })),
    ),
  );

test('times assigned to listed messages keep the list’s order and the second in which each was sent, and do not change stored times', () => {
  fc.assert(
    fc.property(listed, fc.boolean(), (messages, isContinued) => {
      const storedAt = (id: string) => messages.find(({ messageId }) => messageId === id)?.storedAt;
      const timed = timesInOrder(messages, storedAt, isContinued);
      const times = timed.map(({ createdAt }) => createdAt);
      // The times of reported messages may leave no room for others between them.
      if (!isContinued) expect(times).toEqual(times.toSorted((one, other) => other - one));
      for (const [index, { createdAt, storedAt: known }] of messages.entries()) {
        expect(Math.floor((times[index] ?? 0) / 1000) * 1000).toBe(createdAt);
        if (known !== undefined) expect(times[index]).toBe(known);
      }
    }),
  );
});

const timesOf = (...given: Parameters<typeof timesInOrder>) => timesInOrder(...given).map(({ createdAt }) => createdAt);

test('a message time with milliseconds is kept unchanged', () => {
  expect(timesOf([{ messageId: 'm', createdAt: 5300 }], () => undefined, true)).toEqual([5300]);
});

test('a message keeps the second in which it was sent, even if no free millisecond is left in that second', () => {
  const messages = ['newer', 'older'].map((messageId) => ({ messageId, createdAt: 5000 }));
  expect(timesOf(messages, (id) => (id === 'older' ? 5999 : undefined), false)).toEqual([5999, 5999]);
});

const inCopy = async (): Promise<(string | null)[]> => {
  const { accountId, page } = inbox.scene;
  const id = inboxIdOf({ channel: 'instagram', pageId: page.pageId }, 'Ana');
  const store = conversationStore(inbox.table);
  const ids = await store.messageIds(accountId, id, { limit: 100, offset: 0 });
  const messages = await store.messages(accountId, id, ids);
  return messages.toReversed().map(({ networkId }) => networkId);
};

const order = ['one', 'two', 'three', 'four', 'five'];

/** Messages within one second. */
function talk(): void {
  inbox.converse('Ana', []);
  const second = Math.floor(inbox.scene.clock.now() / 1000) * 1000 - minute;
  const messages = order.map((id, index) => messageAt(id, second + 200 * index));
  inbox.scene.page.conversations.get('Ana')?.messages.push(...messages);
}

test('messages sent in the same second are in order even if a page of the list ends between them', async () => {
  talk();
  await inbox.scene.work();
  expect(await inCopy()).toEqual(order);
});

test('messages sent in the same second are in order with those that events added earlier', async () => {
  talk();
  const { page, needs } = inbox.scene;
  const { messages = [] } = page.conversations.get('Ana') ?? {};
  for (const message of messages.filter((_, index) => index % 2 === 1)) {
    const event = {
      kind: 'message',
      channel: 'instagram',
      pageId: page.pageId,
      participantId: 'Ana',
      message,
    } as const;
    await handleSocialEvent(needs, event);
  }
  await inbox.scene.work();
  expect(await inCopy()).toEqual(order);
});

test('messages sent in the same second stay in order when later ones are found', async () => {
  talk();
  const { page, clock } = inbox.scene;
  const talkWith = page.conversations.get('Ana');
  const late = talkWith?.messages.splice(3) ?? [];
  await inbox.scene.work();
  talkWith?.messages.push(...late);
  clock.advance(6 * minute);
  await inbox.scene.work();
  expect(await inCopy()).toEqual(order);
});
