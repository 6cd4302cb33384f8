/** Parses posts and comments of Facebook pages, as the Graph API returns them. */
import * as z from 'zod';
import { countField, lineField, outsideId, writtenField } from '../outside-fields.ts';
import type { NetworkComment, NetworkPost } from '../social-network.ts';
import type { CommentPlace } from './comment-place.ts';
import { Moment } from './graph-time.ts';
import { personId } from './meta-conversation.ts';
import { webUrlIn } from './web-url.ts';

const text = z.string().nullish();

const Post = z.object({
  id: outsideId(),
  message: writtenField.nullish(),
  full_picture: text,
  permalink_url: z.string(),
  created_time: Moment,
  comments: z
    .object({ summary: z.object({ total_count: z.int().min(0).max(1_000_000_000) }) })
    .optional()
    .catch(undefined),
});

/** The `stream` filter includes replies in the count. */
const commentCount = 'comments.filter(stream).limit(0).summary(true)';

export const postFields = `id,message,full_picture,permalink_url,created_time,${commentCount}`;

export function postIn(value: unknown, now: number): NetworkPost | undefined {
  const { data } = Post.safeParse(value);
  if (!data) return undefined;
  const { id, message, full_picture: picture, created_time: claimed, comments } = data;
  const permalink = webUrlIn(data.permalink_url);
  if (permalink === null) return undefined;
  return {
    id,
    caption: message ?? null,
    thumbnailUrl: webUrlIn(picture),
    permalink,
    ...(comments && { commentCount: comments.summary.total_count }),
    createdAt: claimed.pastBy(now) ?? now,
  };
}

const Comment = z.object({
  id: outsideId(),
  message: writtenField.nullish(),
  created_time: Moment,
  /** The author is missing if the page may not see them. */
  from: z.object({ id: personId, name: lineField.nullish() }).nullish(),
  parent: z.object({ id: outsideId() }).nullish(),
  is_hidden: z.boolean().nullish(),
  user_likes: z.boolean().nullish(),
  like_count: countField,
});

export const commentFields = 'id,message,created_time,from,parent,is_hidden,user_likes,like_count';

export const commentReader =
  (pageId: string, { postId, parentId = null, now }: CommentPlace) =>
  (value: unknown): NetworkComment | undefined => {
    const { data } = Comment.safeParse(value);
    if (!data) return undefined;
    return {
      id: data.id,
      postId,
      parentId: data.parent?.id ?? parentId,
      author: { id: data.from?.id ?? '', username: data.from?.name ?? '' },
      isOwn: data.from?.id === pageId,
      text: data.message ?? '',
      hidden: data.is_hidden ?? false,
      liked: data.user_likes ?? false,
      likeCount: data.like_count ?? 0,
      createdAt: data.created_time.pastBy(now) ?? now,
    };
  };
