/**
 * Copies the messages of a conversation or the comments on a post, and removes those that the social network no longer
 * has.
 */
import type { Page } from '../../../gateways/social-network.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Table } from '../../../platform/dynamo-table.ts';
import { placedIdIn } from '../../inbox-keys.ts';
import type { Reading } from '../conversations/apply-messages.ts';
import type { ThreadPlace } from '../pages/connection.ts';
import { inParts } from './in-parts.ts';
import { placesAfter, placesOf } from './places.ts';

export interface Thread<Entry extends { readonly id: string; readonly createdAt: number }> {
  /** The partition key of the rows. */
  readonly pk: string;
  /** Lists one chunk of the messages or comments, newest first. */
  readonly list: (cursor: string | undefined) => Promise<Page<Entry>>;
  readonly apply: (entries: readonly Entry[], reading: Reading) => Promise<void>;
  /** The stored id that corresponds to a social network's id. */
  readonly idOf: (networkId: string) => string;
  /** Removes at most 100 entries by their stored ids, except those stored after the given time. */
  readonly remove: (ids: readonly string[], storedBefore: number) => Promise<void>;
  /** Whether the list is strictly sorted by time; replies are listed with their parent. */
  readonly isInOrder: boolean;
}

/** Decides whether to read on after a chunk whose oldest entry has this time. */
export type Interest = (oldest: number) => boolean | Promise<boolean>;

interface Extent {
  /** Where to continue; absent at the beginning. */
  readonly place: ThreadPlace | undefined;
  readonly isWanted: Interest;
  readonly endsAt: number;
}

/** How long a social network's lists may lag behind what it has just stored or removed. */
const settlingMs = 2 * 60_000;

/**
 * How much the time of an entry may differ by source: lists have seconds, events have milliseconds, and requests use
 * this machine's clock.
 */
const timesDifferMs = 60_000;

/**
 * How much of each listed id is remembered between calls. A hash collision only makes an entry that was not listed look
 * listed.
 */
const markLength = 6;

/** The most listed ids to remember: more would make the connection's row too large. */
const maxMarks = 10_000;

/** The most chunks of a list to read: a list that is longer repeats itself. */
const maxChunks = 10_000;

const markOf = (id: string): string => id.slice(0, markLength);

const marksIn = (seen: string): Set<string> =>
  new Set(
    Array.from({ length: seen.length / markLength }, (_, at) => seen.slice(at * markLength).slice(0, markLength)),
  );

interface Listed {
  readonly seen: ReadonlySet<string>;
  /** The time of the last entry, if the list continues after it. */
  readonly oldest: number | undefined;
  readonly storedBefore: number;
  readonly endsAt: number;
}

/**
 * Removes stored entries that were not listed; what is left when time runs out is removed by the next synchronization.
 */
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

/**
 * Copies at least one chunk of the list; returns where to continue if time runs out before its end. Of a list that has
 * no end, nothing is removed.
 */
export async function copyThread<Entry extends { readonly id: string; readonly createdAt: number }>(
  needs: { readonly clock: Clock; readonly table: Table },
  thread: Thread<Entry>,
  { place, isWanted, endsAt }: Extent,
): Promise<ThreadPlace | undefined> {
  const { clock } = needs;
  const begunAt = place?.begunAt ?? clock.now();
  const seen = marksIn(place?.seen ?? '');
  const isKnown = () => (place === undefined || place.seen !== undefined) && seen.size <= maxMarks;
  let cursor = place?.cursor;
  for (let chunks = (place?.chunks ?? 0) + 1; ; chunks += 1) {
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
    if (next === cursor || chunks >= maxChunks) return undefined;
    cursor = next;
    if (clock.now() >= endsAt) return { cursor, chunks, begunAt, seen: isKnown() ? [...seen].join('') : undefined };
  }
}
