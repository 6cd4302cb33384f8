/** Parses events about comments, which differ between the two channels. */
import * as z from 'zod';
import type { Channel } from '../../contracts/channels.ts';
import { lineField, outsideId, writtenField } from '../outside-fields.ts';
import type { SocialEvent } from '../social-network.ts';
import { EventTime } from './graph-time.ts';
import { personId } from './meta-conversation.ts';

/** The event's time, if plausible, and the time at which it was received. */
interface Times {
  readonly time: number;
  readonly now: number;
}

const id = outsideId();
const From = { id: personId };

const InstagramChange = z.object({
  field: z.enum(['comments', 'live_comments']),
  value: z.object({
    id,
    text: writtenField.nullish(),
    from: z.object({ ...From, username: lineField.nullish() }),
    media: z.object({ id }),
    parent_id: id.nullish(),
  }),
});

const FacebookChange = z.object({
  field: z.literal('feed'),
  value: z.object({
    item: z.literal('comment'),
    verb: z.enum(['add', 'edit', 'edited', 'hide', 'unhide', 'remove']),
    comment_id: id,
    post_id: id,
    /** The id of the post, if the comment is on the post itself. */
    parent_id: id.nullish(),
    from: z.object({ ...From, name: lineField.nullish() }).nullish(),
    message: writtenField.nullish(),
    created_time: EventTime.optional(),
  }),
});

/** Parses an event of Instagram. The event's time serves as the comment's, because it is sent within seconds. */
function instagramEvent(pageId: string, change: unknown, time: number): SocialEvent | undefined {
  const { value } = InstagramChange.safeParse(change).data ?? {};
  if (!value) return undefined;
  const comment = {
    id: value.id,
    postId: value.media.id,
    parentId: value.parent_id ?? null,
    author: { id: value.from.id, username: value.from.username ?? '' },
    isOwn: value.from.id === pageId,
    text: value.text ?? '',
    hidden: false,
    liked: false,
    likeCount: 0,
    createdAt: time,
  };
  return { kind: 'comment', channel: 'instagram', pageId, comment };
}

const changedBy = { edit: 'text', edited: 'text', hide: 'hidden', unhide: 'hidden' } as const;

function facebookEvent(pageId: string, change: unknown, { time, now }: Times): SocialEvent | undefined {
  const { value } = FacebookChange.safeParse(change).data ?? {};
  if (!value) return undefined;
  const { comment_id: commentId, post_id: postId, parent_id: parentId = null, from, verb } = value;
  const about = { channel: 'facebook', pageId } as const;
  if (verb === 'remove') return { kind: 'comment-deleted', ...about, postId, commentId };
  const what = verb === 'add' ? undefined : changedBy[verb];
  // Facebook does not always include the edited text; such an event is ignored.
  if (what === 'text' && typeof value.message !== 'string') return undefined;
  const comment = {
    id: commentId,
    postId,
    parentId: parentId === postId ? null : parentId,
    author: { id: from?.id ?? '', username: from?.name ?? '' },
    isOwn: from?.id === pageId,
    text: value.message ?? '',
    hidden: verb === 'hide',
    liked: false,
    likeCount: 0,
    createdAt: value.created_time?.pastBy(now) ?? time,
  };
  // A comment's own time is when it was written, not when it changed, so the change has the event's time.
  const since = what && { change: { what, at: time } };
  return { kind: 'comment', ...about, comment, ...since };
}

/** Parses an event; undefined if it is not about a comment. */
export const commentEvent = (
  channel: Channel,
  pageId: string,
  change: unknown,
  times: Times,
): SocialEvent | undefined =>
  channel === 'instagram' ? instagramEvent(pageId, change, times.time) : facebookEvent(pageId, change, times);
