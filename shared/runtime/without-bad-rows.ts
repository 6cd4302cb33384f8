/** Removes the rows of a list that its contract does not allow. */
import * as z from 'zod';
import type { RequestContract } from '../contracts/operation.ts';
import { readable } from '../domain/readable-rows.ts';
import type { Table } from '../platform/dynamo-table.ts';

/** Properties that identify a row, in any list. */
const idNames = ['id', 'taskId', 'postId', 'tokenId', 'sessionId'];

function idOf(row: unknown): string {
  const ids: unknown[] = idNames.map((name) => Object(row)[name]);
  return ids.find((id) => typeof id === 'string') ?? '?';
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
