/** Marks what an account has seen of a conversation as read. */
import type { Table } from '../../platform/dynamo-table.ts';
import type { Conversation } from './conversation.ts';
import { conversationStore, saveConversation } from './conversation-store.ts';
import { writeUnlessChanged } from './write-unless-changed.ts';

/**
 * Everything in the copy is read; a message that arrives later is not, however old it is then. Undefined if there is no
 * such conversation.
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
