/** A connection between an account and a page: its token, and how far the copy of its inbox has progressed. */
import type { Channel, ConnectionState } from '../../../contracts/channels.ts';
import type { Network } from '../../../gateways/social-network.ts';

/** How often a revoked token is tried again. */
export const recheckMs = 24 * 3_600_000;

/** `full` reads everything within the limits; `recent` reads what has changed since the last synchronization. */
export const syncModes = ['full', 'recent'] as const;

export const syncPhases = ['conversations', 'posts'] as const;

/** Where copying the messages of a conversation or the comments on a post continues. */
export interface ThreadPlace {
  /** The social network's cursor of the next chunk. */
  readonly cursor: string;
  /** How many chunks have been read. */
  readonly chunks?: number | undefined;
  /** When the first chunk was requested. */
  readonly begunAt: number;
  /** The entries listed so far, see `copyThread`; absent if there were too many to store. */
  readonly seen?: string | undefined;
  /** How many comments the social network had counted before the first chunk was requested. */
  readonly commentCount?: number | undefined;
}

/** A synchronization in progress, and where to continue. */
export interface SyncRun {
  readonly mode: (typeof syncModes)[number];
  readonly startedAt: number;
  readonly phase: (typeof syncPhases)[number];
  /** The social network's cursor of the next chunk of the list; absent at the beginning of a phase. */
  readonly cursor?: string | undefined;
  /** How many chunks this phase has read. */
  readonly chunks?: number | undefined;
  /** The conversation or post with which that chunk continues, and the position within it. */
  readonly entry?: { readonly id: string; readonly place?: ThreadPlace | undefined } | undefined;
  /** The stored ids of what this phase of the synchronization has copied. */
  readonly listed: readonly string[];
  /** The time of the oldest entry that this phase of the synchronization has copied. */
  readonly oldest?: number | undefined;
  /**
   * How far the check of entries that are missing from the list has come: the stored id of the last one that was
   * compared with the social network. Set once everything is copied.
   */
  readonly prunedTo?: string | undefined;
  /** Whether the synchronization is incomplete, because the social network did not return all of a list. */
  readonly isIncomplete?: boolean | undefined;
  /** How many attempts in a row have failed since the last progress. */
  readonly failures?: number | undefined;
  /** How many conversations and posts the social network has listed so far, and how many of them were copied. */
  readonly found: number;
  readonly synchronized: number;
}

export interface Connection {
  readonly accountId: string;
  readonly channel: Channel;
  readonly network: Network;
  readonly pageId: string;
  readonly name: string;
  readonly username: string | null;
  /** The social network's id of the user who connected the page, if known. */
  readonly userId?: string | undefined;
  readonly state: ConnectionState;
  /** The page's token, encrypted; absent while the connection is being erased. */
  readonly sealedToken?: string | undefined;
  /** When the token expires; absent if it does not expire or the social network does not say. */
  readonly tokenExpiresAt?: number | undefined;
  /** When to request a token that lasts longer. */
  readonly renewTokenAt?: number | undefined;
  readonly connectedAt: number;
  /**
   * Since when the social network has accepted the token without interruption; absent in older connections, for which
   * `connectedAt` applies.
   */
  readonly accessSince?: number | undefined;
  /** The version, which each change increments, so that no concurrent change is lost. */
  readonly version: number;
  readonly run?: SyncRun | undefined;
  /** When the last complete synchronization of each mode began; a full synchronization counts for both modes. */
  readonly syncedAt?: number | undefined;
  readonly fullySyncedAt?: number | undefined;
  /** Why the last synchronization failed; absent after a success. */
  readonly fault?: string | undefined;
  /** When the owner, an operator or the social network ended the connection. */
  readonly endedAt?: number | undefined;
  /** When the next synchronization, check of a revoked token, or step of erasing the copy is due. */
  readonly dueAt: number;
  /** Until when one process works on the connection exclusively. */
  readonly leasedUntil?: number | undefined;
}

/** The encryption context of a connection's token. */
export const belongingOf = ({ accountId, channel, pageId }: Pick<Connection, 'accountId' | 'channel' | 'pageId'>) => ({
  account: accountId,
  channel,
  page: pageId,
});
