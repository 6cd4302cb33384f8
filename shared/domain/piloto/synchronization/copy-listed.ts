/**
 * Copies one chunk of a social network's list of conversations or posts, entry by entry; it can stop after each entry.
 */
import type { Logger } from '@aws-lambda-powertools/logger';
import type { NetworkFault, Page, PageAccess, SocialNetwork } from '../../../gateways/social-network.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Table } from '../../../platform/dynamo-table.ts';
import type { ServiceMetrics } from '../../metrics.ts';
import { InvalidRow } from '../../stored-row.ts';
import { isNetworkFault } from '../network-fault.ts';
import type { Connection, SyncRun, ThreadPlace } from '../pages/connection.ts';

export interface CopyInboxNeeds {
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
  readonly metrics: ServiceMetrics;
  readonly socialNetwork: SocialNetwork;
  readonly table: Table;
}

/** A synchronization in progress, and when this call must stop. */
export interface SyncPart {
  readonly connection: Connection;
  readonly run: SyncRun;
  readonly access: PageAccess;
  readonly endsAt: number;
}

export interface Listing<Entry extends { readonly id: string }> {
  readonly list: (cursor: string | undefined) => Promise<Page<Entry>>;
  /** Whether to copy an entry. Lists are newest first, so the first unwanted entry ends the phase. */
  readonly isWanted: (entry: Entry, position: number) => boolean;
  /** The stored id of an entry. */
  readonly idOf: (entry: Entry) => string;
  /** The time by which the list is sorted. */
  readonly timeOf: (entry: Entry) => number;
  /**
   * Copies an entry, starting at a position within it; returns where to continue if time runs out before the entry's
   * end.
   */
  readonly copy: (entry: Entry, place: ThreadPlace | undefined) => Promise<ThreadPlace | undefined>;
}

/** The synchronization after copying; `isEnd` means that no wanted entry follows. */
export interface Copied {
  readonly run: SyncRun;
  readonly isEnd: boolean;
}

/**
 * The entries still to be copied, starting with the one in progress; if that is no longer in this chunk, all of them.
 */
const remaining = <Entry extends { readonly id: string }>(
  items: readonly Entry[],
  { entry }: SyncRun,
): readonly Entry[] => items.slice(Math.max(0, entry === undefined ? 0 : items.findIndex(({ id }) => id === entry.id)));

/** Whether an error is permanent, so that the rest of the inbox should not wait for it. */
export const isPermanentFault = (error: unknown): error is NetworkFault =>
  isNetworkFault(error) && ['not-found', 'rejected', 'unsupported'].includes(error.reason);

/** Returns the function's result; undefined if the social network permanently refuses its call. */
async function unlessPermanentFault<Result>(
  { logger, metrics }: CopyInboxNeeds,
  { connection, run }: SyncPart,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await work();
  } catch (error) {
    // An unreadable row affects only its own conversation or post, not the rest of the inbox.
    const fault = isPermanentFault(error) ? error.reason : error instanceof InvalidRow ? 'invalid-row' : undefined;
    if (fault === undefined) throw error;
    const { accountId, channel } = connection;
    logger.warn('part of an inbox not copied', { accountId, channel, phase: run.phase, fault, error: error as Error });
    metrics.record({ InboxSyncFailures: 1 });
    return undefined;
  }
}

/** Copies at least one entry, or one chunk of it, even if time has already run out. */
export async function copyListed<Entry extends { readonly id: string }>(
  needs: CopyInboxNeeds,
  part: SyncPart,
  listing: Listing<Entry>,
): Promise<Copied> {
  const { run, endsAt } = part;
  const page = await unlessPermanentFault(needs, part, () => listing.list(run.cursor));
  // The cursor may have expired; the next synchronization copies what follows it.
  if (!page) return { run: { ...run, isIncomplete: true }, isEnd: true };
  const entries = remaining(page.items, run);
  let current: SyncRun = { ...run, found: run.synchronized + entries.length };
  for (const [index, entry] of entries.entries()) {
    if (!listing.isWanted(entry, current.listed.length)) return { run: current, isEnd: true };
    if (index > 0 && needs.clock.now() >= endsAt) return { run: { ...current, entry: { id: entry.id } }, isEnd: false };
    const from = entry.id === run.entry?.id ? run.entry.place : undefined;
    const place = await unlessPermanentFault(needs, part, () => listing.copy(entry, from));
    if (place !== undefined) return { run: { ...current, entry: { id: entry.id, place } }, isEnd: false };
    const listed = [...new Set([...current.listed, listing.idOf(entry)])];
    const oldest = listing.timeOf(entry);
    current = { ...current, entry: undefined, listed, oldest, synchronized: current.synchronized + 1 };
  }
  return { run: { ...current, cursor: page.next }, isEnd: page.next === undefined };
}
