/** A social network in memory: pages with conversations and posts that tests change, and faults on demand. */
import { createHmac } from 'node:crypto';
import type {
  GrantedToken,
  NetworkComment,
  NetworkConversation,
  NetworkMessage,
  NetworkPost,
  Page,
  PageAccess,
  Participant,
  SocialEvent,
  SocialNetwork,
} from '../../shared/gateways/social-network.ts';
import { type FaultReason, NetworkFault } from '../../shared/gateways/social-network.ts';

export interface ModelPage {
  readonly pageId: string;
  readonly name: string;
  readonly username: string | null;
  /** The conversations by participant, in any order. */
  readonly conversations: Map<string, { participant: Participant; messages: NetworkMessage[] }>;
  /** The comments by post. */
  readonly posts: Map<string, { post: NetworkPost; comments: NetworkComment[] }>;
  isSubscribed: boolean;
  /** The expiry time of each token. */
  readonly tokens: Map<string, number>;
}

export interface ModelNetwork extends SocialNetwork {
  /** Creates a page whose token is `token-of-` followed by its id. */
  addPage(pageId: string): ModelPage;
  /** Called before each request; an error that it throws becomes the network's response. */
  interrupt: (() => void) | undefined;
  /** The lifetime of granted tokens; if undefined, tokens do not expire and are not renewed. */
  tokenLifetimeMs: number | undefined;
  /** Grants another token for a page. */
  grant(page: ModelPage): GrantedToken;
  readonly requests: string[];
}

export const fault = (reason: FaultReason, retryAfterSeconds?: number): NetworkFault =>
  new NetworkFault(reason, `the network is ${reason}`, retryAfterSeconds === undefined ? {} : { retryAfterSeconds });

export const tokenOf = (pageId: string): string => `token-of-${pageId}`;

/** How the model signs events: with a secret that only the model and the reader of its events know. */
export const signed = (events: readonly SocialEvent[]) => {
  const body = JSON.stringify(events);
  return { body, headers: { 'x-hub-signature-256': createHmac('sha256', 'model').update(body).digest('hex') } };
};

/** The page size, so small that even short lists have several pages. */
const partLength = 3;

/** A cursor contains the last entry of the previous page, as in the Graph API; one of another list is rejected. */
function partOf<Entry extends { readonly id: string }>(
  list: string,
  entries: readonly Entry[],
  cursor = `${list}:`,
): Page<Entry> {
  const [of, after] = cursor.split(':');
  if (of !== list) throw fault('rejected');
  const from = entries.findIndex(({ id }) => id === after) + 1;
  const items = entries.slice(from, from + partLength);
  const last = items.at(-1);
  return { items, unreadable: [], ...(last && from + partLength < entries.length && { next: `${list}:${last.id}` }) };
}

const newestFirst = <Entry>(entries: Iterable<Entry>, timeOf: (entry: Entry) => number): Entry[] =>
  [...entries].toSorted((one, other) => timeOf(other) - timeOf(one));

const byCreation = <Entry extends { readonly createdAt: number }>(entries: Iterable<Entry>): Entry[] =>
  newestFirst(entries, ({ createdAt }) => createdAt);

/** Times have seconds in lists and milliseconds in events. */
const inSeconds = <Entry extends { readonly createdAt: number }>({ items, ...rest }: Page<Entry>): Page<Entry> => ({
  ...rest,
  items: items.map((entry) => ({ ...entry, createdAt: Math.floor(entry.createdAt / 1000) * 1000 })),
});

function conversationsOf({ conversations }: ModelPage): NetworkConversation[] {
  const all = [...conversations].map(([id, { participant, messages }]) => ({
    id: `thread-${id}`,
    participant,
    updatedAt: Math.floor(Math.max(0, ...messages.map(({ createdAt }) => createdAt)) / 1000) * 1000,
  }));
  return newestFirst(all, ({ updatedAt }) => updatedAt);
}

const postsOf = ({ posts }: ModelPage): NetworkPost[] =>
  [...posts.values()].map(({ post, comments }) => ({ ...post, commentCount: comments.length }));

export function modelNetwork(now: () => number): ModelNetwork {
  const pages = new Map<string, ModelPage>();
  const requests: string[] = [];
  let made = 0;

  function pageOf(what: string, { accessToken }: Pick<PageAccess, 'accessToken'>): ModelPage {
    requests.push(what);
    network.interrupt?.();
    const page = [...pages.values()].find(({ tokens }) => (tokens.get(accessToken) ?? 0) > now());
    if (!page) throw fault('revoked');
    return page;
  }

  const conversationOf = (page: ModelPage, conversationId: string) => {
    const found = page.conversations.get(conversationId.replace('thread-', ''));
    if (!found) throw fault('not-found');
    return found;
  };

  function changeComment(page: ModelPage, commentId: string, change: Partial<NetworkComment>): void {
    for (const { comments } of page.posts.values()) {
      const index = comments.findIndex(({ id }) => id === commentId);
      const comment = comments[index];
      if (comment) comments[index] = { ...comment, ...change };
    }
  }

  const newId = (): string => {
    made += 1;
    return `made-${made}`;
  };

  const network: ModelNetwork = {
    requests,
    interrupt: undefined,
    tokenLifetimeMs: undefined,
    grant({ pageId, tokens }) {
      const expiresAt = now() + (network.tokenLifetimeMs ?? Number.POSITIVE_INFINITY);
      const accessToken = `${tokenOf(pageId)}-${tokens.size}`;
      tokens.set(accessToken, expiresAt);
      return { accessToken, ...(Number.isFinite(expiresAt) && { expiresAt }) };
    },
    addPage(pageId) {
      const page = {
        pageId,
        name: `Page ${pageId}`,
        username: `page.${pageId}`,
        conversations: new Map(),
        posts: new Map(),
        isSubscribed: false,
        tokens: new Map([[tokenOf(pageId), Number.POSITIVE_INFINITY]]),
      };
      pages.set(pageId, page);
      return page;
    },
    async page(access) {
      const { pageId, name, username } = pageOf('page', access);
      return { pageId, name, username };
    },
    async tokenDetails(access) {
      pageOf('tokenDetails', access);
      return {};
    },
    async renewToken(access) {
      const page = pageOf('renewToken', access);
      return network.tokenLifetimeMs === undefined ? undefined : network.grant(page);
    },
    async subscribe(access) {
      pageOf('subscribe', access).isSubscribed = true;
    },
    async unsubscribe(access) {
      pageOf('unsubscribe', access).isSubscribed = false;
    },
    conversations: async (access, cursor) =>
      partOf('conversations', conversationsOf(pageOf('conversations', access)), cursor),
    async conversationsWith(access, participantId) {
      const all = conversationsOf(pageOf('conversationsWith', access));
      return { items: all.filter(({ participant }) => participant.id === participantId), unreadable: [] };
    },
    messages: async (access, conversationId, cursor) =>
      inSeconds(
        partOf(conversationId, byCreation(conversationOf(pageOf('messages', access), conversationId).messages), cursor),
      ),
    participant: async (access, participantId) =>
      conversationOf(pageOf('participant', access), participantId).participant,
    posts: async (access, cursor) => inSeconds(partOf('posts', byCreation(postsOf(pageOf('posts', access))), cursor)),
    async comments(access, postId, cursor) {
      const found = pageOf('comments', access).posts.get(postId);
      if (!found) throw fault('not-found');
      return inSeconds(partOf(postId, byCreation(found.comments), cursor));
    },
    async replies(access, { postId, commentId }, cursor) {
      const found = pageOf('replies', access).posts.get(postId);
      if (!found) throw fault('not-found');
      const replies = found.comments.filter(({ parentId }) => parentId === commentId);
      return inSeconds(partOf(commentId, byCreation(replies), cursor));
    },
    async sendText(access, recipientId, text) {
      const { messages } = conversationOf(pageOf('sendText', access), recipientId);
      const id = newId();
      messages.push({ id, direction: 'outbound', text, attachments: [], status: 'sent', createdAt: now() });
      return { id };
    },
    async markSeen(access) {
      pageOf('markSeen', access);
    },
    async reply(access, { postId, commentId }, text) {
      const page = pageOf('reply', access);
      const found = page.posts.get(postId);
      if (!found) throw fault('not-found');
      const id = newId();
      found.comments.push({
        id,
        postId,
        parentId: commentId ?? null,
        author: { id: page.pageId, username: page.username ?? '' },
        isOwn: true,
        text,
        hidden: false,
        liked: false,
        likeCount: 0,
        createdAt: now(),
      });
      return { id };
    },
    setHidden: async (access, commentId, hidden) => changeComment(pageOf('setHidden', access), commentId, { hidden }),
    setLiked: async (access, commentId, liked) => changeComment(pageOf('setLiked', access), commentId, { liked }),
    async eventsOf({ headers, body }) {
      const events = JSON.parse(body) as SocialEvent[];
      return headers['x-hub-signature-256'] === signed(events).headers['x-hub-signature-256'] ? events : undefined;
    },
    async withdrawalIn(signedRequest) {
      const [, userId] = /^signed-by-model\.(.+)$/.exec(signedRequest) ?? [];
      return userId === undefined ? undefined : { userId };
    },
  };
  return network;
}
