/** Enqueues connections that are due, and reports how overdue they are. */
import type { Logger } from '@aws-lambda-powertools/logger';
import type { Clock } from '../../../platform/clock.ts';
import type { Table } from '../../../platform/dynamo-table.ts';
import type { Queue } from '../../../platform/queue.ts';
import type { ServiceMetrics } from '../../metrics.ts';
import { readableFinds } from '../../readable-rows.ts';
import { requestWork } from '../pages/connect-page.ts';
import type { Connection } from '../pages/connection.ts';
import type { ConnectionStore } from '../pages/connection-store.ts';

interface Needs {
  readonly clock: Clock;
  readonly connections: ConnectionStore;
  readonly inboxQueue: Queue;
  readonly logger: Pick<Logger, 'warn'>;
  readonly metrics: ServiceMetrics;
  readonly table: Pick<Table, 'leftOut'>;
}

type ConnectionId = Pick<Connection, 'accountId' | 'channel'>;

const kind = { kind: 'connection', idOf: ({ accountId, channel }: ConnectionId) => `${accountId} ${channel}` };

/** How many messages are sent concurrently. */
const atOnce = 20;

/** How long a synchronization may take: a first one, or one with a social network that throttles, can take hours. */
const completeWithinMs = 6 * 3_600_000;

/** How overdue a connection is. Failures postpone the next attempt, so the due time alone does not reveal them. */
function overdueMs({ state, syncedAt, connectedAt, accessSince, dueAt }: Connection, now: number): number {
  // The time without access to the social network does not count, because the connection could not be synchronized.
  const since = Math.max(accessSince ?? connectedAt, syncedAt ?? 0);
  const incompleteMs = state === 'connected' ? now - since - completeWithinMs : 0;
  return Math.max(0, now - dueAt, incompleteMs);
}

/**
 * Enqueues due connections. A superfluous message is harmless: it does nothing while a connection is being worked on.
 */
export async function scheduleWork(needs: Needs): Promise<{ due: number }> {
  const { clock, connections, metrics, table } = needs;
  const now = clock.now();
  const due = await Array.fromAsync(connections.due(now));
  let longestMs = 0;
  for (let from = 0; from < due.length; from += atOnce) {
    const part = due.slice(from, from + atOnce);
    const found = await readableFinds(table, kind, part, (one) => connections.find(one));
    for (const one of found) longestMs = Math.max(longestMs, overdueMs(one, now));
    await Promise.all(part.map((one) => requestWork(needs, one)));
  }
  metrics.record({ OldestOverdueInboxAge: longestMs / 1000 });
  return { due: due.length };
}
