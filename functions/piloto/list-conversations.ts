import { pilotoMessageContracts } from '../../shared/contracts/piloto-messages.ts';
import { pageFromPlace } from '../../shared/domain/list-page.ts';
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
  { actor: { accountId }, query, fail },
  context,
) => {
  const { unread, limit, offset } = query;
  const store = conversationStore(context.table);
  const listing = pageFromPlace(
    query,
    (id) => store.place(accountId, id),
    (range) => store.list(accountId, { isUnread: unread === 'true' }, range),
  );
  const { read } = await withPages(context, contract, accountId, listing);
  if (!read) return fail('VALIDATION_ERROR', { message: 'after must be the id of a conversation of the account' });
  return { conversations: readable(context.table, kind, read, presentConversation), limit, offset };
};

export const definition = sharedLambda(contract, listConversations, { accounts, catalog });
