/** What the inbox of a connected page uses, by what happens to it. A test compares the counts with a run. */

export interface InboxUse {
  /** Requests to the social network. */
  readonly graphRequests: number;
  readonly readUnits: number;
  readonly writeUnits: number;
}

/** How much a page has, all of which a comparison reads. */
export interface InboxSize {
  readonly conversations: number;
  readonly messagesEach: number;
  readonly posts: number;
  readonly commentsEach: number;
}

/** What the network lists at a time. */
const listLength = 50;

/** The newest of which are looked at every time. */
const recent = { conversations: 20, posts: 25 } as const;

const partsOf = (entries: number): number => Math.max(1, Math.ceil(entries / listLength));

/** The schedule lists what is due, at half a unit for dozens of connections, and reads each. */
const scheduledReads = 1.5;

/** Whose participants are known. */
const profileReads = ({ conversations }: Pick<InboxSize, 'conversations'>): number =>
  1.5 + Math.min(conversations, recent.conversations);

/** A synchronization in which nothing has changed. */
export const synchronization = (size: Pick<InboxSize, 'conversations' | 'posts'>): InboxUse => ({
  graphRequests: 2,
  readUnits: scheduledReads + 1 + Math.min(size.posts, recent.posts) + profileReads(size),
  writeUnits: 12,
});

/** Lists of conversations, posts and posts without comments, at half a unit for 4 KB. */
const copyLists = 1.5;

/** A comparison of everything that finds no difference; each further part of a list is a further save. */
export function comparison(size: InboxSize): InboxUse {
  const { conversations, messagesEach, posts, commentsEach } = size;
  const profiles = Math.min(conversations, recent.conversations);
  const lists = partsOf(conversations) + partsOf(posts);
  const threads = conversations * partsOf(messagesEach) + posts * partsOf(commentsEach);
  return {
    // Beforehand, Facebook is asked when the token ends, and the page is subscribed to events; afterwards, the newest
    // participants are asked for.
    graphRequests: 2 + lists + threads + profiles,
    // With each row that is compared, and the lists of the copy.
    readUnits:
      scheduledReads +
      1 +
      conversations * (3 + messagesEach) +
      posts * (4 + commentsEach) +
      copyLists +
      profileReads(size) +
      profiles,
    writeUnits: 18 + 2 * (lists - 2) + 2 * profiles,
  };
}

/** Reported by an event. */
export const events = {
  message: { graphRequests: 0, readUnits: 4, writeUnits: 10 },
  comment: { graphRequests: 0, readUnits: 3, writeUnits: 8 },
  receipt: { graphRequests: 0, readUnits: 2, writeUnits: 2 },
} as const satisfies Record<string, InboxUse>;

/** A message that was sent with an idempotency key. */
export const sending: InboxUse = { graphRequests: 1, readUnits: 5, writeUnits: 13 };

/** A list of so many messages or comments, of 4 KB at most. */
export const listing = (entries: number): InboxUse => ({ graphRequests: 0, readUnits: 4 + entries, writeUnits: 1 });

/** A conversation in which something was written is read by all synchronizations of the next twenty minutes. */
export const rereads = { message: 4, comment: 1 } as const;
