import { pilotoMessageContracts } from '../../shared/contracts/piloto-messages.ts';
import { pageFromPlace } from '../../shared/domain/list-page.ts';
import { conversationStore } from '../../shared/domain/piloto/conversations/conversation-store.ts';
import { withPages } from '../../shared/domain/piloto/pages/connected-pages.ts';
import { presentMessage } from '../../shared/domain/piloto/present-inbox.ts';
import { readable } from '../../shared/domain/readable-rows.ts';
import { accounts, catalog } from '../../shared/domain/store-ports.ts';
import type { Operation } from '../../shared/runtime/operation-types.ts';
import { sharedLambda } from '../../shared/runtime/shared-lambda.ts';

const contract = pilotoMessageContracts.listMessages;
const kind = { kind: 'message', idOf: ({ messageId }: { readonly messageId: string }) => messageId };

/** Lists the messages of a conversation, newest first. */
export const listMessages: Operation<'listMessages', 'accounts' | 'catalog'> = async (
  { actor, params, query, fail },
  context,
) => {
  const { accountId } = actor;
  const { conversationId } = params;
  const { limit, offset } = query;
  const store = conversationStore(context.table);
  const listing = pageFromPlace(
    query,
    (id) => store.messagePlace(accountId, conversationId, id),
    (range) => store.messageIds(accountId, conversationId, range),
  );
  const reading = Promise.all([store.find(accountId, conversationId), listing]);
  const { read } = await withPages(context, contract, accountId, reading);
  const [conversation, ids] = read;
  if (!conversation) return fail('NOT_FOUND');
  if (!ids) return fail('VALIDATION_ERROR', { message: 'after must be the id of a message of the conversation' });
  const messages = await store.messages(accountId, conversationId, ids);
  return {
    conversationId,
    messages: readable(context.table, kind, messages, (message) => presentMessage(message, conversation)),
    limit,
    offset,
  };
};

export const definition = sharedLambda(contract, listMessages, { accounts, catalog });
