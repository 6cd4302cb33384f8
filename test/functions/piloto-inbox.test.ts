/** The inbox operations' errors when a page, a social network or a comment does not allow an action. */
import { expect, test } from 'vitest';
import type { MetaOutcome } from '../../fakes/meta/meta-http.ts';
import type { OperationId } from '../../shared/contracts/registry.ts';
import { connectionStore } from '../../shared/domain/piloto/pages/connection-store.ts';
import { giveInbox } from '../support/given-inbox.ts';
import { serviceInTests } from '../support/test-service.ts';

const host = await serviceInTests();

const reads = ['listConversations', 'listMessages', 'listCommentedPosts', 'listComments'] as const;
const moderating = ['hideComment', 'unhideComment', 'likeComment', 'unlikeComment'] as const;
const writes = ['sendMessage', 'replyToComment', 'markConversationRead', ...moderating] as const;
type InboxOperation = (typeof reads)[number] | (typeof writes)[number];

const bodies: Partial<Record<OperationId, object>> = {
  sendMessage: { text: 'Sim!' },
  replyToComment: { text: 'Sim!' },
};

/** An account with the inbox in its plan, and calls of its operations. */
async function scene(channel?: 'facebook' | 'instagram') {
  const { accountId, token } = await host.account({ planId: 'business' });
  const given = channel && (await giveInbox(host, accountId, channel));
  const id = 'A'.repeat(22);
  const { conversationId = id, postId = id, commentId = id } = given ?? {};
  const call = async (operationId: InboxOperation, extra: object = {}) => {
    const body = bodies[operationId];
    const response = await host.call(operationId, {
      token,
      params: { conversationId, postId, commentId },
      ...(body && { body: { ...body, ...extra } }),
    });
    const { data, error } = response.body;
    const retryAfter = response.headers['retry-after'];
    return { status: response.status, ...(retryAfter && { retryAfter }), ...error, data };
  };
  return { accountId, token, given, call };
}

/** The requests that reach the social network while a function runs. */
async function asked(work: () => Promise<unknown>): Promise<string[]> {
  const { social } = host.service;
  const before = social.requests.length;
  await work();
  return social.requests.slice(before).map(({ method, path }) => `${method} ${path}`);
}

async function revoke(accountId: string): Promise<void> {
  const store = connectionStore(host.service.context.table);
  for (const connection of await store.of(accountId)) await store.save({ ...connection, state: 'revoked' });
}

test('without a connected page, the inbox cannot be read or written', async () => {
  const { call } = await scene();
  const message = 'No Instagram or Facebook page is connected: connect one to use the inbox.';
  for (const operationId of [...reads, ...writes])
    expect(await call(operationId), operationId).toMatchObject({ status: 403, code: 'FORBIDDEN', message });
});

test('when access to every page is revoked, the inbox cannot be read or written, and the social network is not called', async () => {
  const { accountId, call } = await scene('facebook');
  await revoke(accountId);
  const message = 'The connection of the page has expired or was revoked: connect it again.';
  const requests = await asked(async () => {
    for (const operationId of [...reads, ...writes])
      expect(await call(operationId), operationId).toMatchObject({ status: 403, code: 'FORBIDDEN', message });
  });
  expect(requests).toEqual([]);
});

test('when access to one of two pages is revoked, its inbox can be read but not written', async () => {
  const { accountId, call } = await scene('facebook');
  await revoke(accountId);
  await giveInbox(host, accountId, 'instagram');
  for (const operationId of reads) expect(await call(operationId), operationId).toMatchObject({ status: 200 });
  for (const operationId of writes) expect(await call(operationId), operationId).toMatchObject({ status: 403 });
});

test.for(['likeComment', 'unlikeComment'] as const)(
  'on Instagram, %s is rejected and the copy of the comment is unchanged',
  async (like) => {
    const { call } = await scene('instagram');
    expect(await call(like)).toMatchObject({
      status: 400,
      code: 'VALIDATION_ERROR',
      message: 'commentId: Instagram does not let pages like comments',
    });
    expect(await call('listComments')).toMatchObject({ data: { comments: [{ liked: false, likeCount: 0 }] } });
  },
);

test.for(['instagram', 'facebook'] as const)(
  'on %s, a reply to a reply is attached to the top-level comment',
  async (channel) => {
    const { call, given } = await scene(channel);
    const first = await call('replyToComment', { commentId: given?.commentId });
    expect(first).toMatchObject({ status: 201, data: { parentId: given?.commentId } });
    const commentId = (first.data as { id: string }).id;
    const requests = await asked(async () => {
      expect(await call('replyToComment', { commentId, text: 'Outra' })).toMatchObject({
        status: 201,
        data: { parentId: given?.commentId, text: 'Outra' },
      });
    });
    expect(requests).toEqual([expect.stringContaining(`/${given?.commentNetworkId}/`)]);
  },
);

test('the error for a refused reply to a comment names the text only as a possible cause', async () => {
  const { call, given } = await scene('facebook');
  host.service.social.outcomes.push({ code: 100 });
  expect(await call('replyToComment', { commentId: given?.commentId })).toMatchObject({
    status: 400,
    message: 'Facebook rejected the request, perhaps because of text',
  });
});

test.for(writes)('after %s with a revoked token, the social network is not called again', async (operationId) => {
  const { accountId, call } = await scene('facebook');
  host.service.social.outcomes.push({ code: 190, status: 401 });
  const forbidden = { status: 403, code: 'FORBIDDEN' };
  expect(await call(operationId)).toMatchObject(forbidden);
  const [connection] = await connectionStore(host.service.context.table).of(accountId);
  expect(connection).toMatchObject({ state: 'revoked', fault: 'revoked' });
  expect(await asked(async () => expect(await call(operationId)).toMatchObject(forbidden))).toEqual([]);
});

const throttled: MetaOutcome = { code: 4 };

test.for([
  ['throttles requests', throttled, { status: 503, code: 'PROVIDER_UNAVAILABLE', retryAfter: expect.any(String) }],
  ['loses the response', 'lost', { status: 500, code: 'INTERNAL_ERROR' }],
] as const)(
  'if the social network %s, moderation does not change the copy of a comment and can be repeated',
  async ([, outcome, expected]) => {
    const { call } = await scene('facebook');
    for (const operationId of moderating) {
      const before = await call('listComments');
      host.service.social.outcomes.push(outcome);
      expect(await call(operationId), operationId).toMatchObject(expected);
      expect(await call('listComments')).toEqual(before);
      expect(await call(operationId), operationId).toMatchObject({ status: 200 });
    }
    const comments = [{ hidden: false, liked: false, likeCount: 0 }];
    expect(await call('listComments')).toMatchObject({ data: { comments } });
  },
);

test('while the social network throttles requests, a conversation stays unread, and marking it as read can be repeated', async () => {
  const { call } = await scene('facebook');
  host.service.social.outcomes.push(throttled);
  expect(await call('markConversationRead')).toMatchObject({ status: 503, code: 'PROVIDER_UNAVAILABLE' });
  expect(await call('listConversations')).toMatchObject({ data: { conversations: [{ unreadCount: 1 }] } });
  expect(await call('markConversationRead')).toMatchObject({ status: 200, data: { unreadCount: 0 } });
});

test.for([
  ['loses the response', 'lost'],
  ['does not know the participant', { code: 100, subcode: 2_018_001 }],
] as const)('a conversation is marked as read even if the social network %s', async ([, outcome]) => {
  const { call } = await scene('facebook');
  host.service.social.outcomes.push(outcome);
  expect(await call('markConversationRead')).toMatchObject({ status: 200, data: { unreadCount: 0 } });
  expect(await asked(() => call('markConversationRead'))).toEqual([]);
  expect(await call('listConversations')).toMatchObject({ data: { conversations: [{ unreadCount: 0 }] } });
});
