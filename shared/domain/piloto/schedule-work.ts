/** Enqueues what is due for connections, and reports how late the latest of it is. */
import type { Logger } from '@aws-lambda-powertools/logger';
import type { Clock } from '../../platform/clock.ts';
import type { Queue } from '../../platform/queue.ts';
import type { ServiceMetrics } from '../metrics.ts';
import { requestWork } from './connect-page.ts';
import type { ConnectionStore } from './connection-store.ts';

interface Needs {
  readonly clock: Clock;
  readonly connections: ConnectionStore;
  readonly inboxQueue: Queue;
  readonly logger: Pick<Logger, 'warn'>;
  readonly metrics: ServiceMetrics;
}

/** How many messages are sent at a time. */
const atOnce = 20;

/** A message for a connection that is being worked on does nothing, so that one too many does not matter. */
export async function scheduleWork(needs: Needs): Promise<{ due: number }> {
  const { clock, connections, metrics } = needs;
  const now = clock.now();
  const due = await Array.fromAsync(connections.due(now));
  for (let from = 0; from < due.length; from += atOnce)
    await Promise.all(due.slice(from, from + atOnce).map((one) => requestWork(needs, one)));
  const [first] = due;
  const longest = first && (await connections.find(first));
  metrics.record({ OldestOverdueInboxAge: longest ? Math.max(0, now - longest.dueAt) / 1000 : 0 });
  return { due: due.length };
}
