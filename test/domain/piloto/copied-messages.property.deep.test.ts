/**
 * A model of messages: whichever of the social network's events are lost, repeated, reordered or concurrent, all counts
 * match the rows, and a reconciliation leaves exactly what the network has.
 */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { inboxIdOf } from '../../../shared/domain/inbox-keys.ts';
import {
  applyConversation,
  applyMessages,
  removeMessage,
} from '../../../shared/domain/piloto/conversations/apply-messages.ts';
import type { OwnedPage } from '../../../shared/domain/piloto/conversations/conversation.ts';
import { recordRead } from '../../../shared/domain/piloto/conversations/mark-read.ts';
import { fetchParticipantProfile } from '../../../shared/domain/piloto/conversations/participant-profile.ts';
import type { Connection } from '../../../shared/domain/piloto/pages/connection.ts';
import type { ConnectionStore } from '../../../shared/domain/piloto/pages/connection-store.ts';
import type { NetworkMessage, Participant, SocialNetwork } from '../../../shared/gateways/social-network.ts';
import { tableInTests, testTime } from '../../support/test-table.ts';
import { copiedConversations } from './copied-inbox.ts';
import { type History, happen, history, idOf, parentOf, scene, sorted, times } from './inbox-history.ts';

const host = await tableInTests();

/** A connected page at a social network that returns the same profile for everyone. */
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

async function messagesAgree(given: History): Promise<void> {
  const { page, needs } = scene(host.table);
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
    fetchParticipantProfile(
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

test('copied messages match those of the social network, and their counts match the stored rows', async () => {
  await fc.assert(fc.asyncProperty(history, messagesAgree), { numRuns: 15 });
});
