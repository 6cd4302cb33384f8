/** The port to the social networks of connected pages: reading, writing and events. */
import type { Channel } from '../contracts/channels.ts';

/** The social network that serves a page: Meta itself, or the sandbox that replaces it. */
export type Network = 'meta' | 'sandbox';

/** A page and the token for it. */
export interface PageAccess {
  readonly channel: Channel;
  readonly network: Network;
  readonly pageId: string;
  readonly accessToken: string;
  /** The page's user name, by which its own comments may be recognized; absent where it is not needed. */
  readonly username?: string | null;
  /** Whether a user is waiting, so that the request is not postponed to save rate limits. */
  readonly isAwaited?: boolean;
  /** The signal that aborts when the whole operation must end; each exchange also has its own time limit. */
  readonly deadline?: AbortSignal | undefined;
}

export interface GrantedToken {
  readonly accessToken: string;
  /** When the token expires; undefined if it does not expire, or the social network does not say. */
  readonly expiresAt?: number;
}

/** What the social network says about a token besides its page. */
export interface TokenDetails extends Pick<GrantedToken, 'expiresAt'> {
  /**
   * The id of the user who granted the token, as in a later withdrawal of consent; undefined if the social network does
   * not say.
   */
  readonly userId?: string;
}

/** A page. `userId`: as in the token's details, if the social network returns it with the page. */
export interface PageIdentity extends Pick<TokenDetails, 'userId'> {
  readonly pageId: string;
  readonly name: string;
  readonly username: string | null;
}

/** The request of a user to remove the app or to delete data. */
export interface SignedWithdrawal {
  readonly userId: string;
  /** When the social network issued the request; absent if it does not say. */
  readonly issuedAt?: number;
}

export interface NetworkAttachment {
  readonly type: string;
  readonly url: string;
}

/** All times are in milliseconds of the social network's clock. */
export interface NetworkMessage {
  readonly id: string;
  /** `inbound`: from the participant to the page. */
  readonly direction: 'inbound' | 'outbound';
  readonly text: string | null;
  readonly attachments: readonly NetworkAttachment[];
  readonly status: 'sent' | 'delivered' | 'read' | 'failed';
  readonly createdAt: number;
}

/** The person with whom the page exchanges messages. */
export interface Participant {
  readonly id: string;
  readonly username: string | null;
  readonly name: string | null;
  readonly avatarUrl: string | null;
}

export interface NetworkConversation {
  readonly id: string;
  readonly participant: Participant;
  readonly updatedAt: number;
}

export interface NetworkPost {
  readonly id: string;
  readonly caption: string | null;
  readonly thumbnailUrl: string | null;
  readonly permalink: string;
  /** The number of comments, including replies; absent if the social network does not say. */
  readonly commentCount?: number | undefined;
  readonly createdAt: number;
}

export interface NetworkComment {
  readonly id: string;
  readonly postId: string;
  /** The parent comment's id; null for a comment on the post itself. */
  readonly parentId: string | null;
  readonly author: { readonly id: string; readonly username: string };
  /** Whether the page itself wrote the comment. */
  readonly isOwn: boolean;
  readonly text: string;
  readonly hidden: boolean;
  readonly liked: boolean;
  readonly likeCount: number;
  readonly createdAt: number;
}

/** A chunk of a list; `next` is the cursor of the following chunk, absent in the last one. */
export interface Page<Entry> {
  readonly items: readonly Entry[];
  /** The ids of entries whose details the social network withholds. */
  readonly unreadable: readonly string[];
  readonly next?: string;
}

/** A change of an existing comment; the comment itself is given as it was when the event was sent. */
export interface CommentChange {
  readonly what: 'hidden' | 'text';
  /** The time of the change, in whole seconds of the social network's clock. */
  readonly at: number;
}

interface OfPage {
  readonly channel: Channel;
  readonly pageId: string;
}

/** An event about a page; it may be repeated, late and out of order. */
export type SocialEvent =
  | (OfPage & { readonly kind: 'message'; readonly participantId: string; readonly message: NetworkMessage })
  /** All messages of the page to the participant up to a time have been delivered or read. */
  | (OfPage & {
      readonly kind: 'message-status';
      readonly participantId: string;
      readonly status: 'delivered' | 'read';
      readonly until: number;
    })
  | (OfPage & { readonly kind: 'message-deleted'; readonly participantId: string; readonly messageId: string })
  | (OfPage & { readonly kind: 'comment'; readonly comment: NetworkComment; readonly change?: CommentChange })
  | (OfPage & { readonly kind: 'comment-deleted'; readonly postId: string; readonly commentId: string });

/** A notification request as received. */
export interface SocialNotification {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Why a request failed. After `unknown-outcome` (a write whose response was lost), it may have been executed; after all
 * other reasons, it was not.
 */
export type FaultReason =
  | 'throttled'
  | 'revoked'
  | 'window-closed'
  | 'not-found'
  | 'unsupported'
  | 'rejected'
  | 'unavailable'
  | 'unknown-outcome';

/**
 * A fault of a social network, recognized by its name, because the domain imports only types. The message is for the
 * log.
 */
export class NetworkFault extends Error {
  override readonly name = 'NetworkFault';
  readonly reason: FaultReason;
  readonly retryAfterSeconds: number | undefined;
  constructor(reason: FaultReason, message: string, details: { retryAfterSeconds?: number; cause?: unknown } = {}) {
    super(message, { cause: details.cause });
    this.reason = reason;
    this.retryAfterSeconds = details.retryAfterSeconds;
  }
}

/** Every method throws only {@link NetworkFault}. */
export interface SocialNetwork {
  /** The page that an access token belongs to. */
  page(access: Omit<PageAccess, 'pageId'>): Promise<PageIdentity>;
  tokenDetails(access: Omit<PageAccess, 'pageId'>): Promise<TokenDetails>;
  /**
   * A longer-lasting token, for one that is at least a day old and stays valid until it expires; undefined if the
   * social network does not renew tokens.
   */
  renewToken(access: PageAccess): Promise<GrantedToken | undefined>;
  /** Subscribes to or unsubscribes from the events of a page. */
  subscribe(access: PageAccess): Promise<void>;
  unsubscribe(access: PageAccess): Promise<void>;
  /** All lists are newest first and continue from a cursor. */
  conversations(access: PageAccess, cursor?: string): Promise<Page<NetworkConversation>>;
  /** The conversation with one participant, if it exists. */
  conversationsWith(access: PageAccess, participantId: string, cursor?: string): Promise<Page<NetworkConversation>>;
  /**
   * Fetches a participant's profile, because events contain only ids. Fails with `throttled` early, while much of the
   * rate limits is left.
   */
  participant(access: PageAccess, participantId: string): Promise<Participant>;
  messages(access: PageAccess, conversationId: string, cursor?: string): Promise<Page<NetworkMessage>>;
  posts(access: PageAccess, cursor?: string): Promise<Page<NetworkPost>>;
  /** Lists comments including replies. */
  comments(access: PageAccess, postId: string, cursor?: string): Promise<Page<NetworkComment>>;
  /** The replies to one comment, in any order. */
  replies(
    access: PageAccess,
    to: { readonly postId: string; readonly commentId: string },
    cursor?: string,
  ): Promise<Page<NetworkComment>>;
  sendText(access: PageAccess, recipientId: string, text: string): Promise<{ readonly id: string }>;
  markSeen(access: PageAccess, recipientId: string): Promise<void>;
  /** Writes a comment on a post, or a reply to a comment on it. */
  reply(
    access: PageAccess,
    to: { readonly postId: string; readonly commentId?: string | undefined },
    text: string,
  ): Promise<{ readonly id: string }>;
  setHidden(access: PageAccess, commentId: string, hidden: boolean): Promise<void>;
  /** Likes a comment, or removes the like; `unsupported` if pages cannot like comments on this social network. */
  setLiked(access: PageAccess, commentId: string, liked: boolean): Promise<void>;
  /** Verifies a notification; undefined unless the social network itself sent it. */
  eventsOf(notification: SocialNotification): Promise<readonly SocialEvent[] | undefined>;
  /** The withdrawal in a `signed_request`; undefined unless the social network itself signed it. */
  withdrawalIn(signedRequest: string): Promise<SignedWithdrawal | undefined>;
}
