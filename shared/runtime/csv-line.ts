/** Lines of CSV that a spreadsheet can open safely. */

/** Spreadsheets run a text that begins like this as a formula, unless an apostrophe comes first. */
const formulaStart = /^[=+\-@\t\r\n]/;

/** A value that is absent or null is empty. */
function cell(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'string') return JSON.stringify(value);
  const text = formulaStart.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A line of CSV (RFC 4180). */
export const csvLine = (values: readonly unknown[]): string => `${values.map(cell).join(',')}\r\n`;
