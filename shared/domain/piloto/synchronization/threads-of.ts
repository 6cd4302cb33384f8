/** Defines how a synchronization reads, stores and removes messages of conversations and comments on posts. */
import type { NetworkComment, NetworkMessage, PageAccess, SocialNetwork } from '../../../gateways/social-network.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Table } from '../../../platform/dynamo-table.ts';
import { conversationKey, inboxIdOf, postKey } from '../../inbox-keys.ts';
import { applyComments, removeComment } from '../comments/apply-comments.ts';
import { postStore } from '../comments/post-store.ts';
import { applyMessages, removeMessage } from '../conversations/apply-messages.ts';
import type { OwnedPage } from '../conversations/conversation.ts';
import { conversationStore } from '../conversations/conversation-store.ts';
import type { Thread } from './copy-thread.ts';

interface Needs {
  readonly clock: Clock;
  readonly socialNetwork: SocialNetwork;
  readonly table: Table;
}

interface OfPage {
  readonly access: PageAccess;
  readonly connection: OwnedPage;
}

/** The messages of a conversation, found by the social network's ids of the conversation and of its participant. */
export function messagesOf(
  needs: Needs,
  { access, connection }: OfPage,
  { networkId, participantId }: { readonly networkId: string; readonly participantId: string },
): Thread<NetworkMessage> {
  const { accountId } = connection;
  const conversationId = inboxIdOf(connection, participantId);
  return {
    pk: conversationKey(accountId, conversationId).pk,
    list: (cursor) => needs.socialNetwork.messages(access, networkId, cursor),
    apply: (messages, reading) => applyMessages(needs, connection, { id: participantId }, messages, reading),
    idOf: (id) => inboxIdOf(connection, id),
    async remove(ids, storedBefore) {
      for (const one of await conversationStore(needs.table).messages(accountId, conversationId, ids)) {
        const removed = { participantId, messageId: one.networkId };
        await removeMessage(needs, connection, removed, { storedBefore });
      }
    },
    isInOrder: true,
  };
}

/** The comments on a post, found by the social network's id of the post. */
export function commentsOf(
  needs: Needs,
  { access, connection }: OfPage,
  { networkId }: { readonly networkId: string },
): Thread<NetworkComment> {
  const { accountId } = connection;
  const postId = inboxIdOf(connection, networkId);
  return {
    pk: postKey(accountId, postId).pk,
    list: (cursor) => needs.socialNetwork.comments(access, networkId, cursor),
    apply: (comments, reading) => applyComments(needs, connection, networkId, comments, reading),
    idOf: (id) => inboxIdOf(connection, id),
    async remove(ids, storedBefore) {
      for (const one of await postStore(needs.table).comments(accountId, postId, ids)) {
        const removed = { postId: networkId, commentId: one.networkId };
        await removeComment(needs, connection, removed, { storedBefore });
      }
    },
    isInOrder: false,
  };
}
