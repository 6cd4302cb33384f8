/** The files of an export: results with posters, uploads, and images that products and avatars use. */
import { type MediaType, mediaTypes } from '../../contracts/media.ts';
import type { Item, Table } from '../../platform/dynamo-table.ts';
import { uploadKeyIn } from '../files/file-store.ts';
import { ownIdOf } from '../keys.ts';
import { isOver, placeInArchive } from './export-documents.ts';
import type { ExportedKind } from './export-rules.ts';
import { rowsToExport } from './rows-to-export.ts';

export interface StoredFile {
  readonly bucket: 'inputs' | 'results';
  readonly key: string;
  /** The path in the archive. */
  readonly place: string;
}

/** The keys of stored files that a row names, at any depth. */
function keysIn(value: unknown): string[] {
  if (typeof value === 'string') return placeInArchive(value) === undefined ? [] : [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(keysIn);
}

function filesOf(kind: ExportedKind, row: Item): StoredFile[] {
  // Texts of the account are not searched: keys of files are only in fields that the service writes.
  const named = kind === 'task' ? row.results : [row.image, row.images, row.key];
  const stored = keysIn(named).map((key) => ({ bucket: 'results', key, place: placeInArchive(key) ?? key }) as const);
  if (kind !== 'file') return stored;
  const fileId = ownIdOf(row);
  const { extension } = mediaTypes[row.contentType as MediaType] ?? { extension: 'bin' };
  const upload = {
    bucket: 'inputs',
    key: uploadKeyIn(row),
    place: `files/uploads/${fileId}.${extension}`,
  } as const;
  return stored.length > 0 ? stored : [upload];
}

/** The kinds whose rows name files, the smallest files first. */
const withFiles = ['product', 'avatar', 'file', 'task'] as const satisfies readonly ExportedKind[];

/** The files of an account, each once. */
export async function* filesToExport(table: Table, accountId: string, now: number): AsyncGenerator<StoredFile> {
  // Remembers the images of products and avatars, because only these can be named by several rows; they are few.
  const seen = new Set<string>();
  for (const kind of withFiles) {
    for await (const row of rowsToExport[kind].rows(table, accountId)) {
      if (isOver(row, now)) continue;
      for (const file of filesOf(kind, row)) {
        if (seen.has(file.key)) continue;
        if (kind !== 'task') seen.add(file.key);
        yield file;
      }
    }
  }
}
