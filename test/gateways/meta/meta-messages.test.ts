/** The adapter to Instagram and Facebook with the sandbox: conversations, messages and participants. */
import { describe, expect, test } from 'vitest';
import { channels } from '../../../shared/contracts/channels.ts';
import { testIds } from '../../support/test-table.ts';
import { connectedShop, everything, faultIn, numbered, useSandbox } from './meta-scene.ts';

const meta = useSandbox();

const textsOf = (items: readonly { text: string | null }[]) => items.map(({ text }) => text);

describe.for(channels)('on %s,', (channel) => {
  const shop = () => connectedShop(meta.sandbox, channel, testIds.next());

  test('the conversation of a participant is found among many, and someone who has never written has none', async () => {
    const { access, page, person } = shop();
    for (let index = 0; index < 60; index += 1)
      meta.sandbox.world.write(meta.sandbox.world.addPerson(page, `P${index}`), 'Oi');
    const { items, next } = await meta.network.conversationsWith(access, person.id);
    expect([items.map(({ participant }) => participant.id), next]).toEqual([[person.id], undefined]);
    const stranger = await meta.network.conversationsWith(access, '404');
    expect(stranger).toEqual({ items: [], unreadable: [] });
  });

  test('conversations are listed newest first with their participants', async () => {
    const { access, page, person } = shop();
    meta.sandbox.world.write(person, 'Ainda estou aqui');
    const { items, next } = await meta.network.conversations(access);
    expect(next).toBeUndefined();
    expect(items).toHaveLength(meta.sandbox.world.people(page).length);
    const name = channel === 'instagram' ? { username: person.username } : { name: person.name };
    expect(items[0]).toMatchObject({ participant: { id: person.id, ...name } });
    const times = items.map(({ updatedAt }) => updatedAt);
    expect(times).toEqual(times.toSorted((one, other) => other - one));
  });

  test('a participant has a name and an image', async () => {
    const { access, person } = shop();
    expect(await meta.network.participant(access, person.id)).toEqual({
      id: person.id,
      name: person.name,
      username: channel === 'instagram' ? person.username : null,
      avatarUrl: `${meta.sandbox.url}/images/people/${person.id}.svg`,
    });
  });

  test('all messages of a conversation are read over several pages, newest first', async () => {
    const { access, person, page } = shop();
    const newcomer = meta.sandbox.world.addPerson(page, 'Ana');
    const texts = numbered(120, 'Mensagem');
    for (const [index, text] of texts.entries())
      meta.sandbox.world.write(newcomer, text, { at: 1_790_000_000_000 + index * 1000 });
    meta.sandbox.world.write(person, 'De outra pessoa');
    const { items } = await meta.network.conversations(access);
    const { id = '' } = items.find(({ participant }) => participant.id === newcomer.id) ?? {};
    const messages = await everything((cursor) => meta.network.messages(access, id, cursor));
    expect(textsOf(messages)).toEqual(texts.toReversed());
    expect(messages.at(-1)).toMatchObject({ direction: 'inbound', createdAt: 1_790_000_000_000, attachments: [] });
  });

  test('an old message that is listed without details is reported by its id instead of as a message', async () => {
    const { access, person } = shop();
    const written = numbered(25, 'Antiga').map((text) => meta.sandbox.world.write(person, text).id);
    meta.sandbox.detailedMessages = 20;
    const { items, unreadable } = await meta.network.messages(access, `t_${person.id}`);
    meta.sandbox.detailedMessages = Number.POSITIVE_INFINITY;
    expect(items.map(({ id }) => id)).toEqual(written.slice(5).toReversed());
    expect(unreadable.slice(0, 5)).toEqual(written.slice(0, 5).toReversed());
    const earlier = meta.sandbox.world.messagesWith(person).slice(25);
    expect(unreadable.slice(5)).toEqual(earlier.map(({ id }) => id));
  });

  test('a sent message arrives and is listed as the page’s own', async () => {
    const { access, person } = shop();
    meta.sandbox.world.write(person, 'Oi?', { imageUrl: 'https://cdn.example/1.jpg' });
    const { id } = await meta.network.sendText(access, person.id, 'Olá, tudo bem? 💙');
    expect(meta.sandbox.world.message(id)).toMatchObject({
      personId: person.id,
      text: 'Olá, tudo bem? 💙',
      isOwn: true,
    });
    const [conversation] = (await meta.network.conversations(access)).items;
    const { items } = await meta.network.messages(access, conversation?.id ?? '');
    expect(items.find((one) => one.id === id)).toMatchObject({ direction: 'outbound', text: 'Olá, tudo bem? 💙' });
    expect(items.find(({ text }) => text === 'Oi?')).toMatchObject({
      direction: 'inbound',
      attachments: [{ type: 'image', url: 'https://cdn.example/1.jpg' }],
    });
    await meta.network.markSeen(access, person.id);
    expect(meta.sandbox.world.person(person.id)?.seenAt).toEqual(expect.any(Number));
  });

  test('a participant cannot be sent a message outside the 24-hour window until they write again', async () => {
    const { access, person } = shop();
    meta.sandbox.world.closeWindow(person);
    expect(await faultIn(meta.network.sendText(access, person.id, 'Olá'))).toMatchObject({ reason: 'window-closed' });
    meta.sandbox.world.write(person, 'Voltei');
    await meta.network.sendText(access, person.id, 'Olá');
  });
});

test('a message text that Instagram does not accept is rejected', async () => {
  const { access, person } = connectedShop(meta.sandbox, 'instagram', testIds.next());
  meta.sandbox.world.write(person, 'Oi');
  await meta.network.sendText(access, person.id, 'á'.repeat(500));
  expect(await faultIn(meta.network.sendText(access, person.id, 'á'.repeat(501)))).toMatchObject({
    reason: 'rejected',
  });
});
