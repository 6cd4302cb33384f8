/** Lists and ends the sessions of an owner in the index, whether account owners or operators. */
import { openSessionsLimit } from '../../contracts/limits.ts';
import type { Item, Table } from '../../platform/dynamo-table.ts';
import { indexes } from '../index-keys.ts';
import { sessionDigestOf } from '../keys.ts';
import { readable } from '../readable-rows.ts';

interface SessionKind<Row> {
  readonly name: string;
  readonly parse: (item: Item) => Row;
  readonly isLive: (row: Row, now: number) => boolean;
}

/** Ends the session with a digest; false if it has already ended. */
type End = (digest: string) => Promise<boolean>;

const ofOwner = (owner: string) => ({
  IndexName: 'byOwner',
  KeyConditionExpression: '#pk = :pk',
  ExpressionAttributeNames: { '#pk': indexes.byOwner.pk },
  ExpressionAttributeValues: { ':pk': owner },
});

/** The id of a session's row; the row's key is the digest of the session's secret. */
const listedIdOf = (item: Item): string => String(item[indexes.byOwner.sk]);

/** An owner's sessions that have not ended, newest first, at most as many as they can have. */
export async function listOwned<Row>(
  table: Table,
  owner: string,
  { isLive, name, parse }: SessionKind<Row>,
  now: number,
): Promise<Row[]> {
  const found: (readonly [id: string, Row])[] = [];
  // Ended sessions stay in the index for hours, so further pages may be needed.
  for (let offset = 0; found.length < openSessionsLimit; offset += openSessionsLimit) {
    const keys = await table.list({ ...ofOwner(owner), ScanIndexForward: false }, { limit: openSessionsLimit, offset });
    const items = await table.getMany(keys.map((key) => ({ pk: String(key.pk), sk: String(key.sk) })));
    const rows = readable(
      table,
      { kind: name, idOf: listedIdOf },
      items,
      (item) => [listedIdOf(item), parse(item)] as const,
    );
    found.push(...rows.filter(([, row]) => isLive(row, now)));
    if (keys.length < openSessionsLimit) break;
  }
  const newestFirst = found.toSorted(([one], [other]) => (one < other ? 1 : -1));
  return newestFirst.slice(0, openSessionsLimit).map(([, row]) => row);
}

/** How many sessions beyond the limit a log-in ends: more than one only where log-ins run at the same time. */
const endedAtOnce = 20;

/**
 * Ends the sessions of an owner, except the most recent ones, of which as many stay open as are allowed. Every log-in
 * calls this, so that only the few sessions just before those can still be open.
 */
export async function endOldestOwned(table: Table, owner: string, end: End): Promise<void> {
  const keys = await table.list(
    { ...ofOwner(owner), ScanIndexForward: false },
    { limit: endedAtOnce, offset: openSessionsLimit },
  );
  await Promise.all(keys.map((key) => end(sessionDigestOf(key))));
}

/** Ends a session by its id; false if the owner does not have it or it has already ended. */
export async function endOwned(table: Table, owner: string, sessionId: string, end: End): Promise<boolean> {
  const { ExpressionAttributeNames, ExpressionAttributeValues, ...query } = ofOwner(owner);
  const [key] = await table.list(
    {
      ...query,
      KeyConditionExpression: `${query.KeyConditionExpression} AND #sk = :sk`,
      ExpressionAttributeNames: { ...ExpressionAttributeNames, '#sk': indexes.byOwner.sk },
      ExpressionAttributeValues: { ...ExpressionAttributeValues, ':sk': sessionId },
    },
    { limit: 1, offset: 0 },
  );
  return key ? end(sessionDigestOf(key)) : false;
}

/** Ends all sessions of an owner, and returns how many had not ended yet. */
export async function endAllOwned(table: Table, owner: string, end: End): Promise<number> {
  const seen = new Set<string>();
  let ended = 0;
  // Repeats the listing until it finds no new session, because one may be replaced by its successor meanwhile.
  for (let seenBefore = -1; seenBefore < seen.size; ) {
    seenBefore = seen.size;
    for await (const key of table.walk(ofOwner(owner))) {
      const digest = sessionDigestOf(key);
      if (seen.has(digest)) continue;
      seen.add(digest);
      if (await end(digest)) ended += 1;
    }
  }
  return ended;
}
