/** The data of a list without the rows that its contract does not allow. */
import * as z from 'zod';
import type { RequestContract } from '../contracts/operation.ts';
import { readable } from '../domain/readable-rows.ts';
import type { Table } from '../platform/dynamo-table.ts';

/** What identifies a row of any list. */
const idNames = ['id', 'taskId', 'postId', 'tokenId', 'sessionId'];

function idOf(row: unknown): string {
  const ids: unknown[] = idNames.map((name) => Object(row)[name]);
  return ids.find((id) => typeof id === 'string') ?? '?';
}

/** Undefined if something else than single rows is wrong, or it is no list. */
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
    // The error names the attributes, and may quote what they hold.
    if (bad.has(index)) throw error;
    return row;
  });
  return { ...rest, [name]: kept };
}
