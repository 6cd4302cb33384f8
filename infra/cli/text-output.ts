/** Formats results as text: a table or CSV for lists, one line per field for single records. */
import { csvLine } from '../../shared/runtime/csv-line.ts';
import { printable } from './printable.ts';

type Scalar = string | number | boolean | null | undefined;

/** A field of a row: a scalar or a list of scalars. */
type Cell = Scalar | readonly Scalar[];

const shown = (cell: Cell): string => {
  const text = Array.isArray(cell) ? cell.join(', ') : String(cell ?? '');
  return text === '' ? 'none' : printable(text);
};

const aligned = (rows: readonly (readonly string[])[]): string => {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, cell.length);
  }
  const line = (row: readonly string[]) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
  return rows.map((row) => line(row).trimEnd()).join('\n');
};

/** A row of a list. */
export type Row = Readonly<Record<string, Cell>>;

/** Formats rows as CSV under their field names; without rows, there is nothing to name. */
export function csv(rows: readonly Row[]): string {
  const names = Object.keys(rows[0] ?? {});
  const cell = (value: Cell) => {
    const scalar = Array.isArray(value) ? value.join(' ') : value;
    return typeof scalar === 'string' ? printable(scalar) : scalar;
  };
  const cells = (row: Row) => names.map((name) => cell(row[name]));
  return [names, ...rows.map(cells)].map(csvLine).join('').trimEnd();
}

/** Formats rows under their field names; returns `emptySentence` if there are none. */
export function table(rows: readonly Row[], emptySentence: string): string {
  if (!rows[0]) return emptySentence;
  const names = Object.keys(rows[0]);
  return aligned([names, ...rows.map((row) => names.map((name) => shown(row[name])))]);
}

const isCell = (value: unknown): value is Cell =>
  typeof value !== 'object' ||
  value === null ||
  (Array.isArray(value) && value.every((one) => typeof one !== 'object'));

/** The fields of a value by path, such as `webhook.attempts[0].statusCode`. */
function* fieldsOf(value: object, path: string): Generator<[path: string, text: string]> {
  for (const [name, member] of Object.entries(value)) {
    const place = Array.isArray(value) ? `[${name}]` : `${path && '.'}${name}`;
    if (isCell(member)) yield [path + place, shown(member)];
    else yield* fieldsOf(member, path + place);
  }
}

/** Formats a record with one line per field. */
export const lines = (record: object): string => aligned([...fieldsOf(record, '')]);
