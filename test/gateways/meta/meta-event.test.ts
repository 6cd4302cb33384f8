/** Meta's events and signed requests: which are accepted, and how they are interpreted. */
import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { socialNetwork } from '../../../shared/gateways/social-networks.ts';
import { systemClock } from '../../../shared/platform/clock.ts';
import { settingsOf } from '../../../shared/platform/settings.ts';

const secrets = { current: 'the-current-secret', former: 'the-former-secret', facebook: 'the-secret-of-facebook' };

const network = socialNetwork({
  settings: settingsOf({
    META_INSTAGRAM_SECRETS: `${secrets.current},${secrets.former}`,
    META_FACEBOOK_SECRETS: secrets.facebook,
  }),
  clock: systemClock,
});

const hmac = (content: string, secret: string) => createHmac('sha256', secret).update(content);
const signatureOf = (body: string, secret = secrets.current) => `sha256=${hmac(body, secret).digest('hex')}`;
const signed = (body: string, secret?: string) => ({
  headers: { 'x-hub-signature-256': signatureOf(body, secret) },
  body,
});
const eventsIn = (object: 'instagram' | 'page', entry: object) =>
  network.eventsOf(signed(JSON.stringify({ object, entry: [{ id: '17', time: 1_795_000_000, ...entry }] })));

const messaging = { sender: { id: '5' }, recipient: { id: '17' }, timestamp: 1_795_000_000_123 };
const message = { ...messaging, message: { mid: 'm1', text: 'Olá! Ainda tem?' } };
const about = { channel: 'instagram', pageId: '17', participantId: '5' };

describe('the signature of a Meta event', () => {
  const body = JSON.stringify({ object: 'instagram', entry: [{ id: '17', time: 1, messaging: [message] }] });

  test.for(Object.entries(secrets))('is valid if made with the %s secret of an app', async ([, secret]) => {
    expect(await network.eventsOf(signed(body, secret))).toHaveLength(1);
  });

  test('covers the exact bytes: the same JSON with other escape sequences is a different body', async () => {
    const escaped = body.replace('á', '\\u00e1');
    expect(await network.eventsOf(signed(escaped))).toMatchObject([{ message: { text: 'Olá! Ainda tem?' } }]);
    expect(await network.eventsOf({ ...signed(body), body: escaped })).toBeUndefined();
  });

  test('is rejected in each of 200 forged variants', async () => {
    const valid = signatureOf(body);
    const changed = (text: string, at: number, other: string) => text.slice(0, at) + other + text.slice(at + 1);
    const flipped = Array.from({ length: 64 }, (_, index) => {
      const at = 'sha256='.length + index;
      return changed(valid, at, valid[at] === '0' ? '1' : '0');
    });
    const bySecret = Array.from({ length: 60 }, (_, index) => signatureOf(body, `${secrets.current}${index}`));
    const byForm = [
      '',
      'sha256=',
      valid.toUpperCase(),
      valid.slice(0, -1),
      `${valid}0`,
      ` ${valid}`,
      `${valid}\n`,
      valid.replace('sha256', 'sha1'),
      `sha1=${createHmac('sha1', secrets.current).update(body).digest('hex')}`,
      `sha256=${hmac(body, secrets.current).digest('base64')}`,
      signatureOf(body, ''),
      signatureOf(body, 'none'),
    ];
    const forged = [
      ...[...flipped, ...bySecret, ...byForm].map((one) => ({ headers: { 'x-hub-signature-256': one }, body })),
      ...Array.from({ length: 64 }, (_, index) => ({ ...signed(body), body: changed(body, index, '~') })),
      { headers: {}, body },
      { headers: { 'x-hub-signature': valid }, body },
    ];
    expect(forged.length).toBeGreaterThanOrEqual(200);
    for (const one of forged) expect(await network.eventsOf(one)).toBeUndefined();
  });

  test('is never valid where no app is configured', async () => {
    const without = socialNetwork({ settings: settingsOf({}), clock: systemClock });
    for (const secret of ['none', '', secrets.current])
      expect(await without.eventsOf(signed(body, secret))).toBeUndefined();
  });
});

describe('a Meta message event', () => {
  test('is read as a message with its attachments and the time that the social network states', async () => {
    const attachments = [{ type: 'image', payload: { url: 'https://cdn.example/1.jpg' } }, { type: 'fallback' }];
    const content = { mid: 'm2', attachments };
    expect(await eventsIn('instagram', { messaging: [message, { ...messaging, message: content }] })).toMatchObject([
      { kind: 'message', ...about, message: { id: 'm1', direction: 'inbound', text: 'Olá! Ainda tem?' } },
      {
        message: {
          id: 'm2',
          text: null,
          attachments: [{ type: 'image', url: 'https://cdn.example/1.jpg' }],
          createdAt: 1_795_000_000_123,
        },
      },
    ]);
  });

  test('is ignored if the page itself sent the message', async () => {
    const echo = { ...messaging, sender: { id: '17' }, recipient: { id: '5' } };
    const flagged = { ...message, message: { ...message.message, is_echo: true } };
    expect(await eventsIn('instagram', { messaging: [{ ...echo, message: { mid: 'm3' } }, flagged] })).toEqual([]);
  });

  test('reports a message that the page has unsent, and its participant', async () => {
    const echo = { sender: { id: '17' }, recipient: { id: '5' }, timestamp: messaging.timestamp };
    const unsent = { ...echo, message: { mid: 'm3', is_echo: true, is_deleted: true } };
    expect(await eventsIn('instagram', { messaging: [unsent] })).toEqual([
      { kind: 'message-deleted', ...about, messageId: 'm3' },
    ]);
  });

  test('has no attachment whose URL is not a web address', async () => {
    const urls = [
      'javascript:alert(1)',
      ' javascript:alert(1)',
      'data:text/html,x',
      '//cdn.example/1',
      'https://[',
      '',
    ];
    const attachments = [...urls, `https://cdn.example/${'a'.repeat(5000)}`, 'HTTPS://cdn.example/2.jpg'].map(
      (url) => ({
        type: 'share',
        payload: { url },
      }),
    );
    const shared = { ...messaging, message: { mid: 'm4', attachments } };
    expect(await eventsIn('instagram', { messaging: [shared] })).toMatchObject([
      { message: { attachments: [{ type: 'share', url: 'HTTPS://cdn.example/2.jpg' }] } },
    ]);
  });

  test('reports which messages were delivered, read or unsent', async () => {
    const entry = {
      messaging: [
        { ...messaging, delivery: { mids: ['m1'], watermark: 1_795_000_000_001 } },
        { ...messaging, read: { watermark: 1_795_000_000_002 } },
        { ...messaging, message: { mid: 'm1', is_deleted: true } },
      ],
    };
    const of = { ...about, channel: 'facebook' };
    expect(await eventsIn('page', entry)).toEqual([
      { kind: 'message-status', ...of, status: 'delivered', until: 1_795_000_000_001 },
      { kind: 'message-status', ...of, status: 'read', until: 1_795_000_000_002 },
      { kind: 'message-deleted', ...of, messageId: 'm1' },
    ]);
    expect(await eventsIn('instagram', { messaging: [{ ...messaging, read: { mid: 'm1' } }] })).toMatchObject([
      { status: 'read', until: messaging.timestamp },
    ]);
  });
});

describe('a Meta comment event', () => {
  const value = { id: '9', text: 'Qual o preço?', from: { id: '5', username: 'ana' }, media: { id: '3' } };

  test('of Instagram is read as a comment or reply, by a person or the page, with the event’s time in seconds', async () => {
    const own = { ...value, from: { id: '17', username: 'atelie' } };
    const changes = [value, { ...value, parent_id: '8' }, own].map((one) => ({ field: 'comments', value: one }));
    const comment = { id: '9', postId: '3', author: { id: '5', username: 'ana' }, isOwn: false, hidden: false };
    expect(await eventsIn('instagram', { changes })).toMatchObject([
      { kind: 'comment', pageId: '17', comment: { ...comment, parentId: null, createdAt: 1_795_000_000_000 } },
      { comment: { ...comment, parentId: '8' } },
      { comment: { author: { id: '17' }, isOwn: true } },
    ]);
  });

  test('of Facebook reports that a comment was written, hidden or removed, its author, and what it replies to', async () => {
    const feed = { item: 'comment', verb: 'add', comment_id: '3_9', post_id: '17_3', parent_id: '17_3' };
    const given = { ...feed, message: 'Lindo!', from: { id: '17', name: 'Ateliê' }, created_time: 1_795_000_000 };
    const values = [
      given,
      { ...given, verb: 'hide', parent_id: '3_8', from: { id: '5', name: 'Ana' } },
      { ...feed, verb: 'remove' },
      { ...feed, item: 'reaction' },
      { ...feed, verb: 'of the future' },
    ];
    const changes = values.map((one) => ({ field: 'feed', value: one }));
    expect(await eventsIn('page', { changes })).toMatchObject([
      { kind: 'comment', comment: { isOwn: true, parentId: null, postId: '17_3', createdAt: 1_795_000_000_000 } },
      { kind: 'comment', comment: { isOwn: false, parentId: '3_8', hidden: true } },
      { kind: 'comment-deleted', postId: '17_3', commentId: '3_9' },
    ]);
  });

  test.for([
    ['hide', 'hidden'],
    ['unhide', 'hidden'],
    ['edited', 'text'],
    ['edit', 'text'],
  ] as const)(
    'of Facebook with the verb “%s” reports a change of the field “%s” at the time of the event',
    async ([verb, what]) => {
      const feed = { item: 'comment', verb, comment_id: '3_9', post_id: '17_3', parent_id: '17_3' };
      const value = { ...feed, message: 'Lindo', from: { id: '5', name: 'Ana' }, created_time: 1_700_000_000 };
      const [event] = (await eventsIn('page', { changes: [{ field: 'feed', value }] })) ?? [];
      expect(event).toMatchObject({
        comment: { hidden: verb === 'hide', text: 'Lindo', createdAt: 1_700_000_000_000 },
        change: { what, at: 1_795_000_000_000 },
      });
    },
  );

  test.for([
    ['edited', undefined, 'no'],
    ['edited', null, 'no'],
    ['edited', '', 'a'],
    ['hide', undefined, 'a'],
  ] as const)(
    'of Facebook with the verb “%s” and the message %j reports %s change',
    async ([verb, message, quantity]) => {
      const feed = { item: 'comment', verb, comment_id: '3_9', post_id: '17_3', parent_id: '17_3' };
      expect(await eventsIn('page', { changes: [{ field: 'feed', value: { ...feed, message } }] })).toHaveLength(
        quantity === 'a' ? 1 : 0,
      );
    },
  );
});

test('an unreadable Meta event does not hide other events, and a signed body about another kind of object has no events', async () => {
  const entry = { messaging: [null, { sender: {} }, message], changes: ['x', { field: 'mentions' }] };
  expect(await eventsIn('instagram', entry)).toHaveLength(1);
  for (const body of ['', 'null', '[]', '{"object":"user","entry":[]}', '{"object":"page","entry":[7]}'])
    expect(await network.eventsOf(signed(body))).toEqual([]);
});

describe('a signed request of Meta', () => {
  const requestFor = (content: object, secret: string = secrets.facebook) => {
    const payload = Buffer.from(JSON.stringify(content)).toString('base64url');
    return `${hmac(payload, secret).digest('base64url')}.${payload}`;
  };
  const content = { algorithm: 'HMAC-SHA256', user_id: '218471', issued_at: 1_795_000_000 };

  test('identifies the user that it concerns, and says when it was issued', async () => {
    const issuedAt = content.issued_at * 1000;
    expect(await network.withdrawalIn(requestFor(content))).toEqual({ userId: '218471', issuedAt });
    const { issued_at: _, ...undated } = { ...content, user_id: 5 };
    expect(await network.withdrawalIn(requestFor(undated, secrets.former))).toEqual({ userId: '5' });
  });

  test('that is unsigned or wrongly signed identifies no user', async () => {
    const [signature = '', payload = ''] = requestFor(content).split('.');
    const others = [
      requestFor(content, 'another'),
      requestFor({ ...content, algorithm: 'none' }),
      requestFor({ algorithm: 'HMAC-SHA256' }),
      `${signature}.${Buffer.from(JSON.stringify({ ...content, user_id: '1' })).toString('base64url')}`,
      `${signature}.${payload}.`,
      `.${payload}`,
      signature,
      '',
    ];
    for (const one of others) expect(await network.withdrawalIn(one)).toBeUndefined();
  });
});

describe('an impossible time in an event from Meta', () => {
  const now = 1_795_000_100_000;
  const reading = socialNetwork({
    settings: settingsOf({ META_INSTAGRAM_SECRETS: secrets.current, META_FACEBOOK_SECRETS: secrets.facebook }),
    clock: { now: () => now },
  });
  const read = (object: 'instagram' | 'page', entry: object) =>
    reading.eventsOf(signed(JSON.stringify({ object, entry: [{ id: '17', ...entry }] })));
  const wrong = [0, -9e15, 1e12, 9e15, 1e300, now + 86_400_001];

  test.for(wrong)('is replaced by the time of receipt in messages and comments (%d)', async (time) => {
    const [event] = (await read('instagram', { time, messaging: [{ ...message, timestamp: time }] })) ?? [];
    expect(event).toMatchObject({ kind: 'message', message: { createdAt: now } });
    const value = { id: 'c1', text: 'Quero!', from: { id: '5', username: 'ana' }, media: { id: 'p1' } };
    const [comment] = (await read('instagram', { time, changes: [{ field: 'comments', value }] })) ?? [];
    expect(comment).toMatchObject({ kind: 'comment', comment: { createdAt: now } });
    const added = { item: 'comment', verb: 'add', comment_id: 'c2', post_id: 'p1', created_time: time };
    const [onPage] = (await read('page', { time, changes: [{ field: 'feed', value: added }] })) ?? [];
    expect(onPage).toMatchObject({ kind: 'comment', comment: { createdAt: now } });
  });

  test.for(wrong)('marks nothing as delivered or read (%d)', async (watermark) => {
    for (const mark of [{ delivery: { watermark } }, { read: { watermark } }])
      expect(await read('page', { time: now, messaging: [{ ...messaging, ...mark }] })).toEqual([]);
  });
});

test('names from Meta are reduced to one line, and texts lose characters that hide or reverse others', async () => {
  const value = {
    id: 'c1',
    text: 'a\u202eb\u0000\nc',
    from: { id: '5', username: ' an\u2066a\n' },
    media: { id: 'p1' },
  };
  const [event] = (await eventsIn('instagram', { changes: [{ field: 'comments', value }] })) ?? [];
  expect(event).toMatchObject({ comment: { text: 'ab\nc', author: { username: 'an a' } } });
});
