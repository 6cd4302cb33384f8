/** Marks a conversation as read. */
import { pilotoMessageContracts } from '../../../contracts/piloto-messages.ts';
import type { Table } from '../../../platform/dynamo-table.ts';
import { Rejection } from '../../rejection.ts';
import { isNetworkFault } from '../network-fault.ts';
import { withPages, writableConnection } from '../pages/connected-pages.ts';
import type { Connection } from '../pages/connection.ts';
import { writeToNetwork } from '../write-to-network.ts';
import { writeUnlessChanged } from '../write-unless-changed.ts';
import type { Conversation } from './conversation.ts';
import { conversationStore, saveConversation } from './conversation-store.ts';
import type { WriteNeeds } from './send-message.ts';

/**
 * Marks everything in the copy as read. A message written later is unread; an older one that arrives late is not.
 * Returns undefined if the conversation does not exist.
 */
export const recordRead = (
  table: Table,
  { accountId, conversationId, readAt }: { accountId: string; conversationId: string; readAt: number },
): Promise<Conversation | undefined> =>
  writeUnlessChanged(table, async () => {
    const known = await conversationStore(table).find(accountId, conversationId);
    if (!known || known.unreadCount === 0) return { actions: [], result: known };
    const readUntil = Math.max(known.readUntil, known.lastMessage?.createdAt ?? 0);
    const next = { ...known, readUntil, unreadCount: 0, readAt };
    return { actions: [saveConversation(next)], result: next };
  });

type Needs = Omit<WriteNeeds, 'ids' | 'pause'>;

/** Faults that are ignored, because they only keep the participant from seeing a read receipt. */
const harmless = new Set(['window-closed', 'not-found', 'unsupported', 'rejected', 'unknown-outcome']);

function showToParticipant(needs: Needs, connection: Connection, { participant }: Conversation): Promise<void> {
  const asked = { field: 'text', action: 'read messages' } as const;
  return writeToNetwork(needs, connection, asked, (access) =>
    needs.socialNetwork.markSeen(access, participant.id).catch((error: unknown) => {
      if (!isNetworkFault(error) || !harmless.has(error.reason)) throw error;
    }),
  );
}

/**
 * Marks a conversation as read, and returns when. @throws {Rejection} switched-off, forbidden, not-found,
 * dependency-unavailable
 */
export async function markRead(
  needs: Needs,
  { accountId, conversationId }: Pick<Conversation, 'accountId' | 'conversationId'>,
) {
  const contract = pilotoMessageContracts.markConversationRead;
  const reading = conversationStore(needs.table).find(accountId, conversationId);
  const { connections, read: conversation } = await withPages(needs, contract, accountId, reading);
  if (!conversation) throw new Rejection('not-found');
  const connection = writableConnection(connections, conversation);
  const now = needs.clock.now();
  if (conversation.unreadCount === 0) return conversation.readAt ?? now;
  await showToParticipant(needs, connection, conversation);
  const marked = await recordRead(needs.table, { accountId, conversationId, readAt: now });
  return marked?.readAt ?? now;
}
