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

/** After how many failed attempts in a row the next one leaves out what it fails at. */
const patience = 10;

const isAboutPage = (error: unknown): boolean =>
  isNetworkFault(error) && (error.reason === 'throttled' || error.reason === 'revoked');

/**
 * Determines for one call which errors affect only their own conversation or post, so that the rest of the inbox does
 * not wait for it. If attempts have failed for long, the first error does, whatever it is: if it is not about a single
 * entry, the next one ends the call.
 */
export function partialFaults({ failures = 0 }: SyncRun): (error: unknown) => string | undefined {
  let isPatient = failures < patience;
  return (error) => {
    if (isPermanentFault(error)) return error.reason;
    if (error instanceof InvalidRow) return 'invalid-row';
    if (isPatient || isAboutPage(error)) return undefined;
    isPatient = true;
    return isNetworkFault(error) ? error.reason : 'failed';
  };
}

/** Returns the function's result; undefined if its error affects nothing else. */
export async function unlessPartialFault<Result>(
  { logger, metrics }: CopyInboxNeeds,
  { connection, run }: SyncPart,
  faultOf: (error: unknown) => string | undefined,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await work();
  } catch (error) {
    const fault = faultOf(error);
    if (fault === undefined) throw error;
    const { accountId, channel } = connection;
    logger.warn('part of an inbox not copied', { accountId, channel, phase: run.phase, fault, error: error as Error });
    metrics.record({ InboxSyncFailures: 1 });
    return undefined;
  }
}

/** The most chunks of a list to read, far more than are copied: a list that is longer repeats itself. */
const maxChunks = 200;

/** The synchronization after a chunk; it is incomplete if the list has no end. */
function afterChunk(run: SyncRun, next: string | undefined): Copied {
  const chunks = (run.chunks ?? 0) + 1;
  if (next === undefined) return { run: { ...run, cursor: next }, isEnd: true };
  const isEndless = next === run.cursor || chunks >= maxChunks;
  return { run: { ...run, cursor: next, chunks, ...(isEndless && { isIncomplete: true }) }, isEnd: isEndless };
}

/** Copies at least one entry, or one chunk of it, even if time has already run out. */
export async function copyListed<Entry extends { readonly id: string }>(
  needs: CopyInboxNeeds,
  part: SyncPart,
  listing: Listing<Entry>,
): Promise<Copied> {
  const { run, endsAt } = part;
  const faultOf = partialFaults(run);
  const isPermanent = (error: unknown) => (isPermanentFault(error) ? faultOf(error) : undefined);
  const page = await unlessPartialFault(needs, part, isPermanent, () => listing.list(run.cursor));
  // The cursor may have expired; the next synchronization copies what follows it.
  if (!page) return { run: { ...run, isIncomplete: true }, isEnd: true };
  const entries = remaining(page.items, run);
  let current: SyncRun = { ...run, found: run.synchronized + entries.length };
  for (const [index, entry] of entries.entries()) {
    if (!listing.isWanted(entry, current.listed.length)) return { run: current, isEnd: true };
    if (index > 0 && needs.clock.now() >= endsAt) return { run: { ...current, entry: { id: entry.id } }, isEnd: false };
    const from = entry.id === run.entry?.id ? run.entry.place : undefined;
    const place = await unlessPartialFault(needs, part, faultOf, () => listing.copy(entry, from));
    if (place !== undefined) return { run: { ...current, entry: { id: entry.id, place } }, isEnd: false };
    const listed = [...new Set([...current.listed, listing.idOf(entry)])];
    const oldest = listing.timeOf(entry);
    current = { ...current, entry: undefined, listed, oldest, synchronized: current.synchronized + 1 };
  }
  return afterChunk(current, page.next);
}
