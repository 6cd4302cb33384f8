/** The differences between the two channels: paths, fields, and operations on comments. */
import type { Channel } from '../../contracts/channels.ts';
import { type NetworkComment, NetworkFault, type NetworkPost, type PageAccess } from '../social-network.ts';
import type { CommentPlace } from './comment-place.ts';
import * as facebook from './facebook-content.ts';
import type { GraphRequest } from './graph-client.ts';
import * as instagram from './instagram-content.ts';

/** The path of an object. Ids are encoded, because those in events may come from untrusted parties. */
export const node = (id: string): string => `/${encodeURIComponent(id)}`;

interface Flavor {
  /** The value of `platform` in requests for conversations. */
  readonly platform: string;
  readonly pageFields: string;
  readonly subscribedFields: string;
  readonly posts: {
    readonly path: string;
    readonly fields: string;
    readonly read: (value: unknown, now: number) => NetworkPost | undefined;
  };
  /** Fields that every message needs in addition to its text. */
  readonly messaging: Readonly<Record<string, string>>;
  readonly replyPath: (to: { readonly postId: string; readonly commentId?: string | undefined }) => string;
  /** The request for the replies to a comment. */
  readonly replies: {
    readonly path: string;
    readonly fields: string;
    readonly reader: (page: PageAccess, place: CommentPlace) => (value: unknown) => NetworkComment | undefined;
  };
  readonly hideField: string;
  /** The request that likes a comment. @throws {NetworkFault} */
  readonly like: (commentId: string, liked: boolean) => GraphRequest;
}

const flavors: Readonly<Record<Channel, Flavor>> = {
  instagram: {
    platform: 'instagram',
    pageFields: 'id,user_id,username,name',
    subscribedFields: 'messages,messaging_seen,comments,live_comments',
    posts: { path: '/me/media', fields: instagram.mediaFields, read: instagram.postIn },
    messaging: {},
    replyPath: ({ postId, commentId }) =>
      commentId === undefined ? `${node(postId)}/comments` : `${node(commentId)}/replies`,
    replies: { path: 'replies', fields: instagram.replyFields, reader: instagram.commentReader },
    hideField: 'hide',
    like() {
      throw new NetworkFault('unsupported', 'Instagram does not let pages like comments');
    },
  },
  facebook: {
    platform: 'messenger',
    pageFields: 'id,username,name',
    subscribedFields: 'messages,message_deliveries,message_reads,feed',
    posts: { path: '/me/published_posts', fields: facebook.postFields, read: facebook.postIn },
    messaging: { messaging_type: 'RESPONSE' },
    replyPath: ({ postId, commentId }) => `${node(commentId ?? postId)}/comments`,
    replies: {
      path: 'comments',
      fields: facebook.commentFields,
      reader: ({ pageId }, place) => facebook.commentReader(pageId, place),
    },
    hideField: 'is_hidden',
    like: (commentId, liked) => ({ method: liked ? 'POST' : 'DELETE', path: `${node(commentId)}/likes` }),
  },
};

export const flavorOf = ({ channel }: Pick<PageAccess, 'channel'>): Flavor => flavors[channel];
