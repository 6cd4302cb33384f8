/** Counts open cases and resolves them for operators. */
import { ConditionFailed, type Table } from '../../../platform/dynamo-table.ts';
import { indexes, openCases } from '../../index-keys.ts';
import { resolving } from './case-store.ts';

/** The number of open cases; the index may lag slightly. */
export async function countOpenCases(table: Table): Promise<number> {
  const items = table.walk({
    IndexName: 'open',
    KeyConditionExpression: '#pk = :pk',
    ExpressionAttributeNames: { '#pk': indexes.open.pk },
    ExpressionAttributeValues: { ':pk': openCases },
  });
  return (await Array.fromAsync(items)).length;
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
