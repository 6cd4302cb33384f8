/** Requests the export of an account, and gives the link to its archive. */
import { exportsPerDay, linksPerExport } from '../../contracts/limits.ts';
import { type Clock, midnightBefore, secondsToMidnight } from '../../platform/clock.ts';
import { type Action, type Table, TransactionCanceled } from '../../platform/dynamo-table.ts';
import type { Ids } from '../../platform/ids.ts';
import type { StoredObjects } from '../../platform/stored-objects.ts';
import { accountKey } from '../keys.ts';
import { Rejection } from '../rejection.ts';
import { type AccountExport, exportStore, putExport, recordOpening } from './export-store.ts';

interface Needs {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly table: Table;
}

/** How long a link is valid. This is enough to begin a download, which may then take longer. */
const linkSeconds = 300;

/** Requires that the erasure of an account has not begun. */
const requireUnerased = (accountId: string): Action => ({
  ConditionCheck: {
    Key: accountKey(accountId),
    ConditionExpression:
      'attribute_exists(pk) AND attribute_not_exists(erasedAt) AND attribute_not_exists(closing.erasingAt)',
  },
});

/** A new export; the limit counts the requests of a day. @throws {Rejection} rate-limited */
function nextExport({ clock, ids }: Needs, accountId: string, before: AccountExport | undefined): AccountExport {
  const now = clock.now();
  const day = midnightBefore(now);
  const count = before?.day === day ? before.count + 1 : 1;
  if (count > exportsPerDay) {
    throw new Rejection('rate-limited', {
      message: `An account may request ${exportsPerDay} exports on a day (UTC).`,
      retryAfterSeconds: secondsToMidnight(now),
    });
  }
  const empty = { rows: 0, files: 0, bytes: 0 };
  return { accountId, exportId: ids.next(), state: 'making', requestedAt: now, day, count, attempts: 0, ...empty };
}

const failsAt = (error: unknown, position: number): boolean =>
  error instanceof TransactionCanceled && error.failures[position] !== undefined;

/** How often an export is requested again if another request was stored first. */
const maxAttempts = 5;

/**
 * Requests an export, unless one is being made already, which is then returned. A further condition must hold in either
 * case. @throws {Rejection} rate-limited, unconfirmed, not-found
 */
export async function requestExport(needs: Needs, accountId: string, given?: Action): Promise<AccountExport> {
  const { table } = needs;
  for (let tries = 1; ; tries += 1) {
    const before = await exportStore(table).find(accountId);
    const making = before?.state === 'making' ? before : undefined;
    const next = making ?? nextExport(needs, accountId, before);
    try {
      const write = making ? [] : [putExport(next, before)];
      await table.transact([requireUnerased(accountId), ...(given ? [given] : []), ...write]);
      return next;
    } catch (error) {
      if (failsAt(error, 0)) throw new Rejection('not-found');
      if (given && failsAt(error, 1)) throw new Rejection('unconfirmed');
      if (!(error instanceof TransactionCanceled) || tries === maxAttempts) throw error;
    }
  }
}

/** An export whose archive a new link may lead to. @throws {Rejection} rate-limited, not-found */
function linkable(found: AccountExport | undefined, now: number) {
  const { key, availableUntil = 0, links = 0 } = found ?? {};
  if (!found || key === undefined || found.state !== 'ready' || availableUntil <= now) throw new Rejection('not-found');
  if (links < linksPerExport) return { ...found, key, availableUntil };
  throw new Rejection('rate-limited', {
    message: `An archive has ${linksPerExport} links at most: request a new export.`,
    retryAfterSeconds: secondsToMidnight(now),
  });
}

/**
 * Returns a link to the archive of an account. It is valid for minutes, but a new one can be requested as long as the
 * archive is available.
 * @throws {Rejection} rate-limited, unconfirmed, not-found
 */
export async function openExport(
  { clock, storedObjects, table }: Omit<Needs, 'ids'> & { readonly storedObjects: Pick<StoredObjects, 'addressOf'> },
  accountId: string,
  given?: Action,
): Promise<{ readonly url: string; readonly expiresAt: number }> {
  const now = clock.now();
  const find = async () => linkable(await exportStore(table).find(accountId), now);
  const found = await find();
  try {
    await table.transact([recordOpening(found, now), ...(given ? [given] : [])]);
  } catch (error) {
    if (!(error instanceof TransactionCanceled)) throw error;
    if (!failsAt(error, 0)) throw new Rejection('unconfirmed');
    // Since it was read, the last link was given, or the archive was deleted or replaced.
    await find();
    throw new Rejection('not-found');
  }
  const seconds = Math.max(1, Math.min(linkSeconds, Math.floor((found.availableUntil - now) / 1000)));
  return {
    url: await storedObjects.addressOf({ bucket: 'inputs', key: found.key }, seconds),
    expiresAt: now + seconds * 1000,
  };
}
