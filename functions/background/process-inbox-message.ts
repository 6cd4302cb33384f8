import { InboxMessage } from '../../shared/contracts/inbox-messages.ts';
import { attendSocialEvent } from '../../shared/domain/piloto/attend-social-event.ts';
import { connectionStore } from '../../shared/domain/piloto/connection-store.ts';
import { workOnConnection } from '../../shared/domain/piloto/work-on-connection.ts';
import { socialNetwork } from '../../shared/gateways/gateways.ts';
import { inboxQueue } from '../../shared/platform/queue.ts';
import { secretBoxOf } from '../../shared/platform/secret-box.ts';
import { type Consumer, queueLambda } from '../../shared/runtime/queue-lambda.ts';

/** Does the next part of the work on a connection, or applies an event that could not be applied when it arrived. */
export const processInboxMessage: Consumer<typeof InboxMessage, 'inboxQueue' | 'secretBox' | 'socialNetwork'> = async (
  message,
  context,
) => {
  const needs = { ...context, connections: connectionStore(context.table) };
  await (message.kind === 'work' ? workOnConnection(needs, message) : attendSocialEvent(needs, message.event));
};

export const definition = queueLambda('processInboxMessage', InboxMessage, processInboxMessage, {
  inboxQueue,
  secretBox: secretBoxOf,
  socialNetwork,
});
