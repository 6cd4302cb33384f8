/** Removes the rows of a list that its contract does not allow. */
import * as z from 'zod';
import type { RequestContract } from '../contracts/operation.ts';
import { readable } from '../domain/readable-rows.ts';
import type { Table } from '../platform/dynamo-table.ts';

/** The first member that is named as an id, such as `id` or `taskId`: rows begin with what identifies them. */
function idOf(row: unknown): string {
  const found = Object.entries(Object(row)).find(([name, value]) => /^id$|Id$/.test(name) && typeof value === 'string');
  return found ? String(found[1]) : '?';
}

/** The data without its invalid rows; undefined if it is not a list or anything else is invalid. */
export function withoutBadRows(
  { operationId, success: { rows: name } }: Pick<RequestContract, 'operationId' | 'success'>,
  data: unknown,
  error: unknown,
  table: Pick<Table, 'leftOut'>,
): object | undefined {
  if (name === undefined || !(error instanceof z.ZodError)) return undefined;
  const isOfRow = ({ path: [member, index] }: z.core.$ZodIssue) => member === name && typeof index === 'number';
  if (!error.issues.every(isOfRow)) return undefined;
  const bad = new Set(error.issues.map(({ path }) => path[1]));
  const { [name]: rows, ...rest } = data as Record<string, readonly unknown[]>;
  const checked = [...(rows ?? []).entries()];
  const kept = readable(table, { kind: operationId, idOf: ([, row]) => idOf(row) }, checked, ([index, row]) => {
    // The error names the invalid attributes and may quote their values.
    if (bad.has(index)) throw error;
    return row;
  });
  return { ...rest, [name]: kept };
}
