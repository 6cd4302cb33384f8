/** The actions of people and pages in the sandbox, and the changes that events report. */
import type { Channel } from '../../shared/contracts/channels.ts';
import type { MetaRecords, Person, SandboxComment, SandboxMessage, SandboxPage, SandboxPost } from './meta-records.ts';
import { newCommentId, newMessageId, newPersonId, newShop, newToken } from './new-shop.ts';

type CommentVerb = 'add' | 'hide' | 'unhide' | 'remove';

/** A change that an event reports. */
export type MetaChange = { readonly pageId: string; readonly channel: Channel; readonly at: number } & (
  | { readonly kind: 'message'; readonly message: SandboxMessage }
  | { readonly kind: 'unsent'; readonly message: SandboxMessage }
  | { readonly kind: 'delivered'; readonly personId: string; readonly messageId: string }
  | { readonly kind: 'read'; readonly personId: string; readonly messageId: string }
  | {
      readonly kind: 'comment';
      readonly verb: CommentVerb;
      readonly comment: SandboxComment;
      readonly author: { readonly id: string; readonly name: string; readonly username: string };
    }
);

interface WorldOptions {
  readonly records: MetaRecords;
  readonly now: () => number;
  readonly onChange: (change: MetaChange) => void;
}

const dayMs = 24 * 3_600_000;

/** How many tokens are valid at the same time; older ones are dropped. */
const maxTokens = 5;

export function newestFirst(one: { at: number; id: string }, other: { at: number; id: string }): number {
  if (one.at !== other.at) return other.at - one.at;
  return one.id === other.id ? 0 : one.id < other.id ? 1 : -1;
}

/** The lifetime of Instagram tokens; those of Facebook pages do not expire. */
export const tokenDays = 60;

function lookups({ records, now }: WorldOptions) {
  const ofPage =
    <Kind extends 'person' | 'message' | 'post' | 'comment'>(kind: Kind) =>
    ({ id }: Pick<SandboxPage, 'id'>) =>
      records.all(kind).filter(({ pageId }) => pageId === id);
  const messagesWith = ({ id }: Person): SandboxMessage[] =>
    records
      .all('message')
      .filter(({ personId, isDeleted }) => personId === id && !isDeleted)
      .toSorted(newestFirst);
  return {
    pages: () => records.all('page'),
    page: (id: string) => records.find('page', id),
    pageWith: (token: string) =>
      records
        .all('page')
        .find(
          ({ channel, tokens, grantedAt }) =>
            tokens.includes(token) &&
            (channel === 'facebook' || now() < (grantedAt?.[token] ?? now()) + tokenDays * dayMs),
        ),
    person: (id: string) => records.find('person', id),
    people: ofPage('person'),
    message: (id: string) => records.find('message', id),
    /** The messages of a conversation, newest first. */
    messagesWith,
    post: (id: string) => records.find('post', id),
    posts: (page: SandboxPage): SandboxPost[] => ofPage('post')(page).toSorted(newestFirst),
    comment(id: string): SandboxComment | undefined {
      const comment = records.find('comment', id);
      return comment?.isDeleted ? undefined : comment;
    },
    /** The comments on a post, newest first. */
    comments: (postId: string): SandboxComment[] =>
      records
        .all('comment')
        .filter((comment) => comment.postId === postId && !comment.isDeleted)
        .toSorted(newestFirst),
  };
}

type Lookups = ReturnType<typeof lookups>;

function access({ records, now }: WorldOptions, look: Lookups) {
  const grant = (page: SandboxPage, at = now()): string => {
    const token = newToken(page.channel);
    const tokens = [...(look.page(page.id) ?? page).tokens, token].slice(-maxTokens);
    const grantedAt = Object.fromEntries(tokens.map((one) => [one, look.page(page.id)?.grantedAt?.[one] ?? at]));
    records.put({ ...page, tokens, grantedAt });
    return token;
  };
  return {
    grant,
    /** Instagram tokens can be renewed once they are a day old. */
    isRenewable: ({ grantedAt }: SandboxPage, token: string): boolean => now() >= (grantedAt?.[token] ?? 0) + dayMs,
    /** The pages of an owner, created on first use. */
    shopOf(owner: string): SandboxPage[] {
      const found = look.pages().filter((page) => page.owner === owner);
      return found.length > 0 ? found : newShop(records, owner, now());
    },
    revoke: (page: SandboxPage): void => void records.put({ ...page, tokens: [], subscribedFields: [] }),
    subscribe: (page: SandboxPage, subscribedFields: readonly string[]): void =>
      void records.put({ ...page, subscribedFields }),
  };
}

function messaging({ records, now, onChange }: WorldOptions, look: Lookups) {
  const about = ({ pageId }: Person) => ({
    pageId,
    channel: look.page(pageId)?.channel ?? 'instagram',
    at: now(),
  });

  function add(person: Person, isOwn: boolean, text: string, given: { imageUrl?: string; at?: number } = {}) {
    const { pageId, id: personId } = person;
    const { imageUrl = null, at = now() } = given;
    const written = { pageId, personId, isOwn, text, imageUrl, at };
    const message = { kind: 'message', id: newMessageId(), ...written, isDeleted: false, readAt: null } as const;
    records.put(message);
    onChange({ kind: 'message', ...about(person), at, message });
    return message;
  }

  function read(person: Person): void {
    const unread = look.messagesWith(person).filter(({ isOwn, readAt }) => isOwn && readAt === null);
    for (const message of unread) records.put({ ...message, readAt: now() });
    const [latest] = unread;
    if (latest) onChange({ kind: 'read', ...about(person), personId: person.id, messageId: latest.id });
  }

  return {
    read,
    /** Writes a message as a person, which marks earlier messages as read. */
    write(person: Person, text: string, given?: { imageUrl?: string; at?: number }): SandboxMessage {
      read(person);
      records.put({ ...person, isWindowClosed: false });
      return add(person, false, text, given);
    },
    send(person: Person, text: string): SandboxMessage {
      const message = add(person, true, text);
      onChange({ kind: 'delivered', ...about(person), personId: person.id, messageId: message.id });
      return message;
    },
    unsend(message: SandboxMessage): void {
      const person = look.person(message.personId);
      if (!person || message.isDeleted) return;
      const deleted = records.put({ ...message, isDeleted: true });
      onChange({ kind: 'unsent', ...about(person), message: deleted });
    },
  };
}

function acquaintance({ records, now }: WorldOptions, look: Lookups) {
  return {
    addPerson(page: SandboxPage, name: string): Person {
      const username =
        name
          .toLowerCase()
          .normalize('NFD')
          .replaceAll(/[^a-z0-9]+/g, '') || 'cliente';
      const state = { isWindowClosed: false, seenAt: null };
      return records.put({ kind: 'person', id: newPersonId(), pageId: page.id, name, username, ...state });
    },
    closeWindow: (person: Person): void => void records.put({ ...person, isWindowClosed: true }),
    see: (person: Person): void => void records.put({ ...person, seenAt: now() }),
    canAnswer(person: Person): boolean {
      const last = look.messagesWith(person).find(({ isOwn }) => !isOwn);
      return !person.isWindowClosed && last !== undefined && now() - last.at < dayMs;
    },
  };
}

function commenting({ records, now, onChange }: WorldOptions, look: Lookups) {
  const report = (comment: SandboxComment, verb: CommentVerb): void => {
    const page = look.page(comment.pageId);
    const author = comment.personId === null ? page : look.person(comment.personId);
    if (!page || !author) return;
    const { id, name, username } = author;
    const { channel, id: pageId } = page;
    onChange({ kind: 'comment', verb, pageId, channel, at: now(), comment, author: { id, name, username } });
  };
  return {
    /** Adds a comment; a reply to a reply goes to the top-level comment. */
    addComment(
      post: SandboxPost,
      personId: string | null,
      text: string,
      given: { parentId?: string | null; at?: number } = {},
    ) {
      const parent = given.parentId ? look.comment(given.parentId) : undefined;
      const channel = look.page(post.pageId)?.channel ?? 'instagram';
      const marks = { isHidden: false, isLiked: false, likes: 0, isDeleted: false };
      const comment = records.put<SandboxComment>({
        kind: 'comment',
        id: newCommentId(channel, post.id),
        pageId: post.pageId,
        postId: post.id,
        parentId: parent ? (parent.parentId ?? parent.id) : null,
        personId,
        text,
        at: given.at ?? now(),
        ...marks,
      });
      report(comment, 'add');
      return comment;
    },
    hide(comment: SandboxComment, isHidden: boolean): void {
      if (comment.isHidden === isHidden) return;
      report(records.put({ ...comment, isHidden }), isHidden ? 'hide' : 'unhide');
    },
    like(comment: SandboxComment, isLiked: boolean): void {
      if (comment.isLiked === isLiked) return;
      records.put({ ...comment, isLiked, likes: comment.likes + (isLiked ? 1 : -1) });
    },
    /** Removes a comment and its replies. */
    remove(comment: SandboxComment): void {
      const replies = look.comments(comment.postId).filter(({ parentId }) => parentId === comment.id);
      for (const one of [comment, ...replies]) report(records.put({ ...one, isDeleted: true }), 'remove');
    },
  };
}

/** A clock whose times are all distinct, so that the order of events is known. */
function ticking(now: () => number): () => number {
  let last = 0;
  return () => {
    last = Math.max(last + 1, now());
    return last;
  };
}

export function metaWorld(given: WorldOptions) {
  const options = { ...given, now: ticking(given.now) };
  const look = lookups(options);
  return {
    ...look,
    ...access(options, look),
    ...messaging(options, look),
    ...acquaintance(options, look),
    ...commenting(options, look),
  };
}

export type MetaWorld = ReturnType<typeof metaWorld>;
