import { InboxMessage } from '../../shared/contracts/inbox-messages.ts';
import { fetchParticipantProfile } from '../../shared/domain/piloto/conversations/participant-profile.ts';
import { handleEnqueued } from '../../shared/domain/piloto/handle-or-enqueue.ts';
import { connectionStore } from '../../shared/domain/piloto/pages/connection-store.ts';
import { workOnConnection } from '../../shared/domain/piloto/pages/work-on-connection.ts';
import { socialNetwork } from '../../shared/gateways/social-networks.ts';
import { inboxQueue } from '../../shared/platform/queue.ts';
import { secretBoxOf } from '../../shared/platform/secret-box.ts';
import { type Consumer, queueLambda } from '../../shared/runtime/queue-lambda.ts';

/** Performs the next step that is due for a connection, or applies events that could not be applied on arrival. */
export const processInboxMessage: Consumer<typeof InboxMessage, 'inboxQueue' | 'secretBox' | 'socialNetwork'> = async (
  message,
  context,
) => {
  const needs = { ...context, connections: connectionStore(context.table) };
  switch (message.kind) {
    case 'work':
      return workOnConnection(needs, message);
    case 'participant':
      return fetchParticipantProfile(needs, message);
    default:
      return handleEnqueued(needs, message.events);
  }
};

export const definition = queueLambda('processInboxMessage', InboxMessage, processInboxMessage, {
  inboxQueue,
  secretBox: secretBoxOf,
  socialNetwork,
});
