/** Compares new ledger rows with the cost of the tasks, and the balance with the ledger. */
import type { Task } from '../../../client/client.ts';
import { unless } from '../checks.ts';
import type { Demo } from '../demo.ts';
import type { Ledger, LedgerRow } from './show-ledger.ts';

const isDebitOf =
  ({ id, taskType, creditsUsed }: Task) =>
  ({ amount, description, reason, toolId }: LedgerRow): boolean =>
    reason === 'generation' && amount === -creditsUsed && toolId === taskType && description.includes(id);

function problemsOfDebits(gained: readonly LedgerRow[], tasks: readonly Task[]): readonly string[] {
  const undebited = tasks.filter((task) => gained.filter(isDebitOf(task)).length !== 1);
  const others = gained.filter((row) => !tasks.some((task) => isDebitOf(task)(row)));
  return [
    ...undebited.map(({ id }) => `task ${id} was not debited exactly once`),
    ...others.map(({ amount, reason }) => `there is an unexpected ${reason} of ${amount}`),
  ];
}

function problemsOfBalance({ balance, history }: Ledger): readonly string[] {
  const sum = history.reduce((total, { amount }) => total + amount, 0);
  return unless(sum === balance, `the balance is ${balance}, but the rows add up to ${sum}`);
}

export function checkLedger({ checks }: Demo, before: Ledger, after: Ledger, tasks: readonly Task[]): void {
  const known = new Set(before.history.map(({ id }) => id));
  const gained = after.history.filter(({ id }) => !known.has(id));
  checks.report('debited', problemsOfDebits(gained, tasks));
  checks.report('balanced', [before, after].flatMap(problemsOfBalance));
}
