/** Copies the messages of a conversation or the comments on a post, and removes what the network no longer has. */
import type { Page } from '../../gateways/social-network.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Table } from '../../platform/dynamo-table.ts';
import { placedIdIn } from '../inbox-keys.ts';
import type { Reading } from './apply-messages.ts';
import type { ThreadPlace } from './connection.ts';
import { inParts } from './in-parts.ts';
import { placesAfter, placesOf } from './places.ts';

export interface Thread<Entry extends { readonly id: string; readonly createdAt: number }> {
  /** The partition of its rows. */
  readonly pk: string;
  /** A part of the network's list, newest first. */
  readonly list: (cursor: string | undefined) => Promise<Page<Entry>>;
  readonly apply: (entries: readonly Entry[], reading: Reading) => Promise<void>;
  /** The id here of what the network knows by an id. */
  readonly idOf: (networkId: string) => string;
  /** At most 100, by ids here; what came into the copy later than a time stays. */
  readonly remove: (ids: readonly string[], storedBefore: number) => Promise<void>;
  /** Whether nothing that is newer than one entry can be listed after it; replies are listed with what they reply to. */
  readonly isInOrder: boolean;
}

/** Whether what follows in the list is of interest, after a part whose oldest entry is of this time. */
export type Interest = (oldest: number) => boolean | Promise<boolean>;

interface Extent {
  /** Where to go on; absent at the beginning. */
  readonly place: ThreadPlace | undefined;
  readonly isWanted: Interest;
  readonly endsAt: number;
}

/** What a network has just stored or removed may not be seen in its lists yet. */
const settlingMs = 2 * 60_000;

/** Lists give times in seconds, events in milliseconds, and what a request sent has the time of this machine. */
const timesDifferMs = 60_000;

/** Of each id that was listed, its beginning is remembered between calls: one that was not may seem to have been. */
const markLength = 6;

/** The marks of more would make the row of a connection too large. */
const mostMarks = 10_000;

const markOf = (id: string): string => id.slice(0, markLength);

const marksIn = (seen: string): Set<string> =>
  new Set(
    Array.from({ length: seen.length / markLength }, (_, at) => seen.slice(at * markLength).slice(0, markLength)),
  );

interface Listed {
  readonly seen: ReadonlySet<string>;
  /** The time of the last entry, if the list goes on after it. */
  readonly oldest: number | undefined;
  readonly storedBefore: number;
  readonly endsAt: number;
}

/** What is left when the time is over is removed the next time. */
async function prune(
  { clock, table }: { readonly clock: Clock; readonly table: Table },
  thread: Pick<Thread<never>, 'pk' | 'remove'>,
  { seen, oldest, storedBefore, endsAt }: Listed,
): Promise<void> {
  const query = oldest === undefined ? placesOf(thread.pk) : placesAfter(thread.pk, oldest + timesDifferMs);
  const stored = (await Array.fromAsync(table.walk(query))).map(placedIdIn);
  for (const ids of inParts(stored.filter((id) => !seen.has(markOf(id))))) {
    await thread.remove(ids, storedBefore);
    if (clock.now() >= endsAt) return;
  }
}

/** Copies at least one part of the list; resolves with where to go on if the time is over before its end. */
export async function copyThread<Entry extends { readonly id: string; readonly createdAt: number }>(
  needs: { readonly clock: Clock; readonly table: Table },
  thread: Thread<Entry>,
  { place, isWanted, endsAt }: Extent,
): Promise<ThreadPlace | undefined> {
  const { clock } = needs;
  const begunAt = place?.begunAt ?? clock.now();
  const seen = marksIn(place?.seen ?? '');
  const isKnown = () => (place === undefined || place.seen !== undefined) && seen.size <= mostMarks;
  let cursor = place?.cursor;
  for (;;) {
    const asOf = clock.now() - settlingMs;
    const { items, unreadable, next } = await thread.list(cursor);
    await thread.apply(items, { asOf, isContinued: next !== undefined });
    for (const id of [...items.map((item) => item.id), ...unreadable]) seen.add(markOf(thread.idOf(id)));
    const oldest = Math.min(...items.map(({ createdAt }) => createdAt));
    if (next === undefined || !(await isWanted(oldest))) {
      const isWhole = isKnown() && (next === undefined || thread.isInOrder);
      const listed = { seen, oldest: next === undefined ? undefined : oldest };
      if (isWhole) await prune(needs, thread, { ...listed, storedBefore: begunAt - settlingMs, endsAt });
      return undefined;
    }
    cursor = next;
    if (clock.now() >= endsAt) return { cursor, begunAt, seen: isKnown() ? [...seen].join('') : undefined };
  }
}
