import { handleOrEnqueue } from '../../shared/domain/piloto/handle-or-enqueue.ts';
import { connectionStore } from '../../shared/domain/piloto/pages/connection-store.ts';
import { wrongSignature } from '../../shared/domain/rejection.ts';
import type { SocialEvent } from '../../shared/gateways/social-network.ts';
import { socialNetwork } from '../../shared/gateways/social-networks.ts';
import { inboxQueue } from '../../shared/platform/queue.ts';
import { type Inbound, inboundLambda } from '../../shared/runtime/inbound-lambda.ts';

/** Receives events about connected pages. Events that cannot be applied at once are enqueued. */
export const receiveSocialEvent: Inbound<readonly SocialEvent[], 'inboxQueue' | 'socialNetwork'> = {
  async verify({ headers, body }, { metrics, socialNetwork: network }) {
    const events = await network.eventsOf({ headers, body });
    if (events) return { sender: 'meta', message: events };
    metrics.record({ SocialEventsRejected: 1 });
    throw wrongSignature();
  },

  receive: (events, context) => handleOrEnqueue({ ...context, connections: connectionStore(context.table) }, events),
};

export const definition = inboundLambda('receiveSocialEvent', receiveSocialEvent, { inboxQueue, socialNetwork });
