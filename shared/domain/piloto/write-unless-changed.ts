/**
 * Optimistic concurrency: writes what follows from the rows that were read, and starts over if one has changed
 * meanwhile.
 */
import { type Action, type Table, TransactionCanceled } from '../../platform/dynamo-table.ts';

/**
 * The maximum number of rounds, which is also how many writers can write the same rows concurrently: at least one
 * succeeds per round.
 */
const rounds = 50;

interface Change<Result> {
  readonly actions: readonly Action[];
  readonly result: Result;
}

/** Writes one transaction; `plan` reads the rows and adds the condition that they are unchanged. */
export async function writeUnlessChanged<Result>(table: Table, plan: () => Promise<Change<Result>>): Promise<Result> {
  for (let round = 1; ; round += 1) {
    const { actions, result } = await plan();
    if (actions.length === 0) return result;
    try {
      await table.transact(actions);
      return result;
    } catch (error) {
      if (!(error instanceof TransactionCanceled) || round === rounds) throw error;
    }
  }
}
