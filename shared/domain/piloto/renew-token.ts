/** Renews the token of a connected page long before it ends. */
import type { PageAccess } from '../../gateways/social-network.ts';
import { accessOf, type ConnectNeeds } from './connect-page.ts';
import { belongingOf, type Connection } from './connection.ts';
import { isLasting } from './copy-listed.ts';
import { isNetworkFault } from './network-fault.ts';
import type { SyncNeeds } from './synchronize-page.ts';
import { endsSoon, isRenewalDue, tokenTimes } from './token-times.ts';

/** How soon a renewal that failed is tried again. */
const retryMs = 30 * 60_000;

/** How soon a network that renews no tokens is asked again. */
const againMs = 24 * 3_600_000;

type Renewal = Partial<Pick<Connection, 'sealedToken' | 'tokenExpiresAt'>> & Pick<Connection, 'renewTokenAt'>;

/** When a token ends that the network does not renew; nothing if it does not say so now. */
async function reportedEnd({ logger, socialNetwork }: ConnectNeeds, access: PageAccess, { accountId }: Connection) {
  try {
    const { expiresAt: tokenExpiresAt } = await socialNetwork.tokenDetails(access);
    return tokenExpiresAt === undefined ? {} : { tokenExpiresAt };
  } catch (error) {
    if (!isNetworkFault(error)) throw error;
    logger.warn('end of a token not reported', { accountId, channel: access.channel, fault: error.reason, error });
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

/** A missing permission counts as a revoked token. */
const isRefusal = (error: unknown): boolean =>
  isLasting(error) || (isNetworkFault(error) && error.reason === 'revoked');

/** The token is valid until its end, so that whatever fails can be repeated, and nothing else depends on it. */
async function tryRenewal(needs: SyncNeeds, connection: Connection): Promise<Renewal> {
  const { clock, logger, metrics } = needs;
  try {
    return await renewal(needs, connection);
  } catch (error) {
    const { accountId, channel, tokenExpiresAt } = connection;
    logger.warn('token not renewed', { accountId, channel, tokenExpiresAt, error: error as Error });
    // The end of such a token is never known unless it is renewed.
    if (tokenExpiresAt === undefined && isRefusal(error)) metrics.record({ TokensEndingSoon: 1 });
    const waitMs = isNetworkFault(error) ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
    return { renewTokenAt: clock.now() + Math.max(retryMs, waitMs) };
  }
}

/** As often as a connection may change meanwhile, which its lease prevents but for its owner and operators. */
const maxAttempts = 10;

/**
 * Stores a renewal unless the page has been disconnected or given another token. Undefined if anything else has changed,
 * too: then another process may be at work.
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
 * The connection with its token renewed if that was due; undefined if it has changed meanwhile. A network that does not
 * renew it is asked again later.
 */
export async function withRenewedToken(needs: SyncNeeds, connection: Connection): Promise<Connection | undefined> {
  const { clock, logger, metrics } = needs;
  const isDue = isRenewalDue(connection, clock.now());
  const current = isDue ? await store(needs, connection, await tryRenewal(needs, connection)) : connection;
  if (current && endsSoon(current, clock.now())) {
    const { accountId, channel, tokenExpiresAt } = current;
    if (isDue) logger.warn('token ends soon', { accountId, channel, tokenExpiresAt });
    metrics.record({ TokensEndingSoon: 1 });
  }
  return current;
}
