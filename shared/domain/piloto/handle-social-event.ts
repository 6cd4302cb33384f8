/** Handles events of social networks. */
import type { Logger } from '@aws-lambda-powertools/logger';
import type { NetworkComment, SocialEvent } from '../../gateways/social-network.ts';
import type { Queue } from '../../platform/queue.ts';
import type { ServiceMetrics } from '../metrics.ts';
import { applyCommentChange, applyComments, removeComment } from './comments/apply-comments.ts';
import { applyMessageStatus, applyMessages, type CopyNeeds, removeMessage } from './conversations/apply-messages.ts';
import type { OwnedPage } from './conversations/conversation.ts';
import { requestProfile } from './conversations/participant-profile.ts';
import type { ConnectionStore } from './pages/connection-store.ts';

export interface EventNeeds extends CopyNeeds {
  readonly connections: ConnectionStore;
  readonly inboxQueue: Queue;
  readonly logger: Pick<Logger, 'warn'>;
  readonly metrics: ServiceMetrics;
}

/** Applies a message; events contain only the participant's id, so the profile is requested separately. */
async function applyMessage(
  needs: EventNeeds,
  page: OwnedPage,
  { participantId, message }: Extract<SocialEvent, { kind: 'message' }>,
): Promise<void> {
  await applyMessages(needs, page, { id: participantId }, [message]);
  await requestProfile(needs, page, participantId);
}

/**
 * Whether the page itself wrote a comment. In Instagram's events, a page may have an app-specific id, which is that of
 * the user who connected it.
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
      return applyMessage(needs, page, event);
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

/**
 * Handles an event; events may be repeated, late and in any order. An event about a page that is not connected is
 * counted and dropped.
 */
export async function handleSocialEvent(needs: EventNeeds, event: SocialEvent): Promise<void> {
  const { channel, pageId } = event;
  const accountId = await needs.connections.accountOf(channel, pageId);
  if (accountId === undefined) return needs.metrics.record({ SocialEventsIgnored: 1 });
  await apply(needs, { accountId, channel, pageId }, event);
}
