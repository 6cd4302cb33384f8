/** Does the next step of what is due for a connection: renews its token, synchronizes its page, or erases its copy. */

import { fetchNewestProfiles } from '../conversations/participant-profile.ts';
import { recheckToken, type SyncNeeds, synchronizePage } from '../synchronization/synchronize-page.ts';
import { requestWork } from './connect-page.ts';
import type { Connection } from './connection.ts';
import { removeConnection } from './connection-store.ts';
import { type EraseNeeds, eraseInbox } from './erase-inbox.ts';
import { withRenewedToken } from './renew-token.ts';

export type WorkNeeds = SyncNeeds & EraseNeeds;

/** How long one process has exclusive use of a connection: longer than a function may run. */
const leaseMs = 60_000;

/** How long one call works before it leaves the rest to the next call. */
const workMs = 25_000;

/** How long after a disconnection no process that was running at the time can still write. */
const settleMs = 2 * 60_000;

async function erase(needs: WorkNeeds, connection: Connection, endsAt: number): Promise<'done' | 'more'> {
  const { clock, connections, table } = needs;
  const isErased = await eraseInbox(needs, connection, endsAt);
  if (isErased && clock.now() >= (connection.endedAt ?? 0) + settleMs) {
    await table.transact([removeConnection(connection)]);
    return 'done';
  }
  const dueAt = isErased ? (connection.endedAt ?? 0) + settleMs : clock.now();
  await connections.save({ ...connection, leasedUntil: undefined, dueAt });
  return isErased ? 'done' : 'more';
}

function handle(needs: WorkNeeds, connection: Connection, endsAt: number): Promise<'done' | 'more'> {
  if (connection.state === 'erasing') return erase(needs, connection, endsAt);
  return connection.state === 'revoked' ? recheckToken(needs, connection) : synchronizePage(needs, connection, endsAt);
}

/** Works on a connection exclusively; a crashed process is replaced after a minute. */
export async function workOnConnection(
  needs: WorkNeeds,
  id: Pick<Connection, 'accountId' | 'channel'>,
  limitMs = workMs,
): Promise<void> {
  const { clock, connections } = needs;
  const now = clock.now();
  const current = await connections.find(id);
  if (!current || (current.leasedUntil ?? 0) > now) return;
  const leased = await connections.save({ ...current, leasedUntil: now + leaseMs, dueAt: now + leaseMs });
  const ready = leased && (await withRenewedToken(needs, leased));
  if (!ready) return;
  const endsAt = now + limitMs;
  if ((await handle(needs, ready, endsAt)) === 'more') await requestWork(needs, ready);
  else await fetchNewestProfiles(needs, ready, endsAt);
}
