/** The JSON documents of an export: how a row becomes an entry that people and programs can read. */
import { timestamp } from '../../platform/clock.ts';
import type { Item } from '../../platform/dynamo-table.ts';
import { expiryAttribute } from '../keys.ts';
import type { RowKind } from '../privacy/data-kind.ts';
import { rowKinds } from '../privacy/register.ts';
import { type ExportedKind, exportRules } from './export-rules.ts';
import { rowsToExport } from './rows-to-export.ts';

/** The exported fields of a kind of row: all personal ones except secrets, and those that its export rule names. */
export function exportedFields(kind: ExportedKind): string[] {
  const { fields }: RowKind = rowKinds[kind];
  const also = new Set(exportRules[kind].also.split(' '));
  return Object.keys(fields).filter(
    (name) => fields[name] === 'personal' || (fields[name] !== 'secret' && also.has(name)),
  );
}

/**
 * The path of a stored file in the archive, which replaces its key, because the key contains a secret. Undefined for
 * any other text.
 */
export function placeInArchive(key: string): string | undefined {
  const [, folder, id, name] =
    /^(results|files)\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:-[^/]*)?(\/[^/]+|\.[^/]+)$/.exec(key) ?? [];
  return folder === undefined ? undefined : `files/${folder === 'files' ? 'kept' : folder}/${id}${name}`;
}

/** The fields that name stored files. */
const isKey: ReadonlySet<string> = new Set(['key', 'posterKey', 'portraits']);

const isTime = /(At|Until|Start|End|^at|^exp)$/;
/** Numbers above this are times in milliseconds; as a time, it would be in 1973. */
const earliestMs = 1e11;

function shown(name: string, value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (value instanceof Set) return [...value].map(String).toSorted();
  if (Array.isArray(value)) return value.map((one) => shown(name, one));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, shown(key, one)]));
  }
  if (typeof value === 'string') return (isKey.has(name) ? placeInArchive(value) : undefined) ?? value;
  if (typeof value !== 'number' || !isTime.test(name)) return value;
  if (name === expiryAttribute) return timestamp(value * 1000);
  return value >= earliestMs ? timestamp(value) : value;
}

/** A row as the archive shows it. */
export const exportedRow = (kind: ExportedKind, row: Item): Readonly<Record<string, unknown>> => ({
  ...rowsToExport[kind].ids(row),
  ...Object.fromEntries(
    exportedFields(kind)
      .filter((name) => row[name] !== undefined)
      .map((name) => [name, shown(name, row[name])]),
  ),
});

/** Whether DynamoDB may delete a row at any time. */
export const isOver = (row: Item, now: number): boolean =>
  row[expiryAttribute] !== undefined && Number(row[expiryAttribute]) * 1000 <= now;

/** A JSON array, entry by entry. */
export async function* jsonArray(entries: AsyncIterable<unknown>): AsyncGenerator<Uint8Array> {
  let separator = '[\n';
  for await (const entry of entries) {
    yield Buffer.from(separator + JSON.stringify(entry, null, 2));
    separator = ',\n';
  }
  yield Buffer.from('\n]\n');
}
