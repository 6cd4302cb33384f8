/** Deletes rows of the table. */
import type { Item, Key, Table } from '../platform/dynamo-table.ts';

export const keyOf = ({ pk, sk }: Item): Key => ({ pk: String(pk), sk: String(sk) });

/** How many rows a transaction may delete. */
const batchLength = 100;

/** Deletes rows, a hundred at a time; rows that do not exist are ignored. */
export async function deleteRows(table: Pick<Table, 'transact'>, keys: readonly Key[]): Promise<void> {
  for (let from = 0; from < keys.length; from += batchLength) {
    const batch = keys.slice(from, from + batchLength);
    await table.transact(batch.map(({ pk, sk }) => ({ Delete: { Key: { pk, sk } } })));
  }
}
