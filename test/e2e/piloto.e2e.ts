/**
 * The inbox of connected pages: messages that customers write in the sandbox arrive, and the account's actions are seen
 * there.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { ApiError } from '../../client/client.ts';
import type { Channel } from '../../shared/contracts/channels.ts';
import { eventually } from '../support/eventually.ts';
import { type BackEnd, newBackEnd } from './back-end.ts';
import { type SocialPage, socialPage } from './social-chat.ts';
import { isCapable, operate, target } from './target.ts';

type Conversation = Awaited<ReturnType<BackEnd['api']['listConversations']>>['data']['conversations'][number];

interface Connected {
  readonly connections: readonly { readonly channel: Channel; readonly pageId: string }[];
}

interface Listed {
  readonly connections: readonly { readonly channel: Channel; readonly state: string }[];
}

interface Shown {
  readonly nextAt: string;
  readonly fullySyncedAt: string | null;
}

/** Polls slowly, because a token has 60 requests a minute. */
const everyMs = 1500;

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'success',
    (error: unknown) => (error instanceof ApiError ? error.code : Promise.reject(error)),
  );

describe.runIf(isCapable('social-sandbox'))('the inbox of connected sandbox pages', () => {
  let ana: BackEnd;
  let instagram: SocialPage;
  let facebook: SocialPage;

  beforeAll(async () => {
    ana = await newBackEnd(10, 'business');
    expect(await codeOf(ana.api.listConversations())).toBe('FORBIDDEN');
    const given = ['--account', ana.accountId, '--network', 'sandbox'];
    const { connections } = await operate<Connected>('connection', 'add', ...given);
    const pageOn = (channel: Channel) =>
      socialPage(target.socialSandbox ?? '', connections.find((one) => one.channel === channel)?.pageId ?? '');
    [instagram, facebook] = [pageOn('instagram'), pageOn('facebook')];
  });

  /** The conversation whose last message has the given text. */
  const conversationWith = (text: string): Promise<Conversation> =>
    eventually(
      `the message "${text}"`,
      async () => {
        const { conversations } = (await ana.api.listConversations({ query: { limit: 50 } })).data;
        return conversations.find(({ lastMessage }) => lastMessage?.text === text);
      },
      { everyMs },
    );

  test('contains the messages and comments that were written before the pages were connected', async () => {
    const [old, asked] = [
      await conversationWith('Obrigado, vou pensar.'),
      await conversationWith('Perfeito, passo aí então. Tem estacionamento?'),
    ];
    expect(old).toMatchObject({ channel: 'instagram', participant: { username: 'thiagoprado' } });
    expect(Date.parse(old.replyUntil ?? '')).toBeLessThan(Date.now());
    expect(asked).toMatchObject({ channel: 'facebook', participant: { name: 'Dona Célia Ramos' } });
    const { messages } = (await ana.api.listMessages({ params: { conversationId: asked.id } })).data;
    expect(messages.map(({ direction }) => direction)).toEqual(['inbound', 'outbound', 'inbound']);
  });

  test('receives a customer’s message, and the customer gets the reply once, even if the request to reply is repeated', async () => {
    const chat = await instagram.conversation('Rafael Nunes');
    await chat.press('write', { text: 'Vocês trocam hoje ainda?' }, 'twice');
    const { id: conversationId, unreadCount } = await conversationWith('Vocês trocam hoje ainda?');
    expect(unreadCount).toBe(2);
    const body = { text: 'Trocamos sim, é só passar aqui.' };
    const request = { params: { conversationId }, body, idempotencyKey: `reply-${conversationId}` };
    const sent = await ana.api.sendMessage(request);
    expect((await ana.api.sendMessage(request)).data).toEqual(sent.data);
    expect((await chat.html()).split('Trocamos sim, é só passar aqui.')).toHaveLength(2);
    const { messages } = (await ana.api.listMessages({ params: { conversationId } })).data;
    expect(messages.slice(0, 2).map(({ text }) => text)).toEqual([
      'Trocamos sim, é só passar aqui.',
      'Vocês trocam hoje ainda?',
    ]);
    await chat.press('write', { text: 'Obrigado!' });
    expect(await conversationWith('Obrigado!')).toMatchObject({ id: conversationId, unreadCount: 1 });
    const read = await ana.api.markConversationRead({ params: { conversationId } });
    expect(read.data).toMatchObject({ conversationId, unreadCount: 0 });
  });

  test('receives comments, which the account can answer, hide and like', async () => {
    const thread = await facebook.firstPost();
    const [, personId = ''] = /<select name="personId"><option value="(\w+)"/.exec(await thread.html()) ?? [];
    await thread.press('comment', { personId, text: 'Tem em verde?' });
    const found = await eventually(
      'the comment',
      async () => {
        const { posts } = (await ana.api.listCommentedPosts()).data;
        const postId = posts.find(({ channel }) => channel === 'facebook')?.postId;
        if (postId === undefined) return undefined;
        const { comments } = (await ana.api.listComments({ params: { postId } })).data;
        const comment = comments.find(({ text }) => text === 'Tem em verde?');
        return comment && { postId, commentId: comment.id };
      },
      { everyMs },
    );
    const { commentId, postId } = found;
    const reply = await ana.api.replyToComment({ params: { postId }, body: { commentId, text: 'Tem sim!' } });
    expect(reply.data).toMatchObject({ parentId: commentId, text: 'Tem sim!' });
    expect((await ana.api.hideComment({ params: found })).data).toEqual({ commentId, hidden: true });
    expect((await ana.api.likeComment({ params: found })).data).toEqual({ commentId, liked: true });
    const html = await thread.html();
    for (const shown of ['Tem sim!', '1 like, liked by the shop, hidden by the shop']) expect(html).toContain(shown);
    expect((await ana.api.unhideComment({ params: found })).data).toEqual({ commentId, hidden: false });
    expect((await ana.api.unlikeComment({ params: found })).data).toEqual({ commentId, liked: false });
    expect(await thread.html()).not.toContain('by the shop');
  });

  test('shows operators its connected pages, and is synchronized when they request it', async () => {
    const account = ['--account', ana.accountId];
    const { connections } = await operate<Listed>('connection', 'list', ...account);
    expect(connections.map(({ channel, state }) => `${channel}: ${state}`).toSorted()).toEqual([
      'facebook: connected',
      'instagram: connected',
    ]);
    const page = [...account, '--channel', 'facebook'];
    const { nextAt: askedAt } = await operate<Shown>('connection', 'sync', ...page);
    const shown = await eventually(
      'the comparison',
      async () => {
        const found = await operate<Shown>('connection', 'show', ...page);
        return Date.parse(found.fullySyncedAt ?? '') >= Date.parse(askedAt) ? found : undefined;
      },
      { everyMs },
    );
    expect(shown).toMatchObject({ state: 'connected', fault: null });
    expect(shown).not.toHaveProperty('sealedToken');
  });

  test.runIf(isCapable('deployed'))('has no dead letters to redrive', async () => {
    expect(await operate('queue', 'redrive', '--queue', 'inbox')).toMatchObject({ moved: 0 });
  });

  const disconnect = (channel: Channel) =>
    operate('connection', 'remove', '--account', ana.accountId, '--channel', channel);

  test('loses the content of a page that is disconnected, but not that of the other page', async () => {
    const { id: conversationId } = await conversationWith('Obrigado, vou pensar.');
    await disconnect('instagram');
    const left = await eventually(
      'the erased copy',
      async () => {
        const { conversations } = (await ana.api.listConversations({ query: { limit: 50 } })).data;
        const { posts } = (await ana.api.listCommentedPosts({ query: { limit: 50 } })).data;
        const all = [...conversations, ...posts];
        return all.some(({ channel }) => channel === 'instagram') ? undefined : all;
      },
      { everyMs: 2 * everyMs },
    );
    expect(left.length).toBeGreaterThan(3);
    expect(await codeOf(ana.api.listMessages({ params: { conversationId } }))).toBe('NOT_FOUND');
    await disconnect('facebook');
    expect(await codeOf(ana.api.listConversations())).toBe('FORBIDDEN');
  });
});
