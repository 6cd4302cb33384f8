/** Simulates how evenly accounts fill cells: a few accounts create most tasks, but none more than its own limit. */
import { randomFrom } from './random.ts';

export interface Filling {
  readonly accounts: number;
  readonly cells: number;
  /** Tasks per second of the busiest account. */
  readonly busiestAccount: number;
  /** Tasks per second of the mean and of the busiest cell. */
  readonly mean: number;
  readonly busiest: number;
}

/** The factor at which the capped shares add up to a sum. */
function factorFor(shares: readonly number[], cap: number, sum: number): number {
  let [low, high] = [0, sum * shares.length];
  for (let step = 0; step < 40; step += 1) {
    const middle = (low + high) / 2;
    const total = shares.reduce((all, share) => all + Math.min(cap, share * middle), 0);
    if (total < sum) low = middle;
    else high = middle;
  }
  return high;
}

/** The n-th account creates an n-th of what the first does (Zipf), and each is assigned to a random cell. */
export function fillCells(perSecond: number, cells: number, accounts: number, accountLimit: number): Filling {
  const random = randomFrom(6);
  const shares = Array.from({ length: accounts }, (_, place) => 1 / (place + 1));
  const factor = factorFor(shares, accountLimit, perSecond);
  const loads = Array.from({ length: cells }, () => 0);
  for (const share of shares) {
    const cell = Math.floor(random() * cells);
    loads[cell] = (loads[cell] ?? 0) + Math.min(accountLimit, share * factor);
  }
  return {
    accounts,
    cells,
    busiestAccount: Math.min(accountLimit, factor),
    mean: perSecond / cells,
    busiest: Math.max(...loads),
  };
}
