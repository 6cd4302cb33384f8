/** Formats a text table: words left-aligned, numbers right-aligned. */

type Cell = string | number;

export interface TextTable {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

/** Formats a cell: integers unchanged, other numbers with one decimal. */
const cellText = (cell: Cell | undefined): string =>
  typeof cell === 'number' && !Number.isInteger(cell) ? cell.toFixed(1) : String(cell ?? '');

/** Formats the ratio of two numbers. */
export const timesText = (value: number, unit: number): string => `${(value / unit).toFixed(1)} ×`;

export function textTable({ title, columns, rows }: TextTable): string {
  const body = rows.map((row) => columns.map((_, column) => cellText(row[column])));
  const lines = [[...columns], ...body];
  const pad = (text: string, column: number): string => {
    const width = Math.max(...lines.map((line) => line[column]?.length ?? 0));
    const isNumeric = body.every((line) => /^-?\d/.test(line[column] ?? ''));
    return isNumeric ? text.padStart(width) : text.padEnd(width);
  };
  const [head = '', ...rest] = lines.map((line) => line.map(pad).join('   '));
  return [title, '', head, '-'.repeat(head.length), ...rest].map((line) => `  ${line}`.trimEnd()).join('\n');
}
