/** Copies one part of a list of the network, conversations or posts, entry by entry; it can stop after each. */
import type { Page, PageAccess } from '../../gateways/social-network.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Connection, SyncRun } from './connection.ts';

/** What is under way, and until when. */
export interface SyncPart {
  readonly connection: Connection;
  readonly run: SyncRun;
  readonly access: PageAccess;
  readonly endsAt: number;
}

export interface Listing<Entry extends { readonly id: string }> {
  readonly list: (cursor: string | undefined) => Promise<Page<Entry>>;
  /** Lists are newest first: the first entry that is not wanted ends the phase. */
  readonly isWanted: (entry: Entry, position: number) => boolean;
  /** The id of the entry here. */
  readonly idOf: (entry: Entry) => string;
  /** Copies an entry from its own cursor on; resolves with the cursor to go on from if the time is over before its end. */
  readonly copy: (entry: Entry, cursor: string | undefined) => Promise<string | undefined>;
}

/** Everything that was found is copied; `isEnd`: nothing wanted follows. */
export interface Copied {
  readonly run: SyncRun;
  readonly isEnd: boolean;
}

/** An entry that was begun is gone on with; if it has left this part of the list, the part is copied from its beginning. */
const remaining = <Entry extends { readonly id: string }>(
  items: readonly Entry[],
  { entry }: SyncRun,
): readonly Entry[] => items.slice(Math.max(0, entry === undefined ? 0 : items.findIndex(({ id }) => id === entry.id)));

/** Copies at least one entry, or one part of it, whatever the time is. */
export async function copyListed<Entry extends { readonly id: string }>(
  clock: Clock,
  { run, endsAt }: SyncPart,
  listing: Listing<Entry>,
): Promise<Copied> {
  const { items, next } = await listing.list(run.cursor);
  const entries = remaining(items, run);
  let current: SyncRun = { ...run, found: run.synchronized + entries.length };
  for (const [index, entry] of entries.entries()) {
    if (!listing.isWanted(entry, current.listed.length)) return { run: current, isEnd: true };
    if (index > 0 && clock.now() >= endsAt) return { run: { ...current, entry: { id: entry.id } }, isEnd: false };
    const cursor = await listing.copy(entry, entry.id === run.entry?.id ? run.entry.cursor : undefined);
    if (cursor !== undefined) return { run: { ...current, entry: { id: entry.id, cursor } }, isEnd: false };
    const listed = [...new Set([...current.listed, listing.idOf(entry)])];
    current = { ...current, entry: undefined, listed, synchronized: current.synchronized + 1 };
  }
  return { run: { ...current, cursor: next }, isEnd: next === undefined };
}
