/**
 * Makes lists tolerate rows that cannot be read or presented: each is left out and reported, and the others are
 * returned.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Item, LeftOutRow, Table } from '../platform/dynamo-table.ts';
import { InvalidRow } from './stored-row.ts';

declare const isReadable: unique symbol;

/** Rows that were each read or presented separately; only this module creates the type. */
export interface Readable<Row> extends Array<Row> {
  readonly [isReadable]: true;
}

/** The name of the kind of row in the log and the metric. */
export interface RowKind<Row> {
  readonly kind: string;
  /** The row's id, which must work even if anything else in the row is invalid. */
  readonly idOf: (row: Row) => string;
}

/** Identifies a row by its key; only for rows whose key is not secret. */
const keyOf = ({ pk, sk }: Item): string => `${String(pk)} ${String(sk)}`;

/** Tracks whether the running function has left out a row so far. */
const works = new AsyncLocalStorage<{ hasLeftOut: boolean }>();

/** Runs a function; returns its result, and whether it has left out rows. */
export async function recordingLeftOutRows<Result>(
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly hasLeftOut: boolean }> {
  const noticed = { hasLeftOut: false };
  const result = await works.run(noticed, work);
  return { result, ...noticed };
}

function report({ leftOut }: Pick<Table, 'leftOut'>, row: LeftOutRow): void {
  if (!leftOut) throw row.error;
  const noticed = works.getStore();
  if (noticed) noticed.hasLeftOut = true;
  leftOut(row);
}

/**
 * Reads rows, leaving out those that cannot be read, in order. If the table does not report left-out rows, as in a
 * process without operators, the first unreadable row throws.
 */
export function readable<Row, Read>(
  table: Pick<Table, 'leftOut'>,
  { kind, idOf }: RowKind<Row>,
  rows: Iterable<Row>,
  read: (row: Row) => Read,
): Readable<Read> {
  const found: Read[] = [];
  for (const row of rows) {
    try {
      found.push(read(row));
    } catch (error) {
      report(table, { kind, id: idOf(row), error });
    }
  }
  return found as Readable<Read>;
}

/** Rows computed from others, of which the unreadable ones have been left out. */
export const computedFrom = <Row, Computed>(
  rows: Readable<Row>,
  compute: (rows: readonly Row[]) => Computed[],
): Readable<Computed> => compute(rows) as Readable<Computed>;

/** Finds rows one by one, leaving out those that do not exist or cannot be read. */
export async function readableFinds<Id, Found>(
  table: Pick<Table, 'leftOut'>,
  { kind, idOf }: RowKind<Id>,
  ids: readonly Id[],
  find: (id: Id) => Promise<Found | undefined>,
): Promise<Found[]> {
  const findOne = async (id: Id): Promise<Found[]> => {
    try {
      const found = await find(id);
      return found === undefined ? [] : [found];
    } catch (error) {
      // Errors of the table itself are not caused by the row.
      if (!(error instanceof InvalidRow)) throw error;
      report(table, { kind, id: idOf(id), error });
      return [];
    }
  };
  return (await Promise.all(ids.map(findOne))).flat();
}

/** Reads items of the table, leaving out those that cannot be read. */
export const readableItems = <Read>(
  table: Pick<Table, 'leftOut'>,
  kind: string,
  items: Iterable<Item>,
  read: (item: Item) => Read,
): Readable<Read> => readable(table, { kind, idOf: keyOf }, items, read);
