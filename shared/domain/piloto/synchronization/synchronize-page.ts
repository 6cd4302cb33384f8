/**
 * Synchronizes the copy of a page's inbox with the social network, so that a lost event delays a change by minutes
 * only. It copies conversations, then posts, and can stop and continue anywhere.
 */
import type { Logger } from '@aws-lambda-powertools/logger';
import type { PageAccess } from '../../../gateways/social-network.ts';
import { isNetworkFault } from '../network-fault.ts';
import { accessOf, type ConnectNeeds } from '../pages/connect-page.ts';
import { type Connection, recheckMs, type SyncRun } from '../pages/connection.ts';
import { copyInbox } from './copy-inbox.ts';
import type { CopyInboxNeeds } from './copy-listed.ts';

export interface SyncNeeds extends ConnectNeeds, CopyInboxNeeds {
  readonly logger: Pick<Logger, 'error' | 'info' | 'warn'>;
}

/** How often a connected page is synchronized, and how often completely. */
const everyMs = 5 * 60_000;
const fullyEveryMs = 24 * 3_600_000;

/** How soon an incomplete list is read again. */
const incompleteMs = 15 * 60_000;

/** How soon a social network that is down is tried again. */
const downMs = 60_000;

/** The error if another process has taken over the connection, or the page was disconnected. */
class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

async function save(needs: SyncNeeds, connection: Connection): Promise<Connection> {
  const saved = await needs.connections.save(connection);
  if (!saved) throw new LeaseLost();
  return saved;
}

function beginRun({ fullySyncedAt = 0 }: Connection, now: number): SyncRun {
  const mode = now - fullySyncedAt >= fullyEveryMs ? 'full' : 'recent';
  return { mode, startedAt: now, phase: 'conversations', listed: [], found: 0, synchronized: 0 };
}

/**
 * Starts a synchronization. It renews the event subscription, which the social network drops after long delivery
 * failures.
 */
async function begin(needs: SyncNeeds, connection: Connection, access: PageAccess): Promise<Connection> {
  const run = beginRun(connection, needs.clock.now());
  if (run.mode === 'full') await needs.socialNetwork.subscribe(access);
  return save(needs, { ...connection, run });
}

function completed({ leasedUntil: _free, run, fault: _healed, ...connection }: Connection, now: number): Connection {
  const startedAt = run?.startedAt ?? now;
  if (run?.isIncomplete) return { ...connection, fault: 'incomplete', dueAt: now + incompleteMs };
  return {
    ...connection,
    syncedAt: startedAt,
    ...(run?.mode === 'full' && { fullySyncedAt: startedAt }),
    dueAt: now + everyMs,
  };
}

/** Proceeds with a synchronization, chunk by chunk, until it is complete or time runs out. */
async function proceed(needs: SyncNeeds, connection: Connection, endsAt: number): Promise<'done' | 'more'> {
  const { clock } = needs;
  const access = await accessOf(needs, connection);
  let current = connection.run ? connection : await begin(needs, connection, access);
  while (current.run) {
    const run = await copyInbox(needs, { connection: current, run: current.run, access, endsAt });
    if (run === undefined) {
      await save(needs, completed(current, clock.now()));
      return 'done';
    }
    const isLate = clock.now() >= endsAt;
    const progressed = { ...run, failures: undefined };
    current = await save(needs, {
      ...current,
      run: progressed,
      ...(isLate && { leasedUntil: undefined, dueAt: clock.now() }),
    });
    if (isLate) return 'more';
  }
  return 'done';
}

interface Failure {
  readonly fault: string;
  readonly state?: 'revoked';
  readonly delayMs: number;
}

function failureOf(error: unknown): Failure {
  if (!isNetworkFault(error)) return { fault: 'failed', delayMs: everyMs };
  const { reason: fault, retryAfterSeconds } = error;
  if (fault === 'revoked') return { fault, state: 'revoked', delayMs: recheckMs };
  const delayMs = fault === 'throttled' ? everyMs : downMs;
  return { fault, delayMs: retryAfterSeconds === undefined ? delayMs : retryAfterSeconds * 1000 };
}

/** Schedules the next attempt after a failed synchronization, which continues after what was already copied. */
async function postpone(needs: SyncNeeds, leased: Connection, error: unknown): Promise<void> {
  const { accountId, channel } = leased;
  const { clock, connections, logger, metrics } = needs;
  if (error instanceof LeaseLost) return;
  const current = await connections.find({ accountId, channel });
  // The fault does not apply to a newer token or to another process that has taken over.
  if (!current || current.sealedToken !== leased.sealedToken || current.leasedUntil !== leased.leasedUntil) return;
  const { delayMs, ...failure } = failureOf(error);
  const details = { accountId, channel, fault: failure.fault, error: error as Error };
  if (failure.state) logger.warn('connection revoked', details);
  else logger.error('synchronization failed', details);
  metrics.record(failure.state && current.state === 'connected' ? { ConnectionsRevoked: 1 } : { InboxSyncFailures: 1 });
  const { run } = current;
  const next = { ...current, ...failure, ...(run && { run: { ...run, failures: (run.failures ?? 0) + 1 } }) };
  await connections.save({ ...next, leasedUntil: undefined, dueAt: clock.now() + delayMs });
}

/** Synchronizes until time runs out; never throws because of the social network. */
export async function synchronizePage(
  needs: SyncNeeds,
  connection: Connection,
  endsAt: number,
): Promise<'done' | 'more'> {
  try {
    return await proceed(needs, connection, endsAt);
  } catch (error) {
    await postpone(needs, connection, error);
    return 'done';
  }
}

/** Tries a revoked token again: if its owner has restored the permissions, the page is connected again. */
export async function recheckToken(needs: SyncNeeds, connection: Connection): Promise<'done' | 'more'> {
  const { clock, connections, socialNetwork } = needs;
  try {
    await socialNetwork.page(await accessOf(needs, connection));
  } catch (error) {
    await postpone(needs, connection, error);
    return 'done';
  }
  const { fault: _healed, leasedUntil: _free, run: _outdated, ...rest } = connection;
  const now = clock.now();
  // No events arrived while the token was revoked, so a complete synchronization follows.
  await connections.save({ ...rest, state: 'connected', accessSince: now, fullySyncedAt: undefined, dueAt: now });
  return 'more';
}
