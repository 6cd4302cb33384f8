/**
 * Participants' profiles are requested when an event begins a conversation, and by each synchronization for the newest
 * conversations.
 */
import { beforeEach, expect, test } from 'vitest';
import { inboxIdOf } from '../../../../shared/domain/inbox-keys.ts';
import { applyConversation, applyMessages } from '../../../../shared/domain/piloto/conversations/apply-messages.ts';
import type { OwnedPage } from '../../../../shared/domain/piloto/conversations/conversation.ts';
import { conversationStore } from '../../../../shared/domain/piloto/conversations/conversation-store.ts';
import { fetchParticipantProfile } from '../../../../shared/domain/piloto/conversations/participant-profile.ts';
import { handleSocialEvent } from '../../../../shared/domain/piloto/handle-social-event.ts';
import type { Participant } from '../../../../shared/gateways/social-network.ts';
import { fault } from '../../../support/model-network.ts';
import type { InboxScene } from '../inbox-scene.ts';
import { messageAt, useInboxScene } from '../use-inbox-scene.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

const inbox = useInboxScene();
let scene: InboxScene;
let sent: object[];
beforeEach(() => {
  scene = inbox.scene;
  sent = [];
});

const pageOf = () => ({ ...scene.id, pageId: scene.page.pageId });
const ana: Participant = { id: 'ana', username: 'ana', name: 'Ana Lima', avatarUrl: 'https://cdn.example/ana.jpg' };

function know(participant: Participant, text = 'Oi', createdAt = scene.clock.now()): void {
  const message = { id: `m-${participant.id}`, direction: 'inbound', text, attachments: [] } as const;
  const messages = [{ ...message, status: 'delivered' as const, createdAt }];
  scene.page.conversations.set(participant.id, { participant, messages });
}

async function write(id: string, { id: participantId } = ana): Promise<void> {
  const { pageId } = scene.page;
  const written = { id, direction: 'inbound', text: 'Oi', attachments: [], status: 'delivered' } as const;
  const message = { ...written, createdAt: scene.clock.now() };
  const inboxQueue = { send: async (one: object) => void sent.push(one) };
  const event = { kind: 'message', channel: 'instagram', pageId, participantId, message } as const;
  await handleSocialEvent({ ...scene.needs, inboxQueue }, event);
}

const found = (id = ana.id) =>
  conversationStore(inbox.table)
    .find(scene.accountId, inboxIdOf(pageOf(), id))
    .then((one) => one?.participant);

const learn = (participantId = ana.id) => fetchParticipantProfile(scene.needs, { ...scene.id, participantId });
const asked = () => scene.network.requests.filter((request) => request === 'participant').length;

test('the event that begins a conversation requests the participant’s profile, and no later event does once it is known', async () => {
  know(ana);
  await write('m-ana');
  expect(sent).toEqual([{ kind: 'participant', ...scene.id, participantId: 'ana' }]);
  await learn();
  expect(await found()).toEqual(ana);
  await write('another');
  await learn();
  expect(sent).toHaveLength(1);
  expect(asked()).toBe(1);
});

test('an event is applied even if the participant’s profile cannot be requested', async () => {
  know(ana);
  const down = () => Promise.reject(new Error('the queue is down'));
  const { pageId } = scene.page;
  const written = { id: 'm-ana', direction: 'inbound', text: 'Oi', attachments: [], status: 'delivered' } as const;
  const message = { ...written, createdAt: scene.clock.now() };
  const event = { kind: 'message', channel: 'instagram', pageId, participantId: 'ana', message } as const;
  await handleSocialEvent({ ...scene.needs, inboxQueue: { send: down } }, event);
  expect(await found()).toMatchObject({ id: 'ana', name: null });
});

test.for([
  ['throttled', 'and is requested again'],
  ['unavailable', 'and is requested again'],
  ['revoked', 'and is requested again'],
  ['not-found', 'and is not requested again'],
  ['rejected', 'and is not requested again'],
] as const)('a participant’s profile whose request fails as “%s” stays empty %s', async ([reason, outcome]) => {
  await write('m-ana');
  scene.network.interrupt = () => {
    throw fault(reason);
  };
  await learn();
  scene.network.interrupt = undefined;
  expect(await found()).toEqual({ id: 'ana', username: null, name: null, avatarUrl: null });
  know(ana);
  await learn();
  expect((await found())?.name).toBe(outcome === 'and is requested again' ? 'Ana Lima' : null);
});

test.for([
  ['a page that is throttled', { fault: 'throttled' }],
  ['a page whose token is revoked', { state: 'revoked' }],
] as const)('no profile is requested for %s', async ([, change]) => {
  know(ana);
  await write('m-ana');
  const connection = await scene.connection();
  if (connection) await scene.needs.connections.save({ ...connection, ...change });
  scene.network.requests.length = 0;
  await learn();
  expect(scene.network.requests).toEqual([]);
});

test('no profile is requested without a conversation and a connection', async () => {
  await learn('stranger');
  await fetchParticipantProfile(scene.needs, { ...scene.id, channel: 'facebook', participantId: 'ana' });
  expect(asked()).toBe(0);
});

test('a synchronization requests the profiles of the newest twenty participants only, and next after a day', async () => {
  for (let index = 0; index < 25; index += 1) {
    const id = `person-${index}`;
    const avatarUrl = `https://cdn.example/${id}.jpg`;
    know({ id, username: id, name: null, avatarUrl }, 'Oi', scene.clock.now() - index * minute);
  }
  await scene.work();
  expect(asked()).toBe(20);
  expect((await found('person-19'))?.avatarUrl).toBe('https://cdn.example/person-19.jpg');
  scene.clock.advance(5 * minute);
  await scene.work();
  expect(asked()).toBe(20);
  scene.clock.advance(day);
  await scene.work();
  expect(asked()).toBe(40);
});

test('unknown profiles for which a synchronization has no time left are requested in the background', async () => {
  for (const id of ['one', 'two', 'three']) know({ ...ana, id });
  scene.network.interrupt = () => {
    if (scene.network.requests.at(-1) === 'participant') scene.clock.advance(minute);
  };
  const inboxQueue = { send: async (one: object) => void sent.push(one) };
  await scene.work({ ...scene.needs, inboxQueue });
  expect(asked()).toBe(1);
  const requested = sent.flatMap((one) => ('participantId' in one ? [String(one.participantId)] : []));
  expect(requested).toHaveLength(2);
  for (const participantId of [...requested, ...requested]) await learn(participantId);
  expect(asked()).toBe(3);
});

test('a synchronization requests profiles even if many later messages have arrived on the other channel', async () => {
  const other: OwnedPage = { ...pageOf(), channel: 'facebook' };
  const later = scene.clock.now() + minute;
  await Promise.all(
    Array.from({ length: 45 }, async (_, index) => {
      await applyMessages(scene.needs, other, { id: `other-${index}` }, [messageAt(`m-${index}`, later)]);
    }),
  );
  know(ana);
  await scene.work();
  expect(await found()).toEqual(ana);
  expect(asked()).toBe(1);
});

test('profile details that a list omits stay as the social network last described them', async () => {
  know(ana);
  await scene.work();
  const participant = { id: 'ana', username: 'ana.lima', name: null, avatarUrl: null };
  await applyConversation(scene.needs, pageOf(), { id: 'thread-ana', participant, updatedAt: scene.clock.now() });
  expect(await found()).toEqual({ ...ana, username: 'ana.lima' });
});

test('a profile picture that the social network no longer returns is removed', async () => {
  know(ana);
  await scene.work();
  know({ ...ana, avatarUrl: null });
  scene.clock.advance(day + 5 * minute);
  await scene.work();
  expect(await found()).toEqual({ ...ana, avatarUrl: null });
});

test('after its first failed profile request a synchronization requests no further profiles', async () => {
  for (const id of ['one', 'two', 'three']) know({ ...ana, id });
  scene.network.interrupt = () => {
    if (scene.network.requests.at(-1) === 'participant') throw fault('throttled');
  };
  await scene.work();
  expect(asked()).toBe(1);
  expect(await scene.connection()).not.toHaveProperty('fault');
});
