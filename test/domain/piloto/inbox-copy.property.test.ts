/**
 * A model of the inbox: whatever of the network's events is lost, repeated, reordered or applied at the same time as
 * others, all counts are what the rows add up to, and a reconciliation leaves exactly what the network has.
 */
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inboxIdOf } from '../../../shared/domain/inbox-keys.ts';
import {
  applyCommentChange,
  applyComments,
  applyPost,
  removeComment,
} from '../../../shared/domain/piloto/apply-comments.ts';
import { applyConversation, applyMessages, removeMessage } from '../../../shared/domain/piloto/apply-messages.ts';
import type { Connection } from '../../../shared/domain/piloto/connection.ts';
import type { ConnectionStore } from '../../../shared/domain/piloto/connection-store.ts';
import type { OwnedPage } from '../../../shared/domain/piloto/conversation.ts';
import { recordRead } from '../../../shared/domain/piloto/mark-read.ts';
import { learnParticipant } from '../../../shared/domain/piloto/participant-profile.ts';
import type {
  CommentChange,
  NetworkComment,
  NetworkMessage,
  Participant,
  SocialNetwork,
} from '../../../shared/gateways/social-network.ts';
import type { Action, Table } from '../../../shared/platform/dynamo-table.ts';
import { type TestTable, testIds, testTable, testTime } from '../../support/test-table.ts';
import { copiedConversations, copiedPosts } from './copied-inbox.ts';

let host: TestTable;

beforeAll(async () => {
  host = await testTable();
});
afterAll(() => host.close());

type Plant = (table: Table) => Table;

interface Fate {
  /** How often its event arrives, and that of its removal, if it is removed. */
  readonly arrivals: number;
  readonly removals: number;
  readonly isRemoved: boolean;
  /** What is changed about a comment, one second after the other, and how often the event of it arrives. */
  readonly changes: readonly { readonly what: 'hide' | 'unhide' | 'edit'; readonly arrivals: number }[];
}

interface Planned extends Fate {
  readonly parent: number;
  readonly isOwn: boolean;
  readonly at: number;
  /** What a comment replies to, by position; a message has no such thing. */
  readonly repliesTo: number | undefined;
}

const planned: fc.Arbitrary<Planned> = fc.record({
  parent: fc.nat(1),
  isOwn: fc.boolean(),
  at: fc.nat(6),
  repliesTo: fc.option(fc.nat(3), { nil: undefined }),
  arrivals: fc.constantFrom(0, 1, 1, 2),
  removals: fc.constantFrom(0, 1, 2),
  isRemoved: fc.boolean(),
  changes: fc.array(
    fc.record({ what: fc.constantFrom('hide', 'unhide', 'edit'), arrivals: fc.constantFrom(0, 1, 1, 1, 2) }),
    { maxLength: 4 },
  ),
});

const history = fc.record({
  entries: fc.array(planned, { minLength: 1, maxLength: 8 }),
  order: fc.infiniteStream(fc.nat(1000)),
  together: fc.integer({ min: 1, max: 4 }),
});

type History = typeof history extends fc.Arbitrary<infer Value> ? Value : never;

/** Every event as often as it arrives, and requests that mark as read, in some order and some of them at a time. */
async function happen({ order, together }: History, events: readonly (() => Promise<unknown>)[]): Promise<void> {
  const ranks = order[Symbol.iterator]();
  const shuffled = events
    .map((event) => ({ event, rank: ranks.next().value ?? 0 }))
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ event }) => event);
  for (let from = 0; from < shuffled.length; from += together) {
    await Promise.all(shuffled.slice(from, from + together).map((event) => event()));
  }
}

const sorted = (entries: readonly (readonly unknown[])[]) =>
  entries.map((entry) => entry.join(': ')).toSorted((a, b) => a.localeCompare(b, 'en'));

const times = <Value>(count: number, value: Value): Value[] => Array.from({ length: count }, () => value);

function scene(plant: Plant) {
  let now = testTime + 1_000_000;
  const clock = { now: () => (now += 1) };
  const page: OwnedPage = { accountId: testIds.next(), channel: 'instagram', pageId: 'page' };
  return { page, needs: { clock, table: plant(host.table) } };
}

const idOf = (index: number) => `entry-${index}`;
const parentOf = ({ parent }: Pick<Planned, 'parent'>) => `parent-${parent}`;

/** A connected page in a network that describes everybody in the same way. */
const knowing = (page: OwnedPage, participant: Omit<Participant, 'id'>) => {
  const known: Connection = {
    ...page,
    network: 'sandbox',
    name: 'Loja',
    username: 'loja',
    state: 'connected',
    connectedAt: testTime,
    version: 1,
    dueAt: testTime,
  };
  const connections: Partial<ConnectionStore> = { find: async () => known };
  const socialNetwork: Partial<SocialNetwork> = { participant: async (_access, id) => ({ ...participant, id }) };
  return {
    connections: connections as ConnectionStore,
    logger: { warn: () => undefined },
    secretBox: { seal: async () => '', open: async () => 'token' },
    socialNetwork: socialNetwork as SocialNetwork,
  };
};

async function messagesAgree(given: History, plant: Plant = (table) => table): Promise<void> {
  const { page, needs } = scene(plant);
  const messages = given.entries.map(
    ({ isOwn, at }, index): NetworkMessage => ({
      id: idOf(index),
      direction: isOwn ? 'outbound' : 'inbound',
      text: `text ${index}`,
      attachments: [],
      status: 'sent',
      createdAt: testTime + at,
    }),
  );
  const apply = (index: number, reading = {}) => {
    const [entry, message] = [given.entries[index], messages[index]];
    return entry && message
      ? applyMessages(needs, page, { id: parentOf(entry) }, [message], reading)
      : Promise.resolve();
  };
  const remove = (index: number) =>
    removeMessage(needs, page, {
      participantId: parentOf(given.entries[index] ?? { parent: 0 }),
      messageId: idOf(index),
    });
  const read = async (parent: number) => {
    const conversationId = inboxIdOf(page, parentOf({ parent }));
    await recordRead(needs.table, { accountId: page.accountId, conversationId, readAt: needs.clock.now() });
  };
  const described = (parent: number) => ({ username: null, name: `Name of ${parentOf({ parent })}`, avatarUrl: null });
  const learn = (parent: number) =>
    learnParticipant(
      { ...needs, ...knowing(page, described(parent)) },
      { accountId: page.accountId, channel: page.channel, participantId: parentOf({ parent }) },
    );
  const see = (parent: number) =>
    applyConversation(needs, page, {
      id: `thread of ${parentOf({ parent })}`,
      participant: { id: parentOf({ parent }), username: 'listed', name: null, avatarUrl: null },
      updatedAt: testTime,
    });
  await happen(given, [
    ...given.entries.flatMap(({ arrivals }, index) => times(arrivals, () => apply(index))),
    ...given.entries.flatMap(({ isRemoved, removals }, index) =>
      isRemoved ? times(removals, () => remove(index)) : [],
    ),
    ...[0, 1].flatMap((parent) => [() => read(parent), () => learn(parent), () => see(parent)]),
  ]);
  expect((await copiedConversations(host.table, page.accountId)).problems).toEqual([]);

  const asOf = needs.clock.now();
  await Promise.all(given.entries.map(({ isRemoved }, index) => (isRemoved ? remove(index) : apply(index, { asOf }))));
  await Promise.all([0, 1].flatMap((parent) => [learn(parent), see(parent)]));
  const { found, problems } = await copiedConversations(host.table, page.accountId);
  expect(problems).toEqual([]);
  for (const { participant } of found.map(({ conversation }) => conversation))
    expect(participant).toMatchObject({ name: `Name of ${participant.id}`, username: 'listed' });
  const copied = found.flatMap(({ messages: stored }) => stored.map(({ networkId, text }) => [networkId, text]));
  const real = messages.filter((_, index) => !given.entries[index]?.isRemoved).map(({ id, text }) => [id, text]);
  expect(sorted(copied)).toEqual(sorted(real));
}

type Change = Planned['changes'][number]['what'];

/** A comment before its changes, and after each of them, with the event that reports it. */
function versionsOf(first: NetworkComment, changes: Planned['changes']) {
  const changed = (comment: NetworkComment, what: Change, at: number): NetworkComment =>
    what === 'edit' ? { ...comment, text: `${comment.text}, then ${at}` } : { ...comment, hidden: what === 'hide' };
  const versions = [{ comment: first, change: undefined as CommentChange | undefined, arrivals: 0 }];
  for (const [index, { what, arrivals }] of changes.entries()) {
    const at = testTime + 10_000 + index * 1000;
    const comment = changed(versions.at(-1)?.comment ?? first, what, at);
    versions.push({ comment, change: { what: what === 'edit' ? 'text' : 'hidden', at }, arrivals });
  }
  return versions;
}

async function commentsAgree(given: History, plant: Plant = (table) => table): Promise<void> {
  const { page, needs } = scene(plant);
  const comments = given.entries.map(
    (entry, index): NetworkComment => ({
      id: idOf(index),
      postId: parentOf(entry),
      // A reply belongs to the post of what it replies to.
      parentId:
        entry.repliesTo !== undefined &&
        entry.repliesTo < index &&
        given.entries[entry.repliesTo]?.parent === entry.parent &&
        given.entries[entry.repliesTo]?.repliesTo === undefined
          ? idOf(entry.repliesTo)
          : null,
      author: { id: entry.isOwn ? page.pageId : 'ana', username: 'someone' },
      isOwn: entry.isOwn,
      text: `text ${index}`,
      hidden: entry.at === 5,
      liked: false,
      likeCount: entry.at,
      createdAt: testTime + entry.at,
    }),
  );
  const versions = comments.map((comment, index) => versionsOf(comment, given.entries[index]?.changes ?? []));
  const finals = versions.map((all) => all.at(-1)?.comment).filter((comment) => comment !== undefined);
  const apply = (index: number, comment = comments[index], reading = {}) =>
    comment ? applyComments(needs, page, comment.postId, [comment], reading) : Promise.resolve();
  const remove = (index: number) =>
    removeComment(needs, page, { postId: parentOf(given.entries[index] ?? { parent: 0 }), commentId: idOf(index) });
  const see = (parent: number) =>
    applyPost(needs, page, {
      id: parentOf({ parent }),
      caption: null,
      thumbnailUrl: null,
      permalink: 'https://www.instagram.com/p/1/',
      createdAt: testTime,
    });
  const changes = versions
    .flat()
    .flatMap(({ comment, change, arrivals }) =>
      change ? times(arrivals, () => applyCommentChange(needs, page, comment, change)) : [],
    );
  await happen(given, [
    ...given.entries.flatMap(({ arrivals }, index) => times(arrivals, () => apply(index))),
    ...changes,
    ...given.entries.flatMap(({ isRemoved, removals }, index) =>
      isRemoved ? times(removals, () => remove(index)) : [],
    ),
    () => see(0),
  ]);
  const reported = await copiedPosts(host.table, page.accountId);
  expect(reported.problems).toEqual([]);
  // In whatever order events come: if none is lost, the copy is right without the network.
  const complete = given.entries.flatMap(({ arrivals, isRemoved, changes: all }, index) =>
    arrivals > 0 && !isRemoved && all.every((change) => change.arrivals > 0) ? [idOf(index)] : [],
  );
  const shownOf = ({ text, hidden }: Pick<NetworkComment, 'text' | 'hidden'>) => [text, hidden];
  const isComplete = (id: string) => complete.includes(id);
  expect(
    sorted(
      reported.found.flatMap(({ comments: all }) =>
        all.filter(({ networkId }) => isComplete(networkId)).map((one) => [one.networkId, ...shownOf(one)]),
      ),
    ),
  ).toEqual(sorted(finals.filter(({ id }) => isComplete(id)).map((one) => [one.id, ...shownOf(one)])));

  const asOf = needs.clock.now();
  await Promise.all(
    given.entries.map(({ isRemoved }, index) => (isRemoved ? remove(index) : apply(index, finals[index], { asOf }))),
  );
  const { found, problems } = await copiedPosts(host.table, page.accountId);
  expect(problems).toEqual([]);
  const copied = found.flatMap(({ comments: stored }) => stored.map((one) => [one.networkId, ...shownOf(one)]));
  const real = finals.filter((_, index) => !given.entries[index]?.isRemoved).map((one) => [one.id, ...shownOf(one)]);
  expect(sorted(copied)).toEqual(sorted(real));
}

const models = { messages: messagesAgree, comments: commentsAgree };

test.for(Object.entries(models))('%s agree with the network, and counts with the rows', async ([, agree]) => {
  await fc.assert(
    fc.asyncProperty(history, (given) => agree(given)),
    { numRuns: 15 },
  );
});

const writing =
  (change: (action: Action) => Action[]): Plant =>
  (table) => ({ ...table, transact: (actions) => table.transact(actions.flatMap(change)) });

const sortKeyOf = ({ Put }: Action): string => String(Put?.Item?.sk);

/** Puts of some rows without their condition. */
const unconditionally = (kind: RegExp): Plant =>
  writing((action) => (action.Put && kind.test(sortKeyOf(action)) ? [{ Put: { Item: action.Put.Item } }] : [action]));

const forgetting = (kind: RegExp): Plant => writing((action) => (kind.test(sortKeyOf(action)) ? [] : [action]));

const bugs: Readonly<Record<string, readonly [keyof typeof models, Plant]>> = {
  'conversations are written over changes of others': ['messages', unconditionally(/^CONVERSATION$/)],
  'what a list does not tell is forgotten': [
    'messages',
    writing(({ Put, ...action }) => {
      const { participant, networkId, ...item } = Put?.Item ?? {};
      if (!Put || !participant || !networkId) return [Put ? { Put } : action];
      const { username } = participant as Participant;
      const forgotten = username === 'listed' ? { ...participant, name: null } : participant;
      return [{ Put: { ...Put, Item: { ...item, networkId, participant: forgotten } } }];
    }),
  ],
  'messages are written without their places': ['messages', forgetting(/^AT#/)],
  'places of removed messages stay': ['messages', writing((action) => (action.Delete ? [] : [action]))],
  'messages are written without their conversation': ['messages', forgetting(/^CONVERSATION$/)],
  'posts are written over changes of others': ['comments', unconditionally(/^POST$/)],
  'comments are written without their post': ['comments', forgetting(/^POST$/)],
  'times of changes of comments are forgotten': [
    'comments',
    writing(({ Put, ...action }) => {
      if (!Put) return [action];
      const { comment, ...row } = Put.Item ?? {};
      const { moderatedAt: _moderated, editedAt: _edited, ...rest } = Object(comment) as Record<string, unknown>;
      return [{ Put: { ...Put, Item: comment === undefined ? row : { ...row, comment: rest } } }];
    }),
  ],
  'places of removed comments stay': ['comments', writing((action) => (action.Delete ? [] : [action]))],
};

test.for(Object.entries(bugs))('the model finds that %s', async ([, [subject, plant]]) => {
  const found = await fc.check(
    fc.asyncProperty(history, (given) => models[subject](given, plant)),
    { numRuns: 100, endOnFailure: true },
  );
  expect(found.failed).toBe(true);
});
