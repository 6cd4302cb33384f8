/** The port to the social networks of connected pages: what the service reads and does there, and what is reported of it. */
import type { Channel } from '../contracts/channels.ts';

/** Who answers for a page: Meta itself, or the sandbox that stands in for it. */
export type Network = 'meta' | 'sandbox';

/** A page, and what lets the service act for it. */
export interface PageAccess {
  readonly channel: Channel;
  readonly network: Network;
  readonly pageId: string;
  readonly accessToken: string;
  /** By which the page's own comments may be known; absent where it is of no use. */
  readonly username?: string | null;
  /** Somebody waits: what is asked for is not put off to save the rate limits. */
  readonly isAwaited?: boolean;
  /** Aborted when everything must have ended; each exchange has a time limit of its own besides. */
  readonly deadline?: AbortSignal | undefined;
}

export interface GrantedToken {
  readonly accessToken: string;
  /** Undefined if it does not expire, or the network does not say when. */
  readonly expiresAt?: number;
}

/** What the network tells of a token besides its page. */
export interface TokenDetails extends Pick<GrantedToken, 'expiresAt'> {
  /** By which id it names whoever granted the token when they withdraw their consent; undefined if it does not say. */
  readonly userId?: string;
}

/** `userId`: as in the details of its token, if the network says it with the page. */
export interface PageIdentity extends Pick<TokenDetails, 'userId'> {
  readonly pageId: string;
  readonly name: string;
  readonly username: string | null;
}

export interface NetworkAttachment {
  readonly type: string;
  readonly url: string;
}

/** All times are milliseconds of the network's clock. */
export interface NetworkMessage {
  readonly id: string;
  /** `inbound`: from the participant to the page. */
  readonly direction: 'inbound' | 'outbound';
  readonly text: string | null;
  readonly attachments: readonly NetworkAttachment[];
  readonly status: 'sent' | 'delivered' | 'read' | 'failed';
  readonly createdAt: number;
}

/** Who writes with the page. */
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
  /** With replies; absent if the network does not say. */
  readonly commentCount?: number | undefined;
  readonly createdAt: number;
}

export interface NetworkComment {
  readonly id: string;
  readonly postId: string;
  /** Null for a comment on the post itself. */
  readonly parentId: string | null;
  readonly author: { readonly id: string; readonly username: string };
  /** Whether the page itself wrote it. */
  readonly isOwn: boolean;
  readonly text: string;
  readonly hidden: boolean;
  readonly liked: boolean;
  readonly likeCount: number;
  readonly createdAt: number;
}

/** A part of a list; `next` is the cursor of the following part, absent from the last one. */
export interface Page<Entry> {
  readonly items: readonly Entry[];
  /** The ids of entries that the network has, but tells too little of to be items. */
  readonly unreadable: readonly string[];
  readonly next?: string;
}

/** What has changed about a comment that was written before; the comment is as it was then. */
export interface CommentChange {
  readonly what: 'hidden' | 'text';
  /** In whole seconds of the network's clock. */
  readonly at: number;
}

interface OfPage {
  readonly channel: Channel;
  readonly pageId: string;
}

/** What happened to a page; it may be reported twice, late and in any order. */
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

/** A request from the network as it arrived. */
export interface SocialNotification {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Why the network did not do what it was asked for. After `unknown-outcome` (a write whose response was lost) it may
 * have been done; after every other reason nothing was.
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

/** The domain recognizes it by its name. The message is for the log. */
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

/** Every method throws a {@link NetworkFault} and nothing else. */
export interface SocialNetwork {
  /** The page that the access token belongs to. */
  page(access: Omit<PageAccess, 'pageId'>): Promise<PageIdentity>;
  tokenDetails(access: Omit<PageAccess, 'pageId'>): Promise<TokenDetails>;
  /**
   * A token that lasts longer, for one that is a day old at least and stays valid until its end; undefined if the network
   * renews none.
   */
  renewToken(access: PageAccess): Promise<GrantedToken | undefined>;
  /** Asks for the events of a page, or no longer. */
  subscribe(access: PageAccess): Promise<void>;
  unsubscribe(access: PageAccess): Promise<void>;
  /** All lists: newest first, from a cursor on. */
  conversations(access: PageAccess, cursor?: string): Promise<Page<NetworkConversation>>;
  /** That with one participant, or none. */
  conversationsWith(access: PageAccess, participantId: string, cursor?: string): Promise<Page<NetworkConversation>>;
  /**
   * What the network tells of somebody who has written to the page: events name nobody. `throttled` already while much of
   * the rate limits is left.
   */
  participant(access: PageAccess, participantId: string): Promise<Participant>;
  messages(access: PageAccess, conversationId: string, cursor?: string): Promise<Page<NetworkMessage>>;
  posts(access: PageAccess, cursor?: string): Promise<Page<NetworkPost>>;
  /** With the replies. */
  comments(access: PageAccess, postId: string, cursor?: string): Promise<Page<NetworkComment>>;
  /** Those to one comment, in any order. */
  replies(
    access: PageAccess,
    to: { readonly postId: string; readonly commentId: string },
    cursor?: string,
  ): Promise<Page<NetworkComment>>;
  sendText(access: PageAccess, recipientId: string, text: string): Promise<{ readonly id: string }>;
  markSeen(access: PageAccess, recipientId: string): Promise<void>;
  /** Comments on a post, or replies to a comment on it. */
  reply(
    access: PageAccess,
    to: { readonly postId: string; readonly commentId?: string | undefined },
    text: string,
  ): Promise<{ readonly id: string }>;
  setHidden(access: PageAccess, commentId: string, hidden: boolean): Promise<void>;
  /** `unsupported` where the network has no likes of comments by pages. */
  setLiked(access: PageAccess, commentId: string, liked: boolean): Promise<void>;
  /** Undefined unless the network itself has sent it. */
  eventsOf(notification: SocialNotification): Promise<readonly SocialEvent[] | undefined>;
  /** Whom a `signed_request` is about; undefined unless the network itself has signed it. */
  signedUser(signedRequest: string): Promise<string | undefined>;
}
