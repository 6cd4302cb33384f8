/**
 * The copy of an inbox compared with its social network, whatever happens to events (lost, repeated, late, out of
 * order, forged) and to the processes that synchronize (faults of the network, a crash at any write): no
 * synchronization removes what the network has, and two days later the copy is exactly what the network has.
 */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { handleSocialEvent } from '../../../../shared/domain/piloto/handle-social-event.ts';
import { connectionStore } from '../../../../shared/domain/piloto/pages/connection-store.ts';
import type { FaultReason, SocialEvent } from '../../../../shared/gateways/social-network.ts';
import type { Table } from '../../../../shared/platform/dynamo-table.ts';
import { fault, signed } from '../../../support/model-network.ts';
import { modelRuns } from '../../../support/model-runs.ts';
import { pick } from '../../billing/mortal-process.ts';
import { copyOf, type InboxScene, truthOf } from '../inbox-scene.ts';
import { useInboxScenes } from '../use-inbox-scene.ts';

const scenes = useInboxScenes();

type Delivery = 'lost' | 'arrives' | 'arrives twice' | 'is late' | 'is forged too';

type Step =
  | { do: 'write'; person: number; isOwn: boolean; delivery: Delivery }
  | { do: 'unsend'; person: number; which: number; delivery: Delivery }
  | { do: 'leave'; person: number }
  | { do: 'return'; person: number }
  | { do: 'publish' }
  | { do: 'comment'; post: number; to: number; isOwn: boolean; delivery: Delivery }
  | { do: 'moderate'; post: number; which: number }
  | { do: 'delete comment'; post: number; which: number; delivery: Delivery }
  | { do: 'delete post'; post: number }
  | { do: 'receive late events'; order: number }
  | { do: 'wait'; minutes: number }
  | { do: 'synchronize'; reason: FaultReason | 'dies'; at: number; msPerRequest: number };

const index = fc.nat(6);
const delivery = fc.constantFrom<Delivery>('lost', 'arrives', 'arrives', 'arrives twice', 'is late', 'is forged too');
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant('write'), person: fc.nat(4), isOwn: fc.boolean(), delivery }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('unsend'), person: fc.nat(4), which: index, delivery }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('leave'), person: fc.nat(4) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('return'), person: fc.nat(4) }) },
  { weight: 3, arbitrary: fc.constant({ do: 'publish' }) },
  {
    weight: 8,
    arbitrary: fc.record({ do: fc.constant('comment'), post: index, to: index, isOwn: fc.boolean(), delivery }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('moderate'), post: index, which: index }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('delete comment'), post: index, which: index, delivery }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete post'), post: index }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('receive late events'), order: index }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('wait'), minutes: fc.constantFrom(1, 6, 25, 1500) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('synchronize'),
      reason: fc.constantFrom<FaultReason | 'dies'>('throttled', 'unavailable', 'revoked', 'rejected', 'dies', 'dies'),
      at: fc.nat(12),
      msPerRequest: fc.constantFrom(0, 0, 9000, 30_000),
    }),
  },
);

/** From a certain write on, the process that uses the table has crashed. */
function dying(table: Table, after: number): Table {
  let left = after;
  const alive = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (left <= 0) throw new Error('the process is dead');
    left -= 1;
    return work();
  };
  return { ...table, transact: (actions) => alive(() => table.transact(actions)) };
}

const idsIn = ({ messages, comments }: ReturnType<typeof truthOf>): string[] =>
  [...messages, ...comments].map(({ id }) => id);

/** A change at the social network, and the events that it sends. */
function world(scene: InboxScene) {
  const { page, clock, needs } = scene;
  const gone: typeof page.conversations = new Map();
  const { pageId } = page;
  let made = 0;
  const late: SocialEvent[] = [];
  const ofPage = { channel: 'instagram', pageId } as const;
  const newId = (): string => {
    made += 1;
    return `id-${made}`;
  };

  async function receive(event: SocialEvent): Promise<void> {
    const received = await scene.network.eventsOf(signed([event]));
    for (const one of received ?? []) await handleSocialEvent(scene.needs, one);
  }

  async function report(event: SocialEvent, delivery: Delivery): Promise<void> {
    if (delivery === 'is late') late.push(event);
    if (delivery === 'is forged too')
      expect(
        await scene.network.eventsOf({ ...signed([event]), body: JSON.stringify([event, event]) }),
      ).toBeUndefined();
    if (delivery.startsWith('arrives') || delivery === 'is forged too') await receive(event);
    if (delivery === 'arrives twice') await receive(event);
  }

  function talkWith(person: number) {
    const id = `person-${person}`;
    const known = page.conversations.get(id);
    if (known) return known;
    const talk = { participant: { id, username: id, name: null, avatarUrl: null }, messages: [] };
    page.conversations.set(id, talk);
    return talk;
  }

  const postAt = (which: number) => pick([...page.posts.values()], which);

  async function synchronize({ reason, at, msPerRequest }: Extract<Step, { do: 'synchronize' }>): Promise<void> {
    let left = at;
    scene.network.interrupt = () => {
      clock.advance(msPerRequest);
      left -= 1;
      if (left === 0 && reason !== 'dies') throw fault(reason);
    };
    const table = reason === 'dies' ? dying(needs.table, at) : needs.table;
    const before = await copyOf(scenes.table, scene.accountId);
    await scene.work({ ...needs, table, connections: connectionStore(table) }).catch(() => undefined);
    scene.network.interrupt = undefined;
    const [after, truth] = [idsIn(await copyOf(scenes.table, scene.accountId)), idsIn(truthOf(page))];
    expect(idsIn(before).filter((id) => truth.includes(id) && !after.includes(id))).toEqual([]);
  }

  async function perform(one: Step): Promise<void> {
    // Times in lists are whole seconds.
    clock.advance(300);
    const now = clock.now();
    switch (one.do) {
      case 'write': {
        const id = newId();
        const direction = one.isOwn ? ('outbound' as const) : ('inbound' as const);
        const text = `text of ${id}`;
        const message = { id, direction, text, attachments: [], status: 'delivered' as const, createdAt: now };
        talkWith(one.person).messages.push(message);
        const event = { kind: 'message', ...ofPage, participantId: `person-${one.person}`, message } as const;
        return report(event, one.isOwn ? 'lost' : one.delivery);
      }
      case 'unsend': {
        const talk = page.conversations.get(`person-${one.person}`);
        const message = pick(talk?.messages ?? [], one.which);
        if (!talk || !message) return;
        talk.messages.splice(talk.messages.indexOf(message), 1);
        const participantId = talk.participant.id;
        return report({ kind: 'message-deleted', ...ofPage, participantId, messageId: message.id }, one.delivery);
      }
      case 'leave': {
        const id = `person-${one.person}`;
        const talk = page.conversations.get(id);
        if (talk) gone.set(id, talk);
        page.conversations.delete(id);
        return;
      }
      case 'return': {
        const id = `person-${one.person}`;
        const talk = gone.get(id);
        if (talk && !page.conversations.has(id)) page.conversations.set(id, talk);
        return;
      }
      case 'publish': {
        const id = newId();
        const post = { id, caption: `caption of ${id}`, thumbnailUrl: null, permalink: `https://example.com/${id}` };
        page.posts.set(id, { post: { ...post, createdAt: now }, comments: [] });
        return;
      }
      case 'comment': {
        const found = postAt(one.post);
        if (!found) return;
        const id = newId();
        const parent = pick([undefined, ...found.comments.filter(({ parentId }) => parentId === null)], one.to);
        const comment = {
          id,
          postId: found.post.id,
          parentId: parent?.id ?? null,
          author: { id: one.isOwn ? pageId : 'a person', username: 'visitor' },
          isOwn: one.isOwn,
          text: `text of ${id}`,
          hidden: false,
          liked: false,
          likeCount: 0,
          createdAt: now,
        };
        found.comments.push(comment);
        return report({ kind: 'comment', ...ofPage, comment }, one.delivery);
      }
      case 'moderate': {
        const comments = postAt(one.post)?.comments ?? [];
        const comment = pick(comments, one.which);
        if (comment) comments[comments.indexOf(comment)] = { ...comment, hidden: !comment.hidden };
        return;
      }
      case 'delete comment': {
        const found = postAt(one.post);
        const comment = pick(found?.comments ?? [], one.which);
        if (!found || !comment) return;
        const gone = found.comments.filter(({ id, parentId }) => id === comment.id || parentId === comment.id);
        for (const each of gone) found.comments.splice(found.comments.indexOf(each), 1);
        const { postId, id: commentId } = comment;
        return report({ kind: 'comment-deleted', ...ofPage, postId, commentId }, one.delivery);
      }
      case 'delete post': {
        const found = postAt(one.post);
        if (found) page.posts.delete(found.post.id);
        return;
      }
      case 'receive late events':
        for (let left = late.length; left > 0; left -= 1)
          for (const event of late.splice(one.order % left, 1)) await receive(event);
        return;
      case 'wait':
        clock.advance(one.minutes * 60_000);
        return;
      case 'synchronize':
        return synchronize(one);
    }
  }
  return { perform };
}

async function agrees(steps: readonly Step[]): Promise<void> {
  const scene = await scenes.newScene();
  const { perform } = world(scene);
  for (const one of steps) await perform(one);
  await perform({ do: 'receive late events', order: 0 });
  // A revoked token is tried again after a day; a synchronization in progress may have read its lists before the last
  // changes.
  for (let day = 0; day < 2; day += 1) {
    scene.clock.advance(25 * 3_600_000);
    await scene.work();
  }
  expect(await scene.connection()).toMatchObject({ state: 'connected' });
  expect(await copyOf(scenes.table, scene.accountId)).toEqual(truthOf(scene.page));
}

const history = fc.array(step, { minLength: 5, maxLength: 40 });

test('no synchronization removes items that the social network still has, and in the end the copy equals the original', {
  timeout: 300_000,
}, async () => {
  await fc.assert(fc.asyncProperty(history, agrees), modelRuns(8));
});

const write = (person: number, delivery: Delivery = 'lost'): Step => ({
  do: 'write',
  person,
  isOwn: false,
  delivery: delivery,
});
const comment: Step = { do: 'comment', post: 0, to: 0, isOwn: false, delivery: 'arrives' };
const undisturbed: Step = { do: 'synchronize', reason: 'unavailable', at: 0, msPerRequest: 0 };
const aDay: Step = { do: 'wait', minutes: 1500 };

/** A history in which the network rejects the first synchronization's request for the second page of conversations. */
const refused: readonly Step[] = [
  ...[0, 1, 2, 3, 4].map((person) => write(person, 'arrives')),
  { do: 'wait', minutes: 25 },
  { do: 'synchronize', reason: 'rejected', at: 6, msPerRequest: 0 },
];

/** All kinds of faults; random histories contain them, but rarely. */
const eventful: readonly Step[] = [
  ...refused,
  ...([write(0), write(0), write(0), write(0), write(1), write(1), { do: 'publish' }, comment, comment, aDay] as const),
  undisturbed,
  { do: 'unsend', person: 1, which: 0, delivery: 'lost' },
  { do: 'delete comment', post: 0, which: 0, delivery: 'lost' },
  { do: 'leave', person: 0 },
  ...([aDay, undisturbed] as const),
  { do: 'return', person: 0 },
];

test('a conversation that disappeared and returned is copied again', () => agrees(eventful));
