/** Computes the cost of usage at list prices, by line of the bill. */
import { type Price, prices, type Resource } from './prices.ts';
import type { Usage } from './usage.ts';

/** Dollars by service, in the order of the price file. */
export type Bill = Readonly<Record<string, number>>;

export const dollarsFor = (amount: number, { dollars, per }: Pick<Price, 'dollars' | 'per'>): number =>
  (amount * dollars) / per;

/** The cost of the given number of tasks with the same usage. */
export function billOf(usage: Usage, tasks: number): Bill {
  const bill: Record<string, number> = {};
  for (const [name, price] of Object.entries(prices)) {
    const dollars = dollarsFor(usage[name as Resource] * tasks, price);
    bill[price.service] = (bill[price.service] ?? 0) + dollars;
  }
  return bill;
}

export const totalOf = (bill: Bill): number => Object.values(bill).reduce((sum, dollars) => sum + dollars, 0);

const cents = (dollars: number): string => `$${dollars.toFixed(3)}`;

/**
 * Compares the range of a cost with the most that it may be; if the upper end exceeds that, names the most expensive
 * lines.
 */
export function verdictOn(min: Bill, max: Bill, target: number): string {
  const [from, to] = [totalOf(min), totalOf(max)];
  const range = `${cents(from)} to ${cents(to)}, target at most ${cents(target)}`;
  if (to <= target) return `${range}: met`;
  const dearest = Object.entries(max)
    .sort(([, one], [, other]) => other - one)
    .slice(0, 3)
    .map(([service, dollars]) => `${service} ${cents(dollars)} (${Math.round((dollars / to) * 100)} %)`);
  const verdict = from <= target ? 'met at the lower end only' : `missed by at least ${cents(from - target)}`;
  return `${range}: ${verdict}; most expensive are ${dearest.join(', ')}`;
}
