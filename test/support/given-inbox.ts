/**
 * Creates connected pages of an account, as if it had connected them in the sandbox of social networks, with some
 * messages and comments.
 */
import type { Channel } from '../../shared/contracts/channels.ts';
import { inboxIdOf } from '../../shared/domain/inbox-keys.ts';
import { applyComments, applyPost } from '../../shared/domain/piloto/comments/apply-comments.ts';
import { applyConversation, applyMessages } from '../../shared/domain/piloto/conversations/apply-messages.ts';
import { belongingOf, type Connection } from '../../shared/domain/piloto/pages/connection.ts';
import { connectionStore } from '../../shared/domain/piloto/pages/connection-store.ts';
import { secretBoxOf } from '../../shared/platform/secret-box.ts';
import type { TestService } from './test-service.ts';

export interface GivenInbox {
  readonly connection: Connection;
  /** The ids at the social network. */
  readonly participantId: string;
  readonly postNetworkId: string;
  readonly commentNetworkId: string;
  /** The ids at the service. */
  readonly conversationId: string;
  readonly messageId: string;
  readonly postId: string;
  readonly commentId: string;
}

async function giveConnection(host: TestService, accountId: string, channel: Channel) {
  const { context, social } = host.service;
  const page = social.world.shopOf(accountId).find((one) => one.channel === channel);
  if (!page) throw new Error('the shop has no such page');
  const { id: pageId, name, username } = page;
  const box = secretBoxOf(context);
  const now = context.clock.now();
  const store = connectionStore(context.table);
  const given: Connection = {
    accountId,
    channel,
    network: 'sandbox',
    pageId,
    name,
    username,
    state: 'connected',
    sealedToken: await box.seal(social.world.grant(page), belongingOf({ accountId, channel, pageId })),
    connectedAt: now,
    version: 0,
    // Prevents synchronizations during the test.
    dueAt: now + 365 * 24 * 3_600_000,
  };
  const connection = await store.save(given);
  if (!connection) throw new Error('the account has connected a page already');
  return { page, connection };
}

/** Writes a message and a comment to a page of the account, as a customer. */
export async function giveInbox(
  host: TestService,
  accountId: string,
  channel: Channel = 'facebook',
): Promise<GivenInbox> {
  const { context, social } = host.service;
  const { page: sandboxPage, connection } = await giveConnection(host, accountId, channel);
  const [person] = social.world.people(sandboxPage);
  const [post] = social.world.posts(sandboxPage);
  const [comment] = post ? social.world.comments(post.id) : [];
  if (!person || !post || !comment) throw new Error('the shop is incomplete');
  const page = { accountId, channel, pageId: connection.pageId };
  const at = context.clock.now();
  const message = {
    id: `m-${person.id}`,
    direction: 'inbound',
    text: `Mensagem de ${person.id}`,
    attachments: [],
    status: 'delivered',
    createdAt: at,
  } as const;
  const participant = { id: person.id, username: person.username, name: person.name, avatarUrl: null };
  await applyMessages(context, page, participant, [message]);
  await applyConversation(context, page, { id: `t-${person.id}`, participant, updatedAt: at });
  const details = { caption: post.caption, thumbnailUrl: null, permalink: `https://www.facebook.com/${post.id}` };
  await applyPost(context, page, { id: post.id, ...details, createdAt: at });
  const written = {
    id: comment.id,
    postId: post.id,
    parentId: null,
    author: { id: person.id, username: person.username },
    isOwn: false,
    text: `Comentário de ${person.id}`,
    hidden: false,
    liked: false,
    likeCount: 0,
    createdAt: at,
  };
  await applyComments(context, page, post.id, [written]);
  return {
    connection,
    participantId: person.id,
    postNetworkId: post.id,
    commentNetworkId: comment.id,
    conversationId: inboxIdOf(page, person.id),
    messageId: inboxIdOf(page, message.id),
    postId: inboxIdOf(page, post.id),
    commentId: inboxIdOf(page, comment.id),
  };
}
