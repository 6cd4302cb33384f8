/** Lists the comments on an Instagram post with all replies, using one request per chunk. */
import * as z from 'zod';
import { jsonIn } from '../../platform/json-in.ts';
import { type NetworkComment, NetworkFault, type Page, type PageAccess } from '../social-network.ts';
import { cursorIn, type GraphClient, readEach } from './graph-client.ts';
import { commentFields, commentReader, repliesIn, replyFields } from './instagram-content.ts';
import { node } from './page-flavor.ts';

/**
 * The cursor of a list: first the remaining replies to the comments of a chunk, each with its own cursor, then further
 * comments.
 */
const Place = z.object({
  replies: z.array(z.tuple([z.string(), z.string()])),
  after: z.string().optional(),
});

type Place = z.infer<typeof Place>;

function placeIn(cursor: string | undefined): Place {
  if (cursor === undefined) return { replies: [] };
  const { data } = Place.safeParse(jsonIn(cursor));
  if (!data) throw new NetworkFault('rejected', 'the cursor does not belong to a list of comments');
  return data;
}

const cursorOf = ({ replies, after }: Place): { readonly next?: string } =>
  replies.length === 0 && after === undefined ? {} : { next: JSON.stringify({ replies, after }) };

type Entries = Pick<Page<NetworkComment>, 'items' | 'unreadable'>;

interface Part extends Entries {
  /** The comments that have further replies. */
  readonly left: Place['replies'];
}

/** Adds the replies that a comment includes, which are only the first ones. */
function withReplies(
  page: PageAccess,
  now: number,
  { comment, value }: { readonly comment: NetworkComment; readonly value: unknown },
): Part {
  const replies = repliesIn(value);
  if (!replies) return { items: [comment], unreadable: [], left: [] };
  const { items, unreadable } = readEach(
    replies.data,
    commentReader(page, { postId: comment.postId, parentId: comment.id, now }),
  );
  const cursor = cursorIn(replies);
  return { items: [comment, ...items], unreadable, left: cursor === undefined ? [] : [[comment.id, cursor]] };
}

/** One chunk of the replies to a comment; empty if the comment no longer exists. */
async function repliesTo(
  client: GraphClient,
  access: PageAccess,
  { postId, commentId, cursor, limit }: { postId: string; commentId: string; cursor: string; limit: string },
): Promise<Page<NetworkComment>> {
  const request = { path: `${node(commentId)}/replies`, query: { fields: replyFields, limit } };
  try {
    return await client.list(
      access,
      request,
      cursor,
      commentReader(access, { postId, parentId: commentId, now: client.now() }),
    );
  } catch (error) {
    if (error instanceof NetworkFault && error.reason === 'not-found') return { items: [], unreadable: [] };
    throw error;
  }
}

/** Lists one chunk of comments. @throws {NetworkFault} */
export async function instagramComments(
  client: GraphClient,
  access: PageAccess,
  { postId, cursor, limit }: { readonly postId: string; readonly cursor: string | undefined; readonly limit: string },
): Promise<Page<NetworkComment>> {
  const { replies, after } = placeIn(cursor);
  const [[commentId, repliesAfter] = [], ...others] = replies;
  if (commentId !== undefined && repliesAfter !== undefined) {
    const asked = { postId, commentId, cursor: repliesAfter, limit };
    const { next, ...entries } = await repliesTo(client, access, asked);
    const left: Place['replies'] = next === undefined ? others : [[commentId, next], ...others];
    return { ...entries, ...cursorOf({ replies: left, after }) };
  }
  const now = client.now();
  const readOne = commentReader(access, { postId, now });
  const read = (value: unknown) => {
    const comment = readOne(value);
    return comment && { comment, value };
  };
  const request = { path: `${node(postId)}/comments`, query: { fields: commentFields, limit } };
  const found = await client.list(access, request, after, read);
  const parts = found.items.map((one) => withReplies(access, now, one));
  return {
    items: parts.flatMap(({ items }) => items),
    unreadable: [...found.unreadable, ...parts.flatMap(({ unreadable }) => unreadable)],
    ...cursorOf({ replies: parts.flatMap(({ left }) => left), after: found.next }),
  };
}
