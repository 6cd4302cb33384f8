/** Computes the cost of usage at list prices, by line of the bill. */
import { type Price, prices, type Resource } from './prices.ts';
import type { Usage } from './usage.ts';

/** Dollars by service, in the order of the price file. */
export type Bill = Readonly<Record<string, number>>;

export const dollarsFor = (amount: number, { dollars, per }: Pick<Price, 'dollars' | 'per'>): number =>
  (amount * dollars) / per;

/** The cost of a number of tasks with the same usage. */
export function billOf(usage: Usage, tasks: number): Bill {
  const bill: Record<string, number> = {};
  for (const [name, price] of Object.entries(prices)) {
    const dollars = dollarsFor(usage[name as Resource] * tasks, price);
    bill[price.service] = (bill[price.service] ?? 0) + dollars;
  }
  return bill;
}

export const totalOf = (bill: Bill): number => Object.values(bill).reduce((sum, dollars) => sum + dollars, 0);

/** Compares a bill with its maximum; names the most expensive lines if it exceeds that. */
export function verdictOn(bill: Bill, target: number): string {
  const total = totalOf(bill);
  if (total <= target) return `met: $${total.toFixed(3)} of at most $${target.toFixed(2)}`;
  const share = (dollars: number): string => `${Math.round((dollars / total) * 100)} %`;
  const dearest = Object.entries(bill)
    .sort(([, one], [, other]) => other - one)
    .slice(0, 3)
    .map(([service, dollars]) => `${service} $${dollars.toFixed(3)} (${share(dollars)})`);
  const excess = `$${(total - target).toFixed(3)} (${Math.round((total / target - 1) * 100)} %)`;
  const held = `$${total.toFixed(3)} of at most $${target.toFixed(2)}`;
  return `missed by ${excess}: ${held}; dearest are ${dearest.join(', ')}`;
}
