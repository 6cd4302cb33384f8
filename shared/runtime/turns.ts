/** Commits the transactions of concurrent work in a fixed order. */
import type { Table } from '../platform/dynamo-table.ts';

export interface Turn {
  /** The table, whose transactions wait until all earlier turns have ended; the first one ends this turn. */
  readonly table: Table;
  /** Ends the turn of work that commits nothing. */
  readonly end: () => void;
}

/** Yields the turns in order. Work must be started in this order too, or it could wait for work that never starts. */
export function* turnsOf(table: Table): Generator<Turn, never> {
  let earlier: Promise<unknown> = Promise.resolve();
  for (;;) {
    const before = earlier;
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    earlier = before.then(() => ended);
    const transact: Table['transact'] = async (actions) => {
      await before;
      await table.transact(actions).finally(end);
    };
    yield { table: { ...table, transact }, end };
  }
}
