/** Reads pages of lists, newest first, from their beginning or after a row, at a cost that does not depend on the depth. */

import { type IndexName, indexes } from './index-keys.ts';
import { primaryKey } from './keys.ts';

export interface ListRange {
  readonly limit: number;
  /** How many rows to skip, counted from `after`. */
  readonly offset: number;
  /** The last row of the previous page: its id, or the sort key where rows do not sort by their ids. */
  readonly after?: string | undefined;
}

interface SortedRows {
  /** The index to query; by default, the table itself. */
  readonly index?: IndexName;
  readonly pk: string;
  /** Only rows with a smaller sort key. */
  readonly after?: string | undefined;
}

/** Queries rows by descending sort key. */
export function newestFirst({ index, pk, after }: SortedRows) {
  const key = index ? indexes[index] : primaryKey;
  return {
    ...(index ? { IndexName: index } : { ConsistentRead: true }),
    KeyConditionExpression: after === undefined ? '#pk = :pk' : '#pk = :pk AND #sk < :after',
    ExpressionAttributeNames: { '#pk': key.pk, ...(after !== undefined && { '#sk': key.sk }) },
    ExpressionAttributeValues: { ':pk': pk, ...(after !== undefined && { ':after': after }) },
    ScanIndexForward: false,
  };
}

/** Reads a page after the current place of the row with the id `after`; undefined if there is no such row. */
export async function pageFromPlace<Page>(
  range: ListRange,
  placeOf: (id: string) => Promise<string | undefined>,
  read: (range: ListRange) => Promise<Page>,
): Promise<Page | undefined> {
  if (range.after === undefined) return read(range);
  const after = await placeOf(range.after);
  return after === undefined ? undefined : read({ ...range, after });
}
