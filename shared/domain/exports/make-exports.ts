/** Makes the archives of exports that are due, one account at a time, and deletes expired archives. */
import type { Logger } from '@aws-lambda-powertools/logger';
import type { Bucket } from '../../platform/bucket.ts';
import { dayAt } from '../../platform/clock.ts';
import type { Ids } from '../../platform/ids.ts';
import type { ObjectEraser } from '../../platform/object-eraser.ts';
import { zipArchive } from '../../platform/zip-archive.ts';
import { exportsFolder } from '../privacy/exports-folder.ts';
import { type ArchiveNeeds, exportArchive } from './export-archive.ts';
import { type AccountExport, attemptFolder, exportStore, type Lease } from './export-store.ts';

export interface ExportNeeds extends ArchiveNeeds {
  readonly ids: Ids;
  readonly inputs: Pick<Bucket, 'write'>;
  readonly logger: Pick<Logger, 'error' | 'info'>;
  readonly objectEraser: ObjectEraser;
}

/** How many attempts at an archive are made before its export fails. */
const mostAttempts = 3;

/** How long after an error the next attempt begins. */
const pauseMs = 60_000;

/**
 * How long a call begins new archives, and how long it begins new files; after that, it needs time to finish within its
 * limit.
 */
const [beginsForMs, filesForMs] = [60_000, 600_000];

/** How often progress is recorded. */
const reportEveryMs = 5000;

/** The export was erased, or another attempt has begun. */
class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/** Makes an archive and makes it available. @throws {LeaseLost} */
async function makeArchive(needs: ExportNeeds, lease: Lease): Promise<void> {
  const { clock, inputs, table } = needs;
  const { accountId, startedAt } = lease;
  const store = exportStore(table);
  let reportAt = startedAt + reportEveryMs;
  const { entries, tally } = exportArchive(needs, {
    accountId,
    filesUntil: startedAt + filesForMs,
    async onProgress(size) {
      if (clock.now() < reportAt) return;
      reportAt = clock.now() + reportEveryMs;
      if (!(await store.report(lease, size))) throw new LeaseLost();
    },
  });
  const key = `${attemptFolder(lease)}account-${dayAt(startedAt)}.zip`;
  const bytes = await inputs.write(key, { body: zipArchive(entries), contentType: 'application/zip' });
  const { rows, files, leftOut } = tally;
  const made = { key, rows, files, bytes, leftOut: leftOut.length, readyAt: clock.now() };
  if (!(await store.complete(lease, made))) throw new LeaseLost();
}

async function attempt(needs: ExportNeeds, { accountId, exportId, attempts }: AccountExport): Promise<void> {
  const { clock, ids, logger, objectEraser, table } = needs;
  const store = exportStore(table);
  const lease = { accountId, exportId, leaseId: ids.next(), startedAt: clock.now() };
  if (!(await store.claim(lease, attempts))) return;
  try {
    // Archives of earlier requests and attempts.
    await objectEraser.erase('inputs', exportsFolder(accountId));
    await makeArchive(needs, lease);
    logger.info('export made', { accountId, exportId });
  } catch (error) {
    await objectEraser.erase('inputs', attemptFolder(lease));
    if (error instanceof LeaseLost) return;
    await store.retryAt(lease, clock.now() + pauseMs);
    throw error;
  }
}

/** Does what is due for the export of an account. */
async function advanceExport(needs: ExportNeeds, accountId: string): Promise<void> {
  const { clock, logger, objectEraser, table } = needs;
  const store = exportStore(table);
  const found = await store.find(accountId);
  const now = clock.now();
  if (found?.state === 'ready' && (found.availableUntil ?? 0) <= now) {
    if (found.leaseId !== undefined)
      await objectEraser.erase('inputs', attemptFolder({ accountId, leaseId: found.leaseId }));
    await store.end(found, 'expired', now);
  }
  if (found?.state !== 'making' || (found.leaseUntil ?? 0) > now) return;
  if (found.attempts < mostAttempts) return attempt(needs, found);
  await objectEraser.erase('inputs', exportsFolder(accountId));
  await store.end(found, 'failed', now);
  logger.error('export failed', { accountId, exportId: found.exportId });
}

/** An error in one export does not stop the others. @throws the last error */
export async function makeExports(needs: ExportNeeds): Promise<void> {
  const endsAt = needs.clock.now() + beginsForMs;
  let failure: { readonly error: unknown } | undefined;
  for await (const accountId of exportStore(needs.table).due(needs.clock.now())) {
    if (needs.clock.now() >= endsAt) break;
    try {
      await advanceExport(needs, accountId);
    } catch (error) {
      needs.logger.error('export not advanced', { accountId, error: error as Error });
      failure = { error };
    }
  }
  // A failed call raises an alarm.
  if (failure) throw failure.error;
}
