/** Commits the transactions of concurrent work in a fixed order. */
import { taskKey } from '../domain/keys.ts';
import type { Action, Table } from '../platform/dynamo-table.ts';

export interface Turn {
  /**
   * The table, whose transactions wait until all earlier turns have ended. The transaction that creates a task ends the
   * turn.
   */
  readonly table: Table;
  /** Ends the turn of a request that creates no task. */
  readonly end: () => void;
}

const createsTask = (actions: readonly Action[]): boolean =>
  actions.some(({ Put }) => Put?.Item?.sk === taskKey('').sk);

/** Yields the turns in order. Work must be started in this order too, or it could wait for work that never starts. */
export function* turnsOf(table: Table): Generator<Turn, never> {
  let earlier: Promise<unknown> = Promise.resolve();
  for (;;) {
    const before = earlier;
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    earlier = before.then(() => ended);
    const transact: Table['transact'] = async (actions) => {
      await before;
      await table.transact(actions);
      // After a canceled attempt, the daily credits of a test account may be topped up, and the attempt is repeated.
      if (createsTask(actions)) end();
    };
    yield { table: { ...table, transact }, end };
  }
}
