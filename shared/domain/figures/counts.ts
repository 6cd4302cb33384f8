/** The counters of an account's daily figures, and the amounts by which each transaction increases them. */
import type { TaskErrorCode } from '../../contracts/errors.ts';
import type { LedgerRow } from '../accounts/ledger.ts';
import type { Task } from '../tasks/task.ts';

/**
 * Amounts by counter. The name of a counter consists of a measure and what is measured, as in `tasks voice elevenlabs`
 * or `revenue pack mercado-pago`.
 */
export type Counts = Readonly<Record<string, number>>;

/** The measures of tasks are counted by task type and engine; `failed` also by error code. */
export type TaskMeasure = 'tasks' | 'failed' | 'credits' | 'refunded' | 'cost';
/** Credits that an account bought or was given, and credits that were taken back because a payment was returned. */
export type CreditMeasure = 'sold' | 'given' | 'taken';
/** Cents that were paid and returned, by what was bought and the gateway. */
export type MoneyMeasure = 'revenue' | 'returned';

const name = (measure: TaskMeasure | CreditMeasure | MoneyMeasure, ...about: readonly string[]): string =>
  [measure, ...about].join(' ');

export function sumOf(all: readonly Counts[]): Counts {
  const sums: Record<string, number> = {};
  for (const [counter, amount] of all.flatMap(Object.entries<number>)) sums[counter] = (sums[counter] ?? 0) + amount;
  return Object.fromEntries(Object.entries(sums).filter(([, amount]) => amount !== 0));
}

/** What an engine charges for a task. */
export interface EngineCost {
  readonly engine: string;
  readonly micros: number;
}

export const costCounts = ({ taskType }: { readonly taskType: string }, costs: readonly EngineCost[]): Counts =>
  sumOf(costs.map(({ engine, micros }) => ({ [name('cost', taskType, engine)]: micros })));

/** The counts of an ended task: the credits of a completed task count as used, those of a failed one as refunded. */
export function endCounts(task: Pick<Task, 'taskType' | 'engine' | 'cost'>, code: TaskErrorCode | undefined): Counts {
  const { taskType, engine, cost } = task;
  const of = [taskType, engine] as const;
  return sumOf([
    { [name('tasks', ...of)]: 1 },
    code === undefined
      ? { [name('credits', ...of)]: cost }
      : { [name('failed', ...of, code)]: 1, [name('refunded', ...of)]: cost },
  ]);
}

/** The counts of a ledger row. Debits and refunds of tasks have none, because they are counted when the task ends. */
export function rowCounts({ amount, reason, taskId }: Pick<LedgerRow, 'amount' | 'reason' | 'taskId'>): Counts {
  if (taskId !== undefined || reason === 'generation') return {};
  if (reason === 'purchase' || reason === 'subscription') return { [name('sold', reason)]: amount };
  return reason === 'refund' ? { [name('taken')]: -amount } : { [name('given')]: amount };
}

/** How each measure of credits changes the number of unused ones. */
const unusedSigns: Readonly<Record<string, number>> = { sold: 1, given: 1, taken: -1, credits: -1 };

/** By how much unused credits, including those that open tasks hold, have increased. */
export const unusedChange = (counts: Counts): number =>
  Object.entries(counts).reduce(
    (sum, [counter, amount]) => sum + (unusedSigns[counter.split(' ', 1)[0] ?? ''] ?? 0) * amount,
    0,
  );

export interface Payment {
  readonly what: 'pack' | 'subscription';
  readonly gateway: string;
  readonly cents: number;
}

export const paymentCounts = (measure: MoneyMeasure, { what, gateway, cents }: Payment): Counts => ({
  [name(measure, what, gateway)]: cents,
});
