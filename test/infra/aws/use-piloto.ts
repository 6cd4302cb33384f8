/** The inbox of a connected page is read, answered and moderated, so that the AWS calls for that are recorded. */
import { expect } from 'vitest';
import type { OperationId } from '../../../shared/contracts/registry.ts';
import { applyMessages } from '../../../shared/domain/piloto/conversations/apply-messages.ts';
import { connectionStore } from '../../../shared/domain/piloto/pages/connection-store.ts';
import { giveInbox } from '../../support/given-inbox.ts';
import type { TestService } from '../../support/test-service.ts';

type Call = (operationId: OperationId, options?: object) => Promise<{ readonly status: number; readonly text: string }>;

const writes: readonly (readonly [OperationId, object?])[] = [
  ['sendMessage', { text: 'Sim!' }],
  ['replyToComment', { text: 'Sim!' }],
  ['markConversationRead'],
  ['hideComment'],
  ['unhideComment'],
  ['likeComment'],
  ['unlikeComment'],
];

/** Every operation that finds out that a token is revoked records it. */
async function findRevoked(
  { service }: TestService,
  accountId: string,
  write: (operationId: OperationId, body?: object) => ReturnType<Call>,
): Promise<void> {
  const connections = connectionStore(service.context.table);
  for (const [operationId, body] of writes) {
    service.social.outcomes.push({ code: 190, status: 401 });
    expect((await write(operationId, body)).status, operationId).toBe(403);
    for (const one of await connections.of(accountId)) await connections.save({ ...one, state: 'connected' });
  }
}

export async function usePiloto(
  host: TestService,
  call: Call,
  switchOperation: (operationId: string, on: boolean) => Promise<void>,
): Promise<void> {
  const { clock } = host.service.context;
  const { accountId, token } = await host.account({ planId: 'business' });
  const { conversationId, messageId, postId, commentId, participantId, connection } = await giveInbox(host, accountId);
  // The message was written before the page's reply, by someone whose clock is ahead.
  const ahead = {
    id: 'ahead',
    direction: 'inbound',
    text: 'E?',
    attachments: [],
    status: 'sent',
    createdAt: clock.now() + 12 * 3_600_000,
  } as const;
  await applyMessages(host.service.context, { ...connection, accountId }, { id: participantId }, [ahead]);
  const params = { conversationId, postId, commentId };
  const done = async (operationId: OperationId, options: object = {}) => {
    const response = await call(operationId, { token, params, ...options });
    expect([200, 201], `${operationId} at ${clock.now()}: ${response.text}`).toContain(response.status);
  };
  for (const [operationId, after] of [
    ['listConversations', conversationId],
    ['listMessages', messageId],
    ['listCommentedPosts', postId],
    ['listComments', commentId],
  ] as const) {
    await done(operationId);
    await done(operationId, { query: `after=${after}` });
  }
  await done('listConversations', { query: 'unread=true' });
  for (const [operationId, body] of [
    ['sendMessage', { text: 'Sim!' }],
    ['replyToComment', { text: 'Sim!', commentId }],
  ] as const) {
    const headers = { 'idempotency-key': operationId };
    await done(operationId, { body, headers });
    // The key is only looked up by a repeated request that does not reach its commit.
    await switchOperation(operationId, false);
    await done(operationId, { body, headers });
    await switchOperation(operationId, true);
  }
  await findRevoked(host, accountId, (operationId, body) =>
    call(operationId, { token, params, ...(body && { body }) }),
  );
  await done('markConversationRead');
  for (const operationId of ['hideComment', 'unhideComment', 'likeComment', 'unlikeComment'] as const) {
    await done(operationId);
  }
}
