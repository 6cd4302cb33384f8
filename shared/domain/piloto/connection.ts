/** A page that an account has connected: whom it belongs to, and how far the copy of its inbox is. */
import type { Channel, ConnectionState } from '../../contracts/channels.ts';
import type { Network } from '../../gateways/social-network.ts';

/** How often a revoked token is tried. */
export const recheckMs = 24 * 3_600_000;

/** `full`: everything within the bounds. `recent`: what has changed since the last synchronization. */
export const syncModes = ['full', 'recent'] as const;

export const syncPhases = ['conversations', 'posts'] as const;

/** Where in the messages of a conversation or the comments on a post to go on. */
export interface ThreadPlace {
  /** The network's. */
  readonly cursor: string;
  /** When the first part was asked for. */
  readonly begunAt: number;
  /** What was listed until then, see `copyThread`; absent if it is too much to be stored. */
  readonly seen?: string | undefined;
  /** How many comments the network counted before the first part was asked for. */
  readonly commentCount?: number | undefined;
}

/** A synchronization that has begun, and from where to go on. */
export interface SyncRun {
  readonly mode: (typeof syncModes)[number];
  readonly startedAt: number;
  readonly phase: (typeof syncPhases)[number];
  /** The network's cursor of the part of the list that comes next; absent at the beginning of a phase. */
  readonly cursor?: string | undefined;
  /** Within that part, the conversation or post to go on with, and where in it. */
  readonly entry?: { readonly id: string; readonly place?: ThreadPlace | undefined } | undefined;
  /** The ids, here, of what the phase has copied. */
  readonly listed: readonly string[];
  /** The time of the last of them. */
  readonly oldest?: number | undefined;
  /** Set when all is copied: of what was not listed, the ids, here, up to which the network was asked whether it is gone. */
  readonly prunedTo?: string | undefined;
  /** The network did not give all of a list. */
  readonly isIncomplete?: boolean | undefined;
  /** How many conversations and posts the network has listed so far, and how many of them were copied. */
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
  /** By which the network names who connected the page, if it says so. */
  readonly userId?: string | undefined;
  readonly state: ConnectionState;
  /** The page's token, sealed; absent while it is being erased. */
  readonly sealedToken?: string | undefined;
  /** When the token ends; absent if it does not, or the network does not say. */
  readonly tokenExpiresAt?: number | undefined;
  /** When to ask for a token that lasts longer. */
  readonly renewTokenAt?: number | undefined;
  readonly connectedAt: number;
  /** Since when the network has accepted the access without a break; absent of older connections, which `connectedAt` tells. */
  readonly accessSince?: number | undefined;
  /** Counts changes, so that none is lost. */
  readonly version: number;
  readonly run?: SyncRun | undefined;
  /** When the last complete synchronizations of each mode began; a full one counts as both. */
  readonly syncedAt?: number | undefined;
  readonly fullySyncedAt?: number | undefined;
  /** Why the last attempt to synchronize failed; absent after a success. */
  readonly fault?: string | undefined;
  /** When its owner, an operator or the network ended it. */
  readonly endedAt?: number | undefined;
  /** When the next synchronization, the next look at a revoked token, or the next round of erasing is due. */
  readonly dueAt: number;
  /** Until when a process has this to itself. */
  readonly leasedUntil?: number | undefined;
}

/** What a token is sealed for. */
export const belongingOf = ({ accountId, channel, pageId }: Pick<Connection, 'accountId' | 'channel' | 'pageId'>) => ({
  account: accountId,
  channel,
  page: pageId,
});
