import { pilotoMessageContracts } from '../../shared/contracts/piloto-messages.ts';
import { markRead } from '../../shared/domain/piloto/conversations/mark-read.ts';
import { accounts, catalog } from '../../shared/domain/store-ports.ts';
import { socialNetwork } from '../../shared/gateways/social-networks.ts';
import { timestamp } from '../../shared/platform/clock.ts';
import { secretBoxOf } from '../../shared/platform/secret-box.ts';
import type { Operation } from '../../shared/runtime/operation-types.ts';
import { sharedLambda } from '../../shared/runtime/shared-lambda.ts';

/** Marks the messages of a conversation as read. */
export const markConversationRead: Operation<
  'markConversationRead',
  'secretBox' | 'socialNetwork' | 'accounts' | 'catalog'
> = async ({ actor, params: { conversationId } }, context) => {
  const readAt = await markRead(context, { accountId: actor.accountId, conversationId });
  return { conversationId, unreadCount: 0, readAt: timestamp(readAt) };
};

export const definition = sharedLambda(pilotoMessageContracts.markConversationRead, markConversationRead, {
  accounts,
  catalog,
  secretBox: secretBoxOf,
  socialNetwork,
});
