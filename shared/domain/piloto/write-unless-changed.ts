/** Writes what follows from rows that were read, and reads them again if one of them has changed meanwhile. */
import { type Action, type Table, TransactionCanceled } from '../../platform/dynamo-table.ts';

/** Somebody succeeds in every round, so that as many can write the same rows at a time. */
const rounds = 50;

interface Change<Result> {
  readonly actions: readonly Action[];
  readonly result: Result;
}

/** One transaction; `plan` reads the rows and makes the condition that they are still the same. */
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
