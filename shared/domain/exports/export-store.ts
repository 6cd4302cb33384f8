/**
 * Stores the export of an account: its last request, the progress of its archive, and until when the archive can be
 * downloaded.
 */
import * as z from 'zod';
import { exportHours, linksPerExport } from '../../contracts/limits.ts';
import { once } from '../../contracts/once.ts';
import { dayMs, timestamp } from '../../platform/clock.ts';
import { type Action, ConditionFailed, type Item, type Table } from '../../platform/dynamo-table.ts';
import { checkTime, indexes, openExports } from '../index-keys.ts';
import { expiryAttribute, exportAccountOf, exportKey } from '../keys.ts';
import { exportsFolder } from '../privacy/exports-folder.ts';
import { parseRow } from '../stored-row.ts';
import { walkDue } from '../walk-index.ts';

/** How much an archive contains. */
export interface ArchiveSize {
  readonly rows: number;
  readonly files: number;
  readonly bytes: number;
}

export interface AccountExport extends ArchiveSize {
  readonly accountId: string;
  readonly exportId: string;
  readonly state: 'making' | 'ready' | 'failed' | 'expired';
  readonly requestedAt: number;
  /** The day (UTC) of the last request, and how many there were on it. */
  readonly day: number;
  readonly count: number;
  /** How many attempts at making the archive were begun. */
  readonly attempts: number;
  /** The attempt that is making the archive, and until when no other attempt may. */
  readonly leaseId?: string;
  readonly leaseUntil?: number;
  readonly startedAt?: number;
  readonly readyAt?: number;
  /** The key of the archive in the inputs bucket, and until when it is available. */
  readonly key?: string;
  readonly availableUntil?: number;
  /** How many files are missing from the archive. */
  readonly leftOut?: number;
  /** When a link to the archive was last given, and how many were. */
  readonly openedAt?: number;
  readonly links?: number;
}

const ExportRow = once(() =>
  z.object({
    exportId: z.string(),
    state: z.enum(['making', 'ready', 'failed', 'expired']),
    requestedAt: z.int(),
    day: z.int(),
    count: z.int(),
    attempts: z.int(),
    rows: z.int(),
    files: z.int(),
    bytes: z.int(),
    leaseId: z.exactOptional(z.string()),
    leaseUntil: z.exactOptional(z.int()),
    startedAt: z.exactOptional(z.int()),
    readyAt: z.exactOptional(z.int()),
    key: z.exactOptional(z.string()),
    availableUntil: z.exactOptional(z.int()),
    leftOut: z.exactOptional(z.int()),
    openedAt: z.exactOptional(z.int()),
    links: z.exactOptional(z.int()),
  } satisfies Record<Exclude<keyof AccountExport, 'accountId'>, z.ZodType>),
);

/**
 * The folder of one attempt. Attempts have different folders, so that one that ends late never replaces the archive of
 * another.
 */
export const attemptFolder = ({ accountId, leaseId }: Pick<Lease, 'accountId' | 'leaseId'>): string =>
  `${exportsFolder(accountId)}${leaseId}/`;

const hourMs = 3_600_000;

/** How long a call may work on an archive: longer than a function runs. */
const leaseMs = 15 * 60_000;

/** How long the rest of an export is stored. */
const restMs = 30 * dayMs;

/** An attempt's exclusive right to make an archive, for a limited time. */
export interface Lease {
  readonly accountId: string;
  readonly exportId: string;
  readonly leaseId: string;
  readonly startedAt: number;
}

const { pk: openPk, sk: openSk } = indexes.open;

/** The write of a new request, which replaces the earlier export, as it was read. */
export const putExport = ({ accountId, ...request }: AccountExport, before: AccountExport | undefined): Action => ({
  Put: {
    Item: {
      ...exportKey(accountId),
      ...request,
      [openPk]: openExports,
      [openSk]: checkTime(request.requestedAt),
    },
    ConditionExpression: before ? 'exportId = :before AND #state = :state' : 'attribute_not_exists(pk)',
    ...(before && {
      ExpressionAttributeNames: { '#state': 'state' },
      ExpressionAttributeValues: { ':before': before.exportId, ':state': before.state },
    }),
  },
});

/** The write that records that a link to an archive is given; fails if the archive has changed, or has all its links. */
export const recordOpening = ({ accountId, exportId }: AccountExport, now: number): Action => ({
  Update: {
    Key: exportKey(accountId),
    UpdateExpression: 'SET openedAt = :now ADD links :one',
    ConditionExpression:
      'exportId = :exportId AND #state = :ready AND availableUntil > :now AND (attribute_not_exists(links) OR links < :most)',
    ExpressionAttributeNames: { '#state': 'state' },
    ExpressionAttributeValues: {
      ':exportId': exportId,
      ':now': now,
      ':ready': 'ready',
      ':one': 1,
      ':most': linksPerExport,
    },
  },
});

const toExport = (item: Item): AccountExport => ({
  accountId: exportAccountOf(item),
  ...parseRow('export', ExportRow(), item),
});

interface Change {
  readonly set: Readonly<Record<string, unknown>>;
  readonly remove?: readonly string[];
  /** The attributes and values that the row must have. */
  readonly given: Readonly<Record<string, unknown>>;
}

/** Changes a row; false if it lacks the required attributes and values. */
async function changes(table: Table, accountId: string, { set, remove = [], given }: Change): Promise<boolean> {
  const names = [...Object.keys(set), ...Object.keys(given), ...remove];
  const removal = remove.length > 0 ? ` REMOVE ${remove.map((name) => `#${name}`).join(', ')}` : '';
  const values = [
    ...Object.entries(set),
    ...Object.entries(given).map(([name, value]) => [`given_${name}`, value] as const),
  ];
  try {
    await table.update({
      Key: exportKey(accountId),
      UpdateExpression: `SET ${Object.keys(set)
        .map((name) => `#${name} = :${name}`)
        .join(', ')}${removal}`,
      ConditionExpression: Object.keys(given)
        .map((name) => `#${name} = :given_${name}`)
        .join(' AND '),
      ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
      ExpressionAttributeValues: Object.fromEntries(values.map(([name, value]) => [`:${name}`, value])),
    });
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
}

/** The accounts whose export is due, the longest overdue first. */
async function* dueExports(table: Table, now: number): AsyncGenerator<string> {
  for await (const key of walkDue(table, openExports, checkTime(now))) yield exportAccountOf(key);
}

interface Archive extends ArchiveSize {
  readonly key: string;
  readonly leftOut: number;
  readonly readyAt: number;
}

/** The writes of one attempt; each is false if the attempt has lost its lease. */
const attempts = (table: Table) => ({
  /** Records the progress of the attempt. */
  report: ({ accountId, leaseId }: Lease, { rows, files, bytes }: ArchiveSize) =>
    changes(table, accountId, { set: { rows, files, bytes }, given: { leaseId, state: 'making' } }),

  /** Makes the archive available until a day after the attempt began, because the bucket counts its age from then. */
  complete({ accountId, leaseId, startedAt }: Lease, made: Archive) {
    const availableUntil = startedAt + exportHours * hourMs;
    return changes(table, accountId, {
      set: { ...made, state: 'ready', availableUntil, [openSk]: checkTime(availableUntil) },
      remove: ['leaseUntil'],
      given: { leaseId, state: 'making' },
    });
  },

  /** Ends a failed attempt, so that the next one begins at the given time. */
  retryAt: ({ accountId, leaseId }: Lease, at: number) =>
    changes(table, accountId, {
      set: { [openSk]: checkTime(at) },
      remove: ['leaseUntil'],
      given: { leaseId, state: 'making' },
    }),
});

export const exportStore = (table: Table) => ({
  ...attempts(table),

  async find(accountId: string): Promise<AccountExport | undefined> {
    const item = await table.get(exportKey(accountId));
    return item && toExport(item);
  },

  due: (now: number) => dueExports(table, now),

  /** Begins an attempt; false if another one has begun meanwhile. */
  claim({ accountId, exportId, leaseId, startedAt }: Lease, earlier: number): Promise<boolean> {
    const leaseUntil = startedAt + leaseMs;
    const empty = { rows: 0, files: 0, bytes: 0 };
    return changes(table, accountId, {
      set: { ...empty, attempts: earlier + 1, leaseId, leaseUntil, startedAt, [openSk]: checkTime(leaseUntil) },
      given: { exportId, state: 'making', attempts: earlier },
    });
  },

  /** Ends an export with a final status; false if another one has been requested meanwhile. */
  end: ({ accountId, exportId, state }: AccountExport, to: 'failed' | 'expired', now: number): Promise<boolean> =>
    changes(table, accountId, {
      set: { state: to, [expiryAttribute]: Math.ceil((now + restMs) / 1000) },
      remove: [openPk, openSk, 'leaseUntil', 'key'],
      given: { exportId, state },
    }),
});

/** How an export is shown; an archive whose time is over has expired, even if it is not deleted yet. */
export function presentExport(found: AccountExport | undefined, now: number) {
  const time = (at: number | undefined): string | null => (at === undefined ? null : timestamp(at));
  const isOver = found?.state === 'ready' && (found.availableUntil ?? 0) <= now;
  return {
    state: isOver ? ('expired' as const) : (found?.state ?? ('none' as const)),
    requestedAt: time(found?.requestedAt),
    rows: found?.rows ?? 0,
    files: found?.files ?? 0,
    bytes: found?.bytes ?? 0,
    filesLeftOut: found?.leftOut ?? 0,
    availableUntil: time(found?.availableUntil),
  };
}
