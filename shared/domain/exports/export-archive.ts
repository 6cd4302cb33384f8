/** The content of an export, from its first entry to its last: documents, files, and a description of both. */
import { exportBytesLimit } from '../../contracts/limits.ts';
import { type Clock, timestamp } from '../../platform/clock.ts';
import type { Table } from '../../platform/dynamo-table.ts';
import type { OpenStoredObject } from '../../platform/object-reader.ts';
import type { Settings } from '../../platform/settings.ts';
import type { ZipEntry } from '../../platform/zip-archive.ts';
import { rowKinds } from '../privacy/register.ts';
import { testAccountOf } from '../test-account.ts';
import { exportedRow, isOver, jsonArray } from './export-documents.ts';
import { filesToExport, type StoredFile } from './export-files.ts';
import { describedAs, type ExportedKind, exportedKinds, exportRules } from './export-rules.ts';
import type { ArchiveSize } from './export-store.ts';
import { rowsToExport } from './rows-to-export.ts';

export interface ArchiveNeeds {
  readonly clock: Clock;
  readonly openObject: OpenStoredObject;
  readonly settings: Pick<Settings, 'inputsBucket' | 'resultsBucket'>;
  readonly table: Table;
}

/** Instructions for one attempt at making an archive. */
interface ArchiveOrder {
  readonly accountId: string;
  /** From when on no further file is begun, because the call must end soon. */
  readonly filesUntil: number;
  readonly bytesLimit?: number;
  /** Called after every row and file. @throws to stop */
  readonly onProgress: (size: ArchiveSize) => Promise<void>;
}

type Reason = 'missing' | 'archive full';

/** What an archive contains so far. */
interface Tally {
  rows: number;
  files: number;
  bytes: number;
  readonly documents: { readonly file: string; readonly what: string }[];
  readonly leftOut: { readonly file: string; readonly reason: Reason }[];
}

const isMissing = (error: unknown): boolean => error instanceof Error && ['NoSuchKey', 'NotFound'].includes(error.name);

/** Continues a generator whose first value has already been read. */
async function* from<Value>(first: Value, rest: AsyncGenerator<Value>): AsyncGenerator<Value> {
  yield first;
  yield* rest;
}

/** What is needed to write an archive, with counts of what has been written. */
interface Making extends ArchiveNeeds, Required<ArchiveOrder> {
  readonly startedAt: number;
  readonly tally: Tally;
  /** The accounts with the folders of their entries: test tokens have an account of their own. */
  readonly accounts: readonly { readonly id: string; readonly folder: string }[];
}

async function* entriesOf({ onProgress, startedAt, table, tally }: Making, kind: ExportedKind, id: string) {
  for await (const row of rowsToExport[kind].rows(table, id)) {
    if (isOver(row, startedAt)) continue;
    yield exportedRow(kind, row);
    tally.rows += 1;
    await onProgress(tally);
  }
}

async function* documents(making: Making): AsyncGenerator<ZipEntry> {
  const { accounts, startedAt: lastModified, tally } = making;
  for (const { id, folder } of accounts) {
    for (const kind of exportedKinds) {
      const rows = entriesOf(making, kind, id);
      const { value: first, done } = await rows.next();
      if (done) continue;
      const name = `${folder}${exportRules[kind].document}.json`;
      tally.documents.push({ file: name, what: describedAs(kind) });
      yield { name, lastModified, input: jsonArray(from(first, rows)) };
    }
  }
}

async function* counted({ onProgress, tally }: Making, body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    tally.bytes += chunk.length;
    yield chunk;
    await onProgress(tally);
  }
  tally.files += 1;
}

/** Opens a stored file, or says why it is missing from the archive. */
async function open(making: Making, { bucket, key }: StoredFile): Promise<AsyncIterable<Uint8Array> | Reason> {
  const { bytesLimit, clock, filesUntil, openObject, settings, tally } = making;
  if (clock.now() >= filesUntil || tally.bytes >= bytesLimit) return 'archive full';
  try {
    const { body } = await openObject(bucket === 'inputs' ? settings.inputsBucket : settings.resultsBucket, key);
    return body;
  } catch (error) {
    if (isMissing(error)) return 'missing';
    throw error;
  }
}

async function* files(making: Making): AsyncGenerator<ZipEntry> {
  const { accounts, startedAt: lastModified, table, tally } = making;
  for (const { id, folder } of accounts) {
    for await (const file of filesToExport(table, id, lastModified)) {
      const name = folder + file.place;
      const body = await open(making, file);
      if (typeof body === 'string') tally.leftOut.push({ file: name, reason: body });
      else yield { name, lastModified, input: counted(making, body) };
    }
  }
}

async function* everything(making: Making): AsyncGenerator<ZipEntry> {
  yield* documents(making);
  yield* files(making);
  const { accountId, startedAt: lastModified, tally } = making;
  yield {
    name: 'about.json',
    lastModified,
    input: `${JSON.stringify(about(accountId, lastModified, tally), null, 2)}\n`,
  };
}

export function exportArchive(needs: ArchiveNeeds, order: ArchiveOrder) {
  const { accountId } = order;
  const making: Making = {
    bytesLimit: exportBytesLimit,
    ...needs,
    ...order,
    startedAt: needs.clock.now(),
    tally: { rows: 0, files: 0, bytes: 0, documents: [], leftOut: [] },
    accounts: [
      { id: accountId, folder: '' },
      { id: testAccountOf(accountId), folder: 'test-mode/' },
    ],
  };
  return { entries: everything(making), tally: making.tally as ArchiveSize & Pick<Tally, 'leftOut'> };
}

/** The description in an archive: what each document contains, what is in no document, and why. */
const about = (accountId: string, madeAt: number, { documents, leftOut }: Tally) => ({
  accountId,
  madeAt: timestamp(madeAt),
  documents,
  files:
    'The folder files/ has results and posters by task, uploads by file, and images that products and avatars use. A document names a file by its place in this archive.',
  filesLeftOut: leftOut,
  notExported: Object.entries(exportRules).flatMap(([name, rule]) =>
    'notExported' in rule && rowKinds[name as keyof typeof rowKinds].erasure !== 'none'
      ? [{ what: rowKinds[name as keyof typeof rowKinds].what, why: rule.notExported }]
      : [],
  ),
});
