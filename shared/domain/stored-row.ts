/** Reads rows of the table strictly: a row that does not match its schema is an error, never a wrong value. */
import type * as z from 'zod';
import type { Item } from '../platform/dynamo-table.ts';

/** An error that names the invalid attributes of a row, but never quotes their values. */
export class InvalidRow extends Error {
  override readonly name = 'InvalidRow';
}

/** Parses a row by its schema. @throws {InvalidRow} */
export function parseRow<Schema extends z.ZodType>(kind: string, schema: Schema, item: Item): z.output<Schema> {
  const parsed = schema.safeParse(item);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ code, path: [attribute] }) => `${String(attribute)} (${code})`);
  throw new InvalidRow(`a stored ${kind} cannot be read: ${[...new Set(problems)].join(', ')}`);
}
