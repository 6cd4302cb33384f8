/** Executes a request's write at the social network as a page, and records if the token was revoked. */
import type { Logger } from '@aws-lambda-powertools/logger';
import type { PageAccess } from '../../gateways/social-network.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Table } from '../../platform/dynamo-table.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import type { ServiceMetrics } from '../metrics.ts';
import { isNetworkFault } from './network-fault.ts';
import { type Connection, recheckMs } from './pages/connection.ts';
import { connectionStore } from './pages/connection-store.ts';
import { type NetworkAction, openAccess, rejectedByNetwork } from './rejected-by-network.ts';

export interface NetworkWriteNeeds {
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
  readonly metrics: ServiceMetrics;
  readonly secretBox: SecretBox;
  readonly table: Table;
}

/**
 * Records that a token was revoked, unless the connection has changed since it was read; then a synchronization detects
 * it.
 */
async function recordRevoked(needs: NetworkWriteNeeds, connection: Connection): Promise<void> {
  const { clock, logger, metrics, table } = needs;
  const { accountId, channel } = connection;
  const dueAt = clock.now() + recheckMs;
  const revoked = { ...connection, state: 'revoked', fault: 'revoked', leasedUntil: undefined, dueAt } as const;
  try {
    if (!(await connectionStore(table).save(revoked))) return;
    logger.warn('connection revoked', { accountId, channel });
    metrics.record({ ConnectionsRevoked: 1 });
  } catch (error) {
    logger.warn('revoked connection not recorded', { accountId, channel, error: error as Error });
  }
}

/**
 * Calls the social network.
 * @throws {Rejection} if nothing was done; otherwise the error itself, after which something may have been done
 */
export async function writeToNetwork<Result>(
  needs: NetworkWriteNeeds,
  connection: Connection,
  asked: NetworkAction,
  work: (access: PageAccess) => Promise<Result>,
): Promise<Result> {
  const access = await openAccess(needs, connection);
  try {
    return await work(access);
  } catch (error) {
    if (isNetworkFault(error) && error.reason === 'revoked') await recordRevoked(needs, connection);
    throw rejectedByNetwork(error, connection.channel, asked);
  }
}
