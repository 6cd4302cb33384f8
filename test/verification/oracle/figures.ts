/**
 * The daily figures that operators see: whatever fails, they must be exactly what the ended tasks, their jobs and the
 * ledger say.
 */
import { isDeepStrictEqual as same } from 'node:util';
import { costsOf } from '../../../shared/domain/engine-jobs/engine-costs.ts';
import { type Counts, costCounts, endCounts, rowCounts, sumOf } from '../../../shared/domain/figures/counts.ts';
import { isTerminal } from '../../../shared/domain/tasks/task.ts';
import { isTestAccount } from '../../../shared/domain/test-account.ts';
import { ensure } from './ensure.ts';
import type { SeenTask, Snapshot } from './snapshot.ts';

const costOf = (task: SeenTask, { allJobs }: Snapshot): Counts =>
  costCounts(task, costsOf(task, allJobs.get(task.taskId) ?? []));

const total = (counts: Counts): number => Object.values(counts).reduce((sum, amount) => sum + amount, 0);

/** The figures of each account are those of its tasks and its ledger; those of test accounts are not counted. */
export function checkFigures(snapshot: Snapshot): void {
  const { accounts, figures, ledger, tasks } = snapshot;
  for (const accountId of accounts.keys()) {
    const ended = [...tasks.values()].filter((task) => task.accountId === accountId && isTerminal(task));
    const rows = ledger.filter((row) => row.accountId === accountId);
    const expected = sumOf([
      ...ended.map((task) => endCounts(task, task.errorCode)),
      ...ended.map((task) => costOf(task, snapshot)),
      ...rows.map(rowCounts),
    ]);
    const counted = figures.get(accountId) ?? {};
    const evidence = { accountId, expected, counted };
    ensure(same(counted, isTestAccount(accountId) ? {} : expected), 'the figures are what happened', evidence);
    // The erased jobs of a deleted task do not say all that it cost.
    for (const task of isTestAccount(accountId) ? [] : ended.filter(({ deletion }) => !deletion)) {
      const [kept, cost] = [task.engineCost ?? 0, total(costOf(task, snapshot))];
      ensure(kept === cost, 'an ended task keeps what its jobs cost', { taskId: task.taskId, kept, cost });
    }
  }
}
