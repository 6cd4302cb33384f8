/** Messages and comments are sent once for each key, whatever becomes of the network's response. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Replay } from '../../../shared/domain/idempotency/idempotency.ts';
import { applyComments } from '../../../shared/domain/piloto/apply-comments.ts';
import { applyMessageStatus, applyMessages } from '../../../shared/domain/piloto/apply-messages.ts';
import type { NetworkMessage } from '../../../shared/gateways/social-network.ts';
import { type TestTable, testTable } from '../../support/test-table.ts';
import { type SendScene, sendScene } from './send-scene.ts';

let host: TestTable;

beforeAll(async () => {
  host = await testTable();
});
afterAll(() => host.close());

const kinds = ['send', 'reply'] as const;
const scene = () => sendScene(host.table);
const sentOf = ({ world }: SendScene) => world.messages.length + world.comments.length;

test.for(kinds)(
  'a %s whose response was lost is found in the network by a repeat, and not sent again',
  async (kind) => {
    const given = await scene();
    given.world.next = 'lost';
    expect(await given[kind]('key')).toEqual({ failed: 'NetworkFault' });
    const repeated = await given[kind]('key');
    expect(repeated).toMatchObject({ text: 'Sim!' });
    expect(await given[kind]('key')).toBeInstanceOf(Replay);
    expect(sentOf(given)).toBe(1);
    expect((await given.counts()).problems).toEqual([]);
  },
);

test.for(kinds)('a %s that never arrived is sent by a repeat, but only once it can no longer arrive', async (kind) => {
  const given = await scene();
  given.world.next = 'unknown-outcome';
  expect(await given[kind]('key')).toEqual({ failed: 'NetworkFault' });
  expect(await given[kind]('key')).toEqual({ failed: 'in-progress' });
  expect(sentOf(given)).toBe(0);
  given.clock.advance(120_000);
  expect(await given[kind]('key')).toMatchObject({ text: 'Sim!' });
  expect(sentOf(given)).toBe(1);
});

test.for(kinds)('a %s that a repeat sent and that is not listed yet is not sent again', async (kind) => {
  const given = await scene();
  given.world.next = 'unknown-outcome';
  await given[kind]('key');
  given.clock.advance(121_000);
  given.world.next = 'lost';
  given.world.lag = true;
  expect(await given[kind]('key')).toEqual({ failed: 'NetworkFault' });
  given.clock.advance(60_000);
  expect(await given[kind]('key')).toEqual({ failed: 'in-progress' });
  given.world.lag = false;
  expect(await given[kind]('key')).toMatchObject({ text: 'Sim!' });
  expect(sentOf(given)).toBe(1);
});

test.for(kinds)('a %s that may be among what the network lists without details is not sent again', async (kind) => {
  const given = await scene();
  given.world.next = 'lost';
  await given[kind]('key');
  given.world.isVague = true;
  given.clock.advance(121_000);
  expect(await given[kind]('key')).toEqual({ failed: 'in-progress' });
  given.world.isVague = false;
  expect(await given[kind]('key')).toMatchObject({ text: 'Sim!' });
  expect(sentOf(given)).toBe(1);
});

test.for(kinds)('a repeat of a %s that another repeat has taken over does not send', async (kind) => {
  const given = await scene();
  given.world.next = 'unknown-outcome';
  await given[kind]('key');
  given.clock.advance(121_000);
  let rival: unknown;
  given.box.open = async () => {
    given.box.open = async () => 'token';
    given.clock.advance(31_000);
    given.world.next = 'lost';
    given.world.lag = true;
    rival = await given[kind]('key');
    return 'token';
  };
  expect(await given[kind]('key')).toEqual({ failed: 'in-progress' });
  expect(rival).toEqual({ failed: 'NetworkFault' });
  expect(sentOf(given)).toBe(1);
});

test.for(kinds)('a page’s token that cannot be opened ends a %s without a call, and its key is free', async (kind) => {
  const given = await scene();
  given.box.open = () => Promise.reject(new Error('no key service'));
  expect(await given[kind]('key')).toEqual({ failed: 'engine-unavailable' });
  given.box.open = async () => 'token';
  expect(await given[kind]('key')).toMatchObject({ text: 'Sim!' });
  expect(sentOf(given)).toBe(1);
});

test('what the participant writes or receives before the network responds comes after the message', async () => {
  const given = await scene();
  given.world.meanwhile = async () => {
    given.clock.advance(200);
    const createdAt = given.clock.now();
    const answer = { id: 'a', direction: 'inbound', text: 'Ok', attachments: [], status: 'sent', createdAt } as const;
    await applyMessages(given.needs, given.page, { id: 'ana' }, [answer]);
    const delivery = { participantId: 'ana', status: 'delivered', until: createdAt } as const;
    await applyMessageStatus(given.needs, given.page, delivery);
    given.clock.advance(200);
  };
  expect(await given.send('key')).toMatchObject({ status: 'delivered' });
  expect(await given.counts()).toMatchObject({ problems: [], messages: 3, unread: 1 });
});

test.for(kinds)('a %s that could not be stored is found by a repeat, and stored once', async (kind) => {
  const given = await scene();
  given.world.meanwhile = async () => given.loseNextCommit();
  expect(await given[kind]('key')).toEqual({ failed: 'Error' });
  expect(await given.counts()).toMatchObject({ messages: 1, comments: 1 });
  expect(await given[kind]('key')).toMatchObject({ text: 'Sim!' });
  expect(sentOf(given)).toBe(1);
  expect(await given.counts()).toMatchObject({ problems: [], [kind === 'send' ? 'messages' : 'comments']: 2 });
});

test('a repeat after the window has closed sends nothing, unless the participant writes again', async () => {
  const given = await scene();
  given.clock.advance(24 * 3_600_000 - 60_000);
  given.world.next = 'unknown-outcome';
  await given.send('key');
  given.clock.advance(121_000);
  expect(await given.send('key')).toEqual({ failed: 'reply-window-closed' });
  expect(sentOf(given)).toBe(0);
  const createdAt = given.clock.now();
  const another = { id: 'n', direction: 'inbound', text: 'Alô?', attachments: [], status: 'sent', createdAt } as const;
  await applyMessages(given.needs, given.page, { id: 'ana' }, [another]);
  expect(await given.send('key')).toMatchObject({ text: 'Sim!' });
  expect(sentOf(given)).toBe(1);
});

test.for(kinds)('two requests to %s the same text are two, even if the responses of both were lost', async (kind) => {
  const given = await scene();
  for (const key of ['one', 'two']) {
    given.world.next = 'lost';
    await given[kind](key);
  }
  const [one, two] = [await given[kind]('one'), await given[kind]('two')];
  expect(new Set([one, two].map((data) => (data as { id: string }).id)).size).toBe(2);
  expect(sentOf(given)).toBe(2);
});

test.for(kinds)('what a request to %s wrote is one, if a synchronization brings it first', async (kind) => {
  const given = await scene();
  given.world.next = 'lost';
  await given[kind]('key');
  await applyMessages(given.needs, given.page, { id: 'ana' }, given.world.messages);
  await applyComments(given.needs, given.page, 'post', given.world.comments);
  expect(await given[kind]('key')).toMatchObject({ text: 'Sim!' });
  const expected = kind === 'send' ? { messages: 2, unread: 0 } : { comments: 2, unanswered: 0 };
  expect(await given.counts()).toMatchObject({ problems: [], ...expected });
});

test.for([
  ['throttled', 'engine-unavailable'],
  ['unavailable', 'engine-unavailable'],
  ['window-closed', 'reply-window-closed'],
  ['rejected', 'invalid'],
  ['not-found', 'not-found'],
] as const)(
  'a message that the network does not take (%s) is %s, and its key is free again',
  async ([reason, kind]) => {
    const given = await scene();
    given.world.next = reason;
    expect(await given.send('key')).toEqual({ failed: kind });
    expect(await given.counts()).toMatchObject({ messages: 1, unread: 1 });
    expect(await given.send('key')).toMatchObject({ text: 'Sim!' });
    expect(await given.counts()).toMatchObject({ problems: [], messages: 2, unread: 0 });
  },
);

test.for(kinds)('a token that the network no longer accepts for a %s is revoked here at once', async (kind) => {
  const given = await scene();
  given.world.next = 'revoked';
  expect(await given[kind]('key')).toEqual({ failed: 'forbidden' });
  const connection = await given.connection();
  expect(connection).toMatchObject({ state: 'revoked', fault: 'revoked' });
  expect((connection?.dueAt ?? 0) - given.clock.now()).toBeGreaterThan(23 * 3_600_000);
  expect(given.metrics.recorded).toEqual([[{ ConnectionsRevoked: 1 }]]);
  expect(given.logger.warnings).toHaveLength(1);
  expect(await given[kind]('key')).toEqual({ failed: 'forbidden' });
  expect(sentOf(given)).toBe(0);
  if (connection) await given.saveConnection({ ...connection, state: 'connected' });
  expect(await given[kind]('key')).toMatchObject({ text: 'Sim!' });
});

test('a page that was given a new token meanwhile stays connected', async () => {
  const given = await scene();
  given.world.next = 'revoked';
  given.world.meanwhile = async () => {
    const connection = await given.connection();
    if (connection) await given.saveConnection({ ...connection, sealedToken: 'new' });
  };
  expect(await given.send('key')).toEqual({ failed: 'forbidden' });
  expect(await given.connection()).toMatchObject({ state: 'connected', sealedToken: 'new' });
  expect(given.metrics.recorded).toEqual([]);
});

test('that a token is revoked is the response, too, if it cannot be recorded', async () => {
  const given = await scene();
  given.world.next = 'revoked';
  given.world.meanwhile = async () => given.loseNextCommit();
  expect(await given.send('key')).toEqual({ failed: 'forbidden' });
  expect(await given.connection()).toMatchObject({ state: 'connected' });
  expect(JSON.stringify(given.logger.warnings)).toContain('revoked connection not recorded');
});

test('after 24 hours the window is closed without a call, and Instagram’s limit is in bytes', async () => {
  const given = await scene();
  expect(await given.send('long', 'ã'.repeat(501))).toEqual({ failed: 'invalid' });
  given.clock.advance(24 * 3_600_000 + 60_000);
  expect(await given.send('late')).toEqual({ failed: 'reply-window-closed' });
  expect(sentOf(given)).toBe(0);
});

test('messages that arrive while others are sent leave exact counts', async () => {
  const given = await scene();
  const arriving = Array.from({ length: 6 }, (_, index): NetworkMessage => {
    const createdAt = given.clock.now() + index;
    return { id: `in-${index}`, direction: 'inbound', text: 'E?', attachments: [], status: 'sent', createdAt };
  });
  await Promise.all([
    given.send('one'),
    given.send('two', 'Outra'),
    ...arriving.map((message) => applyMessages(given.needs, given.page, { id: 'ana' }, [message])),
  ]);
  expect(await given.counts()).toMatchObject({ problems: [], messages: 9 });
});

test.for(kinds)(
  'a %s without a key is not told that it failed if a repeat of another took what it wrote',
  async (kind) => {
    const given = await scene();
    given.world.next = 'unknown-outcome';
    await given[kind]('key');
    let repeated: unknown;
    given.world.meanwhile = async () => {
      given.world.meanwhile = async () => {};
      repeated = await given[kind]('key');
    };
    expect(await given[kind](undefined)).toEqual(repeated);
    expect(repeated).toMatchObject({ text: 'Sim!' });
    expect(sentOf(given)).toBe(1);
    expect((await given.counts()).problems).toEqual([]);
  },
);

test.for(kinds)('a repeat of a %s takes what it wrote itself, and not what another has written since', async (kind) => {
  const given = await scene();
  given.world.next = 'lost';
  await given[kind]('key');
  given.clock.advance(1000);
  let repeated: unknown;
  given.world.meanwhile = async () => {
    given.world.meanwhile = async () => {};
    repeated = await given[kind]('key');
  };
  const other = await given[kind](undefined);
  const ids = [repeated, other].map((data) => (data as { id?: string }).id);
  expect(new Set(ids).size).toBe(2);
  expect(ids).not.toContain(undefined);
  expect(sentOf(given)).toBe(2);
});

test.for(kinds)('a repeat of a %s does not take what was written long after its last call', async (kind) => {
  const given = await scene();
  given.world.next = 'unknown-outcome';
  await given[kind]('key');
  given.clock.advance(10 * 60_000);
  const createdAt = given.clock.now();
  const byHand = { id: 'by hand', text: 'Sim!', createdAt };
  given.world.messages.unshift({ ...byHand, direction: 'outbound', attachments: [], status: 'sent' });
  const marks = { isOwn: true, hidden: false, liked: false, likeCount: 0, author: { id: 'page', username: 'loja' } };
  given.world.comments.unshift({ ...byHand, ...marks, postId: 'post', parentId: 'c' });
  expect(await given[kind]('key')).toMatchObject({ text: 'Sim!' });
  expect(sentOf(given)).toBe(3);
});

test.for(kinds)('a repeat of a %s walks through no list of all conversations or comments', async (kind) => {
  const given = await scene();
  given.world.next = 'lost';
  await given[kind]('key');
  const walked = () => Promise.reject(new Error('a long list is walked through'));
  Object.assign(given.needs.socialNetwork, { conversations: walked, comments: walked });
  expect(await given[kind]('key')).toMatchObject({ text: 'Sim!' });
  expect(sentOf(given)).toBe(1);
});
