/** Lists survive rows that cannot be read or shown: each is left out and reported, and the others are listed. */
import type { Item, Table } from '../platform/dynamo-table.ts';
import { InvalidRow } from './stored-row.ts';

declare const isReadable: unique symbol;

/** Rows each of which has been read or presented for itself; nothing else makes them. */
export type Readable<Row> = Row[] & { readonly [isReadable]: true };

/** What a row is called in the log and by the metric. */
export interface RowKind<Row> {
  readonly kind: string;
  /** Of a row that may be wrong in any other way. */
  readonly idOf: (row: Row) => string;
}

/** Of rows without secrets: their key says which one it is. */
const keyOf = ({ pk, sk }: Item): string => `${String(pk)} ${String(sk)}`;

/**
 * What can be read of some rows, in their order. A table that reports nothing, as in a process without operators, is
 * strict: the first row that cannot be read is an error.
 */
export function readable<Row, Read>(
  { leftOut }: Pick<Table, 'leftOut'>,
  { kind, idOf }: RowKind<Row>,
  rows: Iterable<Row>,
  read: (row: Row) => Read,
): Readable<Read> {
  const found: Read[] = [];
  for (const row of rows) {
    try {
      found.push(read(row));
    } catch (error) {
      if (!leftOut) throw error;
      leftOut({ kind, id: idOf(row), error });
    }
  }
  return found as Readable<Read>;
}

/** Rows that are found one by one, without those that no longer exist. */
export async function readableFinds<Id, Found>(
  { leftOut }: Pick<Table, 'leftOut'>,
  { kind, idOf }: RowKind<Id>,
  ids: readonly Id[],
  find: (id: Id) => Promise<Found | undefined>,
): Promise<Found[]> {
  const findOne = async (id: Id): Promise<Found[]> => {
    try {
      const found = await find(id);
      return found === undefined ? [] : [found];
    } catch (error) {
      // What the table itself fails with is not about the row.
      if (!leftOut || !(error instanceof InvalidRow)) throw error;
      leftOut({ kind, id: idOf(id), error });
      return [];
    }
  };
  return (await Promise.all(ids.map(findOne))).flat();
}

/** Items of the table as what they are. */
export const readableItems = <Read>(
  table: Pick<Table, 'leftOut'>,
  kind: string,
  items: Iterable<Item>,
  read: (item: Item) => Read,
): Readable<Read> => readable(table, { kind, idOf: keyOf }, items, read);
