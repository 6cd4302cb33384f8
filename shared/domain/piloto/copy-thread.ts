/** Copies the messages of a conversation or the comments on a post, and removes what the network no longer has. */
import type { Page } from '../../gateways/social-network.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Table } from '../../platform/dynamo-table.ts';
import { placedIdIn } from '../inbox-keys.ts';
import { inParts } from './in-parts.ts';
import { placesAfter, placesOf } from './places.ts';

export interface Thread<Entry extends { readonly createdAt: number }> {
  /** The partition of its rows. */
  readonly pk: string;
  /** A part of the network's list, newest first. */
  readonly list: (cursor: string | undefined) => Promise<Page<Entry>>;
  /** `asOf`: since when what was listed is true. */
  readonly apply: (entries: readonly Entry[], asOf: number) => Promise<void>;
  readonly idOf: (entry: Entry) => string;
  /** At most 100, by ids here; what came into the copy later than a time stays. */
  readonly remove: (ids: readonly string[], storedBefore: number) => Promise<void>;
  /** Whether nothing that is newer than one entry can be listed after it; replies are listed with what they reply to. */
  readonly isInOrder: boolean;
}

interface Reading {
  /** Where to go on; absent at the beginning. */
  readonly cursor: string | undefined;
  /** What is older is not of interest. */
  readonly since: number;
  readonly endsAt: number;
}

/** What a network has just stored may not be listed by it yet. */
const settlingMs = 2 * 60_000;

/** What came into the copy after this time may be newer than what a request that begins now reads. */
const settledBefore = (clock: Clock): number => clock.now() - settlingMs;

async function prune<Entry extends { readonly createdAt: number }>(
  table: Table,
  thread: Thread<Entry>,
  { seen, after, storedBefore }: { seen: ReadonlySet<string>; after: number | undefined; storedBefore: number },
): Promise<void> {
  const query = after === undefined ? placesOf(thread.pk) : placesAfter(thread.pk, after);
  const missing = (await Array.fromAsync(table.walk(query))).map(placedIdIn).filter((id) => !seen.has(id));
  for (const ids of inParts(missing)) await thread.remove(ids, storedBefore);
}

/** Copies at least one part of the list; resolves with the cursor to go on from if the time is over before its end. */
export async function copyThread<Entry extends { readonly createdAt: number }>(
  { clock, table }: { readonly clock: Clock; readonly table: Table },
  thread: Thread<Entry>,
  { cursor, since, endsAt }: Reading,
): Promise<string | undefined> {
  const storedBefore = settledBefore(clock);
  const seen = new Set<string>();
  let next = cursor;
  for (;;) {
    const asOf = clock.now();
    const part = await thread.list(next);
    await thread.apply(part.items, asOf);
    for (const entry of part.items) seen.add(thread.idOf(entry));
    next = part.next;
    const oldest = Math.min(...part.items.map(({ createdAt }) => createdAt));
    if (next === undefined || oldest < since) {
      // What was copied by an earlier call was not seen by this one.
      const isWhole = cursor === undefined && (next === undefined || thread.isInOrder);
      if (isWhole) await prune(table, thread, { seen, storedBefore, after: next === undefined ? undefined : oldest });
      return undefined;
    }
    if (clock.now() >= endsAt) return next;
  }
}
