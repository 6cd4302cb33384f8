/** Posts and comments of an Instagram account as the Graph API describes them. */
import * as z from 'zod';
import type { NetworkComment, NetworkPost, PageAccess } from '../social-network.ts';
import { List } from './graph-client.ts';
import { Moment } from './graph-time.ts';
import { webUrlIn } from './web-url.ts';

const text = z.string().nullish();

const Media = z.object({
  id: z.string().min(1),
  caption: text,
  media_type: text,
  media_url: text,
  thumbnail_url: text,
  permalink: z.string(),
  timestamp: Moment,
  comments_count: z.int().optional().catch(undefined),
});

export const mediaFields = 'id,caption,media_type,media_url,thumbnail_url,permalink,timestamp,comments_count';

/** Only videos have a thumbnail; images are their own. */
export function postIn(value: unknown): NetworkPost | undefined {
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
    ...(commentCount !== undefined && { commentCount }),
    createdAt: timestamp,
  };
}

const Comment = z.object({
  id: z.string().min(1),
  text: z.string().nullish(),
  timestamp: Moment,
  username: text,
  from: z.object({ id: z.string().min(1), username: text }).nullish(),
  hidden: z.boolean().nullish(),
  like_count: z.int().nullish(),
  parent_id: text,
});

const own = 'id,text,timestamp,username,from,hidden,like_count,parent_id';

export const replyFields = own;
export const commentFields = `${own},replies{${own}}`;

const Replies = z.object({ id: z.string(), replies: List.optional().catch(undefined) });

/** The first replies to a comment, which come with it. */
export const repliesIn = (value: unknown): z.infer<typeof List> | undefined => Replies.safeParse(value).data?.replies;

/** Which comments a page likes is unknown: the API has no likes by pages. */
export const commentReader =
  (page: Pick<PageAccess, 'pageId' | 'username'>, postId: string, parentId: string | null = null) =>
  (value: unknown): NetworkComment | undefined => {
    const { data } = Comment.safeParse(value);
    if (!data) return undefined;
    const { id, from, username } = data;
    const name = from?.username ?? username ?? '';
    return {
      id,
      postId,
      parentId: data.parent_id ?? parentId,
      author: { id: from?.id ?? name, username: name },
      // The id of an author may be one of the app's own kind, which is not that of the page.
      isOwn: from?.id === page.pageId || (name !== '' && name === page.username),
      text: data.text ?? '',
      hidden: data.hidden ?? false,
      liked: false,
      likeCount: data.like_count ?? 0,
      createdAt: data.timestamp,
    };
  };
