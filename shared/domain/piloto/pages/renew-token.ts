/** Renews the token of a connected page long before it expires. */
import type { PageAccess } from '../../../gateways/social-network.ts';
import { isNetworkFault } from '../network-fault.ts';
import { isPermanentFault } from '../synchronization/copy-listed.ts';
import type { SyncNeeds } from '../synchronization/synchronize-page.ts';
import { accessOf, type ConnectNeeds } from './connect-page.ts';
import { belongingOf, type Connection } from './connection.ts';
import { endsSoon, isRenewalDue, tokenTimes } from './token-times.ts';

/** How soon a failed renewal is retried. */
const retryMs = 30 * 60_000;

/** How soon a social network that does not renew a token is asked again. */
const againMs = 24 * 3_600_000;

type Renewal = Partial<Pick<Connection, 'sealedToken' | 'tokenExpiresAt'>> & Pick<Connection, 'renewTokenAt'>;

/** The expiry that the social network reports for a token that it does not renew, if it reports one. */
async function reportedEnd({ logger, socialNetwork }: ConnectNeeds, access: PageAccess, { accountId }: Connection) {
  try {
    const { expiresAt: tokenExpiresAt } = await socialNetwork.tokenDetails(access);
    return tokenExpiresAt === undefined ? {} : { tokenExpiresAt };
  } catch (error) {
    if (!isNetworkFault(error)) throw error;
    logger.warn('token expiry not read', { accountId, channel: access.channel, fault: error.reason, error });
    return {};
  }
}

async function renewal(needs: ConnectNeeds, connection: Connection): Promise<Renewal> {
  const { clock, secretBox, socialNetwork } = needs;
  const access = await accessOf(needs, connection);
  const granted = await socialNetwork.renewToken(access);
  if (!granted) return { ...(await reportedEnd(needs, access, connection)), renewTokenAt: clock.now() + againMs };
  const sealedToken = await secretBox.seal(granted.accessToken, belongingOf(connection));
  return { sealedToken, ...tokenTimes(granted.expiresAt, clock.now()) };
}

/** Whether the social network refuses the renewal; a missing permission counts as a revoked token. */
const isRefusal = (error: unknown): boolean =>
  isPermanentFault(error) || (isNetworkFault(error) && error.reason === 'revoked');

/** Tries to renew the token. Failures are harmless, because the current token stays valid until it expires. */
async function tryRenewal(needs: SyncNeeds, connection: Connection): Promise<Renewal> {
  const { clock, logger, metrics } = needs;
  try {
    return await renewal(needs, connection);
  } catch (error) {
    const { accountId, channel, tokenExpiresAt } = connection;
    logger.warn('token not renewed', { accountId, channel, tokenExpiresAt, error: error as Error });
    // The expiry of a token that is not renewed is unknown, so operators are warned.
    if (tokenExpiresAt === undefined && isRefusal(error)) metrics.record({ TokensExpiringSoon: 1 });
    const waitMs = isNetworkFault(error) ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
    return { renewTokenAt: clock.now() + Math.max(retryMs, waitMs) };
  }
}

/**
 * The number of attempts allows for concurrent changes by the owner or operators; the lease excludes other processes.
 */
const maxAttempts = 10;

/**
 * Stores a renewed token unless the page was disconnected or given another one meanwhile. Returns undefined then, and if
 * any other field of the row has changed, because another process may be working on the page.
 */
async function store(
  { connections }: Pick<ConnectNeeds, 'connections'>,
  connection: Connection,
  renewed: Renewal,
): Promise<Connection | undefined> {
  let current: Connection | undefined = connection;
  for (let tries = 0; tries < maxAttempts; tries += 1) {
    if (!current || current.sealedToken !== connection.sealedToken) return undefined;
    const saved = await connections.save({ ...current, ...renewed });
    if (saved) return current === connection ? saved : undefined;
    current = await connections.find(connection);
  }
  return undefined;
}

/**
 * Renews the token if that is due, and returns the connection; undefined if it changed meanwhile. If the social network
 * does not renew the token, it is asked again later.
 */
export async function withRenewedToken(needs: SyncNeeds, connection: Connection): Promise<Connection | undefined> {
  const { clock, logger, metrics } = needs;
  const isDue = isRenewalDue(connection, clock.now());
  const current = isDue ? await store(needs, connection, await tryRenewal(needs, connection)) : connection;
  if (current && endsSoon(current, clock.now())) {
    const { accountId, channel, tokenExpiresAt } = current;
    if (isDue) logger.warn('token expires soon', { accountId, channel, tokenExpiresAt });
    metrics.record({ TokensExpiringSoon: 1 });
  }
  return current;
}
