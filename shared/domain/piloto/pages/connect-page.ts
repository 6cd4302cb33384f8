/** Connects a page of a social network to an account, and disconnects it. */
import type { Logger } from '@aws-lambda-powertools/logger';
import type { Channel } from '../../../contracts/channels.ts';
import { allErrors } from '../../../contracts/errors.ts';
import type {
  GrantedToken,
  Network,
  PageAccess,
  PageIdentity,
  SocialNetwork,
} from '../../../gateways/social-network.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Queue } from '../../../platform/queue.ts';
import type { SecretBox } from '../../../platform/secret-box.ts';
import { accountClosed, unlessClosed } from '../../accounts/closed-account.ts';
import { belongingOf, type Connection } from './connection.ts';
import { type ConnectionStore, claimPage, type ItemCondition, releasePage } from './connection-store.ts';
import { tokenTimes } from './token-times.ts';

export interface ConnectNeeds {
  readonly clock: Clock;
  readonly connections: ConnectionStore;
  readonly inboxQueue: Queue;
  readonly logger: Pick<Logger, 'warn'>;
  readonly secretBox: SecretBox;
  readonly socialNetwork: SocialNetwork;
}

/** The access that a social network granted. `expiresAt`: when the token expires, if known. */
export interface Grant extends GrantedToken {
  readonly accountId: string;
  readonly channel: Channel;
  readonly network: Network;
}

/** Conditions on connecting a page; none by default. */
interface Terms {
  /** A signal that aborts when the social network has taken too long. */
  readonly deadline?: AbortSignal | undefined;
  /** A condition that must hold in the transaction that connects the page. */
  readonly given?: (now: number) => ItemCondition;
}

/**
 * `other-page`: the account has connected another page of the channel. `other-account`: the page is connected to
 * another account.
 */
type Refusal = 'erasing' | 'other-page' | 'other-account' | 'changing';

const refusals: Readonly<Record<Refusal, string>> = {
  erasing: allErrors.CONNECTION_ERASING.description,
  'other-page': 'Another page of this channel is connected: remove that connection first.',
  'other-account': 'The page is connected to another account: remove that connection first.',
  changing: 'The connection is being changed by another request: try again.',
};

export class ConnectionRefused extends Error {
  override readonly name = 'ConnectionRefused';
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(refusals[refusal]);
    this.refusal = refusal;
  }
}

/**
 * Requests the next step that is due for a connection right away; if that fails, the schedule requests it within a
 * minute.
 */
export async function requestWork(
  { inboxQueue, logger }: Pick<ConnectNeeds, 'inboxQueue' | 'logger'>,
  { accountId, channel }: Pick<Connection, 'accountId' | 'channel'>,
): Promise<void> {
  await inboxQueue
    .send({ kind: 'work', accountId, channel }, { delaySeconds: 0, group: accountId })
    .catch((error: unknown) => logger.warn('work on a connection not enqueued', { error: error as Error }));
}

/** The token and ids with which to call the social network for a connected page. */
export async function accessOf(
  { secretBox }: Pick<ConnectNeeds, 'secretBox'>,
  connection: Connection,
): Promise<PageAccess> {
  const { channel, network, pageId, username, sealedToken = '' } = connection;
  return {
    channel,
    network,
    pageId,
    username,
    accessToken: await secretBox.open(sealedToken, belongingOf(connection)),
  };
}

function requireFree(current: Connection | undefined, { pageId }: Pick<PageIdentity, 'pageId'>): void {
  if (current?.state === 'erasing') throw new ConnectionRefused('erasing');
  if (current && current.pageId !== pageId) throw new ConnectionRefused('other-page');
}

/** How often saving a connection is attempted, because a synchronization changes it every few seconds. */
const maxAttempts = 10;

type PageToConnect = Omit<Connection, 'connectedAt' | 'version'> & { readonly accessSince: number };

/** Saves a new or renewed connection. @throws {ConnectionRefused} @throws {Rejection} forbidden */
async function saveConnected(
  { connections }: ConnectNeeds,
  page: PageToConnect,
  given?: ItemCondition,
): Promise<Connection> {
  for (let tries = 0; tries < maxAttempts; tries += 1) {
    const current = await connections.find(page);
    requireFree(current, page);
    const { connectedAt = page.accessSince, version = 0 } = current ?? {};
    const connection = { ...page, connectedAt, version };
    const isOpen = { check: unlessClosed(page.accountId), unmet: accountClosed };
    const saved = await connections.save(connection, claimPage(connection, current), [
      isOpen,
      ...(given ? [given] : []),
    ]);
    if (saved) return saved;
    const owner = await connections.accountOf(page.channel, page.pageId);
    if (owner !== undefined && owner !== page.accountId) throw new ConnectionRefused('other-account');
  }
  throw new ConnectionRefused('changing');
}

/**
 * Connects the page that a token belongs to, or gives its connection a new token; the inbox is copied in the
 * background. @throws {ConnectionRefused}, {NetworkFault}
 */
export async function connectPage(needs: ConnectNeeds, grant: Grant, terms: Terms = {}): Promise<Connection> {
  const { clock, connections, secretBox, socialNetwork } = needs;
  const { accessToken, expiresAt, ...given } = grant;
  const access = { ...grant, isAwaited: true, deadline: terms.deadline };
  const identity = await socialNetwork.page(access);
  requireFree(await connections.find(given), identity);
  const now = clock.now();
  const { userId = identity.userId, expiresAt: reportedEnd } = await socialNetwork.tokenDetails(access);
  const page = { ...given, ...identity, ...(userId !== undefined && { userId }) };
  const connected: PageToConnect = {
    ...page,
    state: 'connected',
    sealedToken: await secretBox.seal(accessToken, belongingOf(page)),
    ...tokenTimes(expiresAt ?? reportedEnd, now),
    accessSince: now,
    dueAt: now,
  };
  const saved = await saveConnected(needs, connected, terms.given?.(now));
  await requestWork(needs, saved);
  return saved;
}

function withoutToken(connection: Connection): Connection {
  const { sealedToken: _token, tokenExpiresAt: _end, renewTokenAt: _renewal, ...rest } = connection;
  return rest;
}

/** Unsubscribes from a disconnected page's events; failures do not matter. */
async function unsubscribe(needs: ConnectNeeds, connection: Connection): Promise<void> {
  try {
    await needs.socialNetwork.unsubscribe(await accessOf(needs, connection));
  } catch (error) {
    const { accountId, channel } = connection;
    needs.logger.warn('page not unsubscribed', { accountId, channel, error: error as Error });
  }
}

/**
 * Disconnects a page: deletes its token at once, and erases its copy in the background. Undefined if no page is
 * connected. @throws {ConnectionRefused} changing
 */
export async function disconnectPage(
  needs: ConnectNeeds,
  id: Pick<Connection, 'accountId' | 'channel'>,
): Promise<Connection | undefined> {
  const { clock, connections } = needs;
  for (let tries = 0; tries < maxAttempts; tries += 1) {
    const current = await connections.find(id);
    if (!current || current.state === 'erasing') return current;
    const now = clock.now();
    const { run: _ended, fault: _healed, leasedUntil: _lost, ...rest } = withoutToken(current);
    const ended: Connection = { ...rest, state: 'erasing', endedAt: now, dueAt: now };
    const saved = await connections.save(ended, releasePage(ended));
    if (!saved) continue;
    if (current.state === 'connected') await unsubscribe(needs, current);
    await requestWork(needs, saved);
    return saved;
  }
  throw new ConnectionRefused('changing');
}
