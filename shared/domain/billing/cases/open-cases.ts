/** Lists cases, counts open ones and resolves them for operators. */
import { ConditionFailed, type Item, type Table } from '../../../platform/dynamo-table.ts';
import { indexes, openCases } from '../../index-keys.ts';
import { casesPartition } from '../../keys.ts';
import { readableItems } from '../../readable-rows.ts';
import type { BillingCase } from './billing-case.ts';
import { findCases, resolving, toCase } from './case-store.ts';

/** The index of open cases, sorted by their ids, which begin with the ids of their orders. */
const inIndex = {
  IndexName: 'open',
  KeyConditionExpression: '#pk = :pk',
  ExpressionAttributeNames: { '#pk': indexes.open.pk },
  ExpressionAttributeValues: { ':pk': openCases },
};

/** How many cases a list has at most. */
const listed = { limit: 100, offset: 0 };

/** The open cases of the oldest orders; the index may lag slightly. */
export async function oldestOpenCases(table: Table): Promise<BillingCase[]> {
  const keys = await table.list(inIndex, listed);
  const found = await findCases(
    table,
    keys.map(({ sk }: Item) => String(sk)),
  );
  const open = found.filter(({ resolvedAt }) => resolvedAt === undefined);
  return open.toSorted((one, other) => one.createdAt - other.createdAt);
}

/** The cases of the latest orders, including resolved ones. */
export async function latestCases(table: Table): Promise<BillingCase[]> {
  const items = await table.list(
    {
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': casesPartition },
      ScanIndexForward: false,
    },
    listed,
  );
  return readableItems(table, 'case', items, toCase).toSorted((one, other) => one.createdAt - other.createdAt);
}

/** The number of open cases; the index may lag slightly. */
export async function countOpenCases(table: Table): Promise<number> {
  return (await Array.fromAsync(table.walk(inIndex))).length;
}

/** Resolves a case; false if it does not exist or is already resolved. */
export async function resolveCase(
  table: Table,
  caseId: string,
  { resolution, resolvedAt }: { readonly resolution: string; readonly resolvedAt: number },
): Promise<boolean> {
  try {
    await table.update(resolving(caseId, { resolution, resolvedAt }));
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
}
