/** Messages and comments are sent once for each key, whatever happens to the social network's response. */
import { expect, test } from 'vitest';
import { Replay } from '../../../../shared/domain/idempotency/idempotency.ts';
import { applyComments } from '../../../../shared/domain/piloto/comments/apply-comments.ts';
import { applyMessageStatus, applyMessages } from '../../../../shared/domain/piloto/conversations/apply-messages.ts';
import type { NetworkMessage } from '../../../../shared/gateways/social-network.ts';
import { tableInTests } from '../../../support/test-table.ts';
import { type SendScene, sendScene } from '../send-scene.ts';

const host = await tableInTests();

const kinds = ['send', 'reply'] as const;
const scene = () => sendScene(host.table);

/** A scene after a first request with the key “key” that ended in this way at the social network. */
async function sceneAfter(next: SendScene['world']['next'], kind: (typeof kinds)[number]): Promise<SendScene> {
  const given = await scene();
  given.world.next = next;
  expect(await given[kind]('key')).toEqual({ failed: 'NetworkFault' });
  return given;
}

const sentOf = ({ world }: SendScene) => world.messages.length + world.comments.length;

/** Checks that a retry with the key “key” succeeds, and how many texts have been sent in total. */
async function expectSent(given: SendScene, kind: (typeof kinds)[number], count = 1): Promise<void> {
  expect(await given[kind]('key')).toMatchObject({ text: 'Sim!' });
  expect(sentOf(given)).toBe(count);
}

test.for(kinds)(
  'a %s request whose response was lost is not sent again: its repeat finds the text at the social network',
  async (kind) => {
    const given = await sceneAfter('lost', kind);
    expect(await given[kind]('key')).toMatchObject({ text: 'Sim!' });
    expect(await given[kind]('key')).toBeInstanceOf(Replay);
    expect(sentOf(given)).toBe(1);
    expect((await given.counts()).problems).toEqual([]);
  },
);

test.for(kinds)(
  'the repeat of a %s request that never arrived is sent, but only once the first can no longer arrive',
  async (kind) => {
    const given = await sceneAfter('unknown-outcome', kind);
    expect(await given[kind]('key')).toEqual({ failed: 'in-progress' });
    expect(sentOf(given)).toBe(0);
    given.clock.advance(120_000);
    await expectSent(given, kind);
  },
);

test.for(kinds)('a %s request is not sent again while its repeat may have arrived', async (kind) => {
  const given = await sceneAfter('unknown-outcome', kind);
  given.clock.advance(121_000);
  given.world.next = 'lost';
  given.world.lag = true;
  expect(await given[kind]('key')).toEqual({ failed: 'NetworkFault' });
  given.clock.advance(60_000);
  expect(await given[kind]('key')).toEqual({ failed: 'in-progress' });
  given.world.lag = false;
  await expectSent(given, kind);
});

test.for(kinds)(
  'a %s request is not sent again while the social network lists messages without details',
  async (kind) => {
    const given = await sceneAfter('lost', kind);
    given.world.isVague = true;
    given.clock.advance(121_000);
    expect(await given[kind]('key')).toEqual({ failed: 'in-progress' });
    given.world.isVague = false;
    await expectSent(given, kind);
  },
);

test.for(kinds)('a repeated %s request sends nothing if another repeat is already sending it', async (kind) => {
  const given = await sceneAfter('unknown-outcome', kind);
  given.clock.advance(121_000);
  let conflicting: unknown;
  given.box.open = async () => {
    given.box.open = async () => 'token';
    given.clock.advance(31_000);
    given.world.next = 'lost';
    given.world.lag = true;
    conflicting = await given[kind]('key');
    return 'token';
  };
  expect(await given[kind]('key')).toEqual({ failed: 'in-progress' });
  expect(conflicting).toEqual({ failed: 'NetworkFault' });
  expect(sentOf(given)).toBe(1);
});

test.for(kinds)(
  'a %s request fails without a network call, and frees its key, if the page token cannot be decrypted',
  async (kind) => {
    const given = await scene();
    given.box.open = () => Promise.reject(new Error('no key service'));
    expect(await given[kind]('key')).toEqual({ failed: 'dependency-unavailable' });
    given.box.open = async () => 'token';
    await expectSent(given, kind);
  },
);

test('messages and receipts that arrive before the social network’s response are stored after the sent message', async () => {
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

test('no other comment is lost if an event reports a reply before the response, without its author and below that comment', async () => {
  const given = await scene();
  given.world.meanwhile = async () => {
    const [reply] = given.world.comments;
    if (!reply) return;
    const other = { ...reply, id: 'other', parentId: null, isOwn: false };
    await applyComments(given.needs, given.page, 'post', [other]);
    await applyComments(given.needs, given.page, 'post', [{ ...reply, parentId: 'other', isOwn: false }]);
  };
  expect(await given.reply('key')).toMatchObject({ text: 'Sim!' });
  expect(await given.counts()).toMatchObject({ problems: [], comments: 3, unanswered: 1 });
});

test.for(kinds)(
  'the repeat of a %s request whose message was sent but not stored stores that message once, and sends nothing',
  async (kind) => {
    const given = await scene();
    given.world.meanwhile = async () => given.loseNextCommit();
    expect(await given[kind]('key')).toEqual({ failed: 'Error' });
    expect(await given.counts()).toMatchObject({ messages: 1, comments: 1 });
    await expectSent(given, kind);
    expect(await given.counts()).toMatchObject({ problems: [], [kind === 'send' ? 'messages' : 'comments']: 2 });
  },
);

test('a repeated request after the reply window has closed sends nothing, unless the participant writes again', async () => {
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
  await expectSent(given, 'send');
});

test.for(kinds)('two %s requests with one text send two messages, even if both responses were lost', async (kind) => {
  const given = await scene();
  for (const key of ['one', 'two']) {
    given.world.next = 'lost';
    await given[kind](key);
  }
  const [one, two] = [await given[kind]('one'), await given[kind]('two')];
  expect(new Set([one, two].map((data) => (data as { id: string }).id)).size).toBe(2);
  expect(sentOf(given)).toBe(2);
});

test.for(kinds)('a %s request’s text is stored once, even if a synchronization copies it first', async (kind) => {
  const given = await sceneAfter('lost', kind);
  await applyMessages(given.needs, given.page, { id: 'ana' }, given.world.messages);
  await applyComments(given.needs, given.page, 'post', given.world.comments);
  expect(await given[kind]('key')).toMatchObject({ text: 'Sim!' });
  const expected = kind === 'send' ? { messages: 2, unread: 0 } : { comments: 2, unanswered: 0 };
  expect(await given.counts()).toMatchObject({ problems: [], ...expected });
});

test.for([
  ['throttled', 'dependency-unavailable'],
  ['unavailable', 'dependency-unavailable'],
  ['window-closed', 'reply-window-closed'],
  ['rejected', 'invalid'],
  ['not-found', 'not-found'],
] as const)(
  'a message that the social network refuses as “%s” is rejected as “%s”, and its idempotency key stays unused',
  async ([reason, kind]) => {
    const given = await scene();
    given.world.next = reason;
    expect(await given.send('key')).toEqual({ failed: kind });
    expect(await given.counts()).toMatchObject({ messages: 1, unread: 1 });
    expect(await given.send('key')).toMatchObject({ text: 'Sim!' });
    expect(await given.counts()).toMatchObject({ problems: [], messages: 2, unread: 0 });
  },
);

test.for(kinds)(
  'a page token with which the social network rejects a %s request is marked as revoked at once',
  async (kind) => {
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
  },
);

test('a page that received a new token while its old one was rejected stays connected', async () => {
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

test('the error for a message that could not be sent says that the page token is revoked even if this cannot be recorded', async () => {
  const given = await scene();
  given.world.next = 'revoked';
  given.world.meanwhile = async () => given.loseNextCommit();
  expect(await given.send('key')).toEqual({ failed: 'forbidden' });
  expect(await given.connection()).toMatchObject({ state: 'connected' });
  expect(JSON.stringify(given.logger.warnings)).toContain('revoked connection not recorded');
});

test('a message after the 24-hour reply window or over Instagram’s limit in bytes is rejected without a network call', async () => {
  const given = await scene();
  expect(await given.send('long', 'ã'.repeat(501))).toEqual({ failed: 'invalid' });
  given.clock.advance(24 * 3_600_000 + 60_000);
  expect(await given.send('late')).toEqual({ failed: 'reply-window-closed' });
  expect(sentOf(given)).toBe(0);
});

test('the message counts stay exact when messages arrive while others are sent', async () => {
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
  'a %s request without an idempotency key succeeds even if another request’s repeat was matched to its message',
  async (kind) => {
    const given = await sceneAfter('unknown-outcome', kind);
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

test.for(kinds)(
  'a repeated %s request is matched to its own message, not to a later one of another request',
  async (kind) => {
    const given = await sceneAfter('lost', kind);
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
  },
);

test.for(kinds)(
  'a repeated %s request is not matched to a message written long after its last attempt',
  async (kind) => {
    const given = await sceneAfter('unknown-outcome', kind);
    given.clock.advance(10 * 60_000);
    const createdAt = given.clock.now();
    const byHand = { id: 'by hand', text: 'Sim!', createdAt };
    given.world.messages.unshift({ ...byHand, direction: 'outbound', attachments: [], status: 'sent' });
    const marks = { isOwn: true, hidden: false, liked: false, likeCount: 0, author: { id: 'page', username: 'loja' } };
    given.world.comments.unshift({ ...byHand, ...marks, postId: 'post', parentId: 'c' });
    await expectSent(given, kind, 3);
  },
);

test.for(kinds)('a repeated %s request does not list all conversations or comments', async (kind) => {
  const given = await sceneAfter('lost', kind);
  const walked = () => Promise.reject(new Error('a long list is walked through'));
  Object.assign(given.needs.socialNetwork, { conversations: walked, comments: walked });
  await expectSent(given, kind);
});
