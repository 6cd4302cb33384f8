/** Everything that the sandbox of social networks stores: pages, people who write to them, and messages. */
import type { Channel } from '../../shared/contracts/channels.ts';
import { savedRecords } from '../saved-records.ts';

export interface SandboxPage {
  readonly kind: 'page';
  readonly id: string;
  readonly channel: Channel;
  /** The owner who connected the page, or the name of the shop that a user of the sandbox has opened. */
  readonly owner: string;
  readonly name: string;
  readonly username: string;
  /** The id of the user who connected the page; callbacks identify the user by it. */
  readonly userId: string;
  /** The valid tokens; none after access was revoked. */
  readonly tokens: readonly string[];
  /** When each token was granted. */
  readonly grantedAt?: Readonly<Record<string, number>>;
  readonly subscribedFields: readonly string[];
}

export interface Person {
  readonly kind: 'person';
  readonly id: string;
  readonly pageId: string;
  readonly name: string;
  readonly username: string;
  /** Whether messages to the person are rejected, as if 24 hours had passed; reset when the person writes again. */
  readonly isWindowClosed: boolean;
  /** When the page last marked the person's messages as seen. */
  readonly seenAt: number | null;
}

export interface SandboxMessage {
  readonly kind: 'message';
  readonly id: string;
  readonly pageId: string;
  readonly personId: string;
  /** Whether the message was written by the page to the person. */
  readonly isOwn: boolean;
  readonly text: string;
  readonly imageUrl: string | null;
  readonly at: number;
  readonly isDeleted: boolean;
  readonly readAt: number | null;
}

export interface SandboxPost {
  readonly kind: 'post';
  readonly id: string;
  readonly pageId: string;
  readonly caption: string;
  readonly at: number;
}

export interface SandboxComment {
  readonly kind: 'comment';
  readonly id: string;
  readonly pageId: string;
  readonly postId: string;
  readonly parentId: string | null;
  /** The author of the comment; null if the page itself wrote it. */
  readonly personId: string | null;
  readonly text: string;
  readonly at: number;
  readonly isHidden: boolean;
  /** Whether the page likes the comment. */
  readonly isLiked: boolean;
  readonly likes: number;
  readonly isDeleted: boolean;
}

interface Port {
  readonly kind: 'port';
  readonly id: string;
  readonly port: number;
}

interface Kinds {
  readonly page: SandboxPage;
  readonly person: Person;
  readonly message: SandboxMessage;
  readonly post: SandboxPost;
  readonly comment: SandboxComment;
  readonly port: Port;
}

export type SandboxRecord = Kinds[keyof Kinds];

export function metaRecords(path: string | undefined) {
  const saved = savedRecords<SandboxRecord>(path);

  const isOf =
    <Kind extends keyof Kinds>(kind: Kind) =>
    (record: SandboxRecord | undefined): record is Kinds[Kind] =>
      record?.kind === kind;

  return {
    put: <One extends SandboxRecord>(record: One): One => {
      saved.put(`${record.kind} ${record.id}`, record);
      return record;
    },
    find<Kind extends keyof Kinds>(kind: Kind, id: string): Kinds[Kind] | undefined {
      const record = saved.byId.get(`${kind} ${id}`);
      return isOf(kind)(record) ? record : undefined;
    },
    /** All objects of a kind, oldest first. */
    all: <Kind extends keyof Kinds>(kind: Kind): Kinds[Kind][] => [...saved.byId.values()].filter(isOf(kind)),
    close: () => saved.close(),
  };
}

export type MetaRecords = ReturnType<typeof metaRecords>;
