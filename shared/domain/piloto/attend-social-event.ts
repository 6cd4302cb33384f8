/** What is done about an event of a social network, and with one that cannot be applied at once. */
import type { Logger } from '@aws-lambda-powertools/logger';
import type { NetworkComment, SocialEvent } from '../../gateways/social-network.ts';
import type { Queue } from '../../platform/queue.ts';
import type { ServiceMetrics } from '../metrics.ts';
import { Rejection } from '../rejection.ts';
import { applyCommentChange, applyComments, removeComment } from './apply-comments.ts';
import { applyMessageStatus, applyMessages, type CopyNeeds, removeMessage } from './apply-messages.ts';
import type { ConnectionStore } from './connection-store.ts';
import type { OwnedPage } from './conversation.ts';

export interface EventNeeds extends CopyNeeds {
  readonly connections: ConnectionStore;
  readonly metrics: ServiceMetrics;
}

/**
 * Whether the page itself wrote a comment. Instagram may name a page by an id of the app's own kind in its events, which
 * is that of who has connected it.
 */
async function isOwnComment({ connections }: EventNeeds, page: OwnedPage, comment: NetworkComment): Promise<boolean> {
  if (comment.isOwn || page.channel !== 'instagram') return comment.isOwn;
  const { userId, username } = (await connections.find(page)) ?? {};
  const { author } = comment;
  return author.id === userId || (author.username !== '' && author.username === username);
}

async function applyComment(
  needs: EventNeeds,
  page: OwnedPage,
  { comment: reported, change }: Extract<SocialEvent, { kind: 'comment' }>,
): Promise<void> {
  const comment = { ...reported, isOwn: await isOwnComment(needs, page, reported) };
  if (change) await applyCommentChange(needs, page, comment, change);
  else await applyComments(needs, page, comment.postId, [comment]);
}

function apply(needs: EventNeeds, page: OwnedPage, event: SocialEvent): Promise<void> {
  switch (event.kind) {
    case 'message':
      return applyMessages(needs, page, { id: event.participantId }, [event.message]);
    case 'message-status':
      return applyMessageStatus(needs, page, event);
    case 'message-deleted':
      return removeMessage(needs, page, event);
    case 'comment':
      return applyComment(needs, page, event);
    default:
      return removeComment(needs, page, event);
  }
}

/** Events may be repeated, late and in any order. An event about a page that is not connected is counted and dropped. */
export async function attendSocialEvent(needs: EventNeeds, event: SocialEvent): Promise<void> {
  const { channel, pageId } = event;
  const accountId = await needs.connections.accountOf(channel, pageId);
  if (accountId === undefined) return needs.metrics.record({ SocialEventsIgnored: 1 });
  await apply(needs, { accountId, channel, pageId }, event);
}

interface ReceiveNeeds extends EventNeeds {
  readonly inboxQueue: Queue;
  readonly logger: Pick<Logger, 'warn'>;
}

/** After which the network may repeat events. */
const retryAfterSeconds = 60;

async function attendOne(needs: ReceiveNeeds, event: SocialEvent): Promise<void> {
  try {
    await attendSocialEvent(needs, event);
  } catch (error) {
    const { kind, channel, pageId } = event;
    needs.logger.warn('social event enqueued', { kind, channel, pageId, error: error as Error });
    await needs.inboxQueue.send({ kind: 'event', event }, { delaySeconds: 5, group: pageId });
  }
}

/**
 * Applies events, one after the other; one that cannot be applied now is put into the queue. Either way their sender is
 * done with them. @throws {Rejection} engine-unavailable, if the queue does not take them either
 */
export async function attendOrEnqueue(needs: ReceiveNeeds, events: readonly SocialEvent[]): Promise<void> {
  for (const event of events)
    await attendOne(needs, event).catch((error: unknown) => {
      throw new Rejection('engine-unavailable', { retryAfterSeconds, internal: `not enqueued: ${String(error)}` });
    });
}
