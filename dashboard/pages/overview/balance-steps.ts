/** Derives how a balance changed from the balance now and the newest entries of the credit history. */

interface Change {
  readonly createdAt: string;
  readonly amount: number;
}

/** The balance from a time on, in milliseconds since the epoch, until the next step. */
export interface Step {
  readonly at: number;
  readonly balance: number;
}

/** The steps since `from`, oldest first: from the balance at that time, or from the oldest entry if that is later. */
export function balanceSteps(balance: number, newestFirst: readonly Change[], from: number): Step[] {
  const steps: Step[] = [];
  let after = balance;
  for (const { amount, createdAt } of newestFirst) {
    const at = Date.parse(createdAt);
    if (at <= from) return [{ at: from, balance: after }, ...steps];
    steps.unshift({ at, balance: after });
    after -= amount;
  }
  return steps;
}

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** The last balance of each UTC day on which it changed, oldest first. */
export const balancesByDay = (steps: readonly Step[]): readonly (readonly [day: string, balance: number])[] => [
  ...new Map(steps.map(({ at, balance }) => [dayOf(at), balance])),
];
