import { pilotoMessageContracts } from '../../shared/contracts/piloto-messages.ts';
import { conversationStore } from '../../shared/domain/piloto/conversations/conversation-store.ts';
import { withPages } from '../../shared/domain/piloto/pages/connected-pages.ts';
import { presentConversation } from '../../shared/domain/piloto/present-inbox.ts';
import { readable } from '../../shared/domain/readable-rows.ts';
import { accounts, catalog } from '../../shared/domain/store-ports.ts';
import type { Operation } from '../../shared/runtime/operation-types.ts';
import { sharedLambda } from '../../shared/runtime/shared-lambda.ts';

const contract = pilotoMessageContracts.listConversations;
const kind = {
  kind: 'conversation',
  idOf: ({ conversationId }: { readonly conversationId: string }) => conversationId,
};

/** Lists the conversations of the account's pages, by their newest message. */
export const listConversations: Operation<'listConversations', 'accounts' | 'catalog'> = async (
  { actor, query },
  context,
) => {
  const { unread, limit, offset } = query;
  const filter = { isUnread: unread === 'true' };
  const listing = conversationStore(context.table).list(actor.accountId, filter, { limit, offset });
  const { read } = await withPages(context, contract, actor.accountId, listing);
  return { conversations: readable(context.table, kind, read, presentConversation), limit, offset };
};

export const definition = sharedLambda(contract, listConversations, { accounts, catalog });
