/** All that the sandbox of social networks remembers: pages, the people who write to them, and what was written. */
import type { Channel } from '../../shared/contracts/channels.ts';
import { savedRecords } from '../saved-records.ts';

export interface SandboxPage {
  readonly kind: 'page';
  readonly id: string;
  readonly channel: Channel;
  /** Who connected it, or the name of a shop that a person has opened. */
  readonly owner: string;
  readonly name: string;
  readonly username: string;
  /** By which callbacks name who connected it. */
  readonly userId: string;
  /** The valid ones; none once access was revoked. */
  readonly tokens: readonly string[];
  /** When each of them was granted. */
  readonly grantedAt?: Readonly<Record<string, number>>;
  readonly subscribedFields: readonly string[];
}

export interface Person {
  readonly kind: 'person';
  readonly id: string;
  readonly pageId: string;
  readonly name: string;
  readonly username: string;
  /** Until they write again, as if 24 hours had passed. */
  readonly isWindowClosed: boolean;
  /** When the page last said that it has seen their messages. */
  readonly seenAt: number | null;
}

export interface SandboxMessage {
  readonly kind: 'message';
  readonly id: string;
  readonly pageId: string;
  readonly personId: string;
  /** From the page to the person. */
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
  /** Null if the page itself wrote it. */
  readonly personId: string | null;
  readonly text: string;
  readonly at: number;
  readonly isHidden: boolean;
  /** By the page. */
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
    /** Oldest first. */
    all: <Kind extends keyof Kinds>(kind: Kind): Kinds[Kind][] => [...saved.byId.values()].filter(isOf(kind)),
    close: () => saved.close(),
  };
}

export type MetaRecords = ReturnType<typeof metaRecords>;
