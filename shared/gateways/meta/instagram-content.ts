/** Parses posts and comments of Instagram accounts, as the Graph API returns them. */
import * as z from 'zod';
import { outsideLine } from '../../platform/outside-text.ts';
import { countField, lineField, outsideId, writtenField } from '../outside-fields.ts';
import type { NetworkComment, NetworkPost, PageAccess } from '../social-network.ts';
import type { CommentPlace } from './comment-place.ts';
import { List } from './graph-client.ts';
import { Moment } from './graph-time.ts';
import { personId } from './meta-conversation.ts';
import { webUrlIn } from './web-url.ts';

const text = z.string().nullish();
const name = lineField.nullish();

const Media = z.object({
  id: outsideId(),
  caption: writtenField.nullish(),
  media_type: text,
  media_url: text,
  thumbnail_url: text,
  permalink: z.string(),
  timestamp: Moment,
  comments_count: countField,
});

export const mediaFields = 'id,caption,media_type,media_url,thumbnail_url,permalink,timestamp,comments_count';

/** Parses a post. Only videos have a separate thumbnail. */
export function postIn(value: unknown, now: number): NetworkPost | undefined {
  const { data } = Media.safeParse(value);
  if (!data) return undefined;
  const { id, caption = null, timestamp, comments_count: commentCount } = data;
  const permalink = webUrlIn(data.permalink);
  if (permalink === null) return undefined;
  const image = data.media_type === 'VIDEO' ? null : data.media_url;
  return {
    id,
    caption,
    thumbnailUrl: webUrlIn(data.thumbnail_url ?? image),
    permalink,
    ...(typeof commentCount === 'number' && { commentCount }),
    createdAt: timestamp.pastBy(now) ?? now,
  };
}

const Comment = z.object({
  id: outsideId(),
  text: writtenField.nullish(),
  timestamp: Moment,
  username: name,
  from: z.object({ id: personId, username: name }).nullish(),
  hidden: z.boolean().nullish(),
  like_count: countField,
  parent_id: outsideId().nullish(),
});

const own = 'id,text,timestamp,username,from,hidden,like_count,parent_id';

export const replyFields = own;
export const commentFields = `${own},replies{${own}}`;

const Replies = z.object({ id: z.string(), replies: List.optional().catch(undefined) });

/** The replies that the API includes in a comment, which are only the first ones. */
export const repliesIn = (value: unknown): z.infer<typeof List> | undefined => Replies.safeParse(value).data?.replies;

/** Parses comments. Whether the page likes a comment is unknown, because the API has no likes by pages. */
export const commentReader =
  (page: Pick<PageAccess, 'pageId' | 'username'>, { postId, parentId = null, now }: CommentPlace) =>
  (value: unknown): NetworkComment | undefined => {
    const { data } = Comment.safeParse(value);
    if (!data) return undefined;
    const { id, from, username } = data;
    const author = from?.username ?? username ?? '';
    return {
      id,
      postId,
      parentId: data.parent_id ?? parentId,
      author: { id: from?.id ?? outsideLine(author, 128), username: author },
      // An author is also compared by user name, because their id may be an app-specific one that differs from the
      // page's.
      isOwn: from?.id === page.pageId || (author !== '' && author === page.username),
      text: data.text ?? '',
      hidden: data.hidden ?? false,
      liked: false,
      likeCount: data.like_count ?? 0,
      createdAt: data.timestamp.pastBy(now) ?? now,
    };
  };
