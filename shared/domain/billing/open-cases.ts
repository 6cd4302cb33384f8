/** Open cases: how many there are, and how operators close them. */
import { ConditionFailed, type Table } from '../../platform/dynamo-table.ts';
import { indexes, openCases } from '../keys.ts';
import { resolving } from './case-store.ts';

/** As of a moment ago. */
export async function countOpenCases(table: Table): Promise<number> {
  const items = table.walk({
    IndexName: 'open',
    KeyConditionExpression: '#pk = :pk',
    ExpressionAttributeNames: { '#pk': indexes.open.pk },
    ExpressionAttributeValues: { ':pk': openCases },
  });
  return (await Array.fromAsync(items)).length;
}

/** Whether this has resolved it: it exists, and it was open. */
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
