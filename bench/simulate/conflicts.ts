/** Transactions on one account's item: while one is under way, all others are refused, and try again some times. */
import { conflictRetries, longestPauseMs, pauseMs } from '../../shared/platform/dynamo-table.ts';
import { eventQueue } from './event-queue.ts';
import { arrivals, randomFrom } from './random.ts';

export interface Patience {
  readonly retries: number;
  readonly longestPauseMs: number;
}

/** That of the table's client. */
export const asItIs: Patience = { retries: conflictRetries, longestPauseMs };

/** Until a refusal is known. */
const tripMs = 5;

export interface Conflicts {
  readonly transactions: number;
  /** How many met another one at their first try. */
  readonly conflicted: number;
  /** How many were given up. */
  readonly failed: number;
  /** Milliseconds from the first try to the commit. */
  readonly delays: readonly number[];
}

/** `moments` in milliseconds; a transaction holds the item for `windowMs`. */
function simulate(moments: Iterable<number>, windowMs: number, patience: Patience): Conflicts {
  const random = randomFrom(2);
  const events = eventQueue();
  const delays: number[] = [];
  let [transactions, conflicted, failed, heldUntil] = [0, 0, 0, 0];

  function attempt(at: number, since: number, tries: number): void {
    if (at >= heldUntil) {
      heldUntil = at + windowMs;
      delays.push(heldUntil - since);
      return;
    }
    if (tries === 0) conflicted += 1;
    if (tries === patience.retries) failed += 1;
    else {
      const pause = pauseMs(tries, random(), patience.longestPauseMs);
      events.add(at + tripMs + pause, (later) => attempt(later, since, tries + 1));
    }
  }
  for (const moment of moments) {
    transactions += 1;
    events.add(moment, (at) => attempt(at, at, 0));
  }
  events.run(Number.POSITIVE_INFINITY);
  return { transactions, conflicted, failed, delays };
}

/** So many a second, by chance, for so long. */
export const steadyConflicts = (perSecond: number, windowMs: number, seconds: number): Conflicts =>
  simulate(
    arrivals(randomFrom(3), perSecond, seconds).map((at) => at * 1000),
    windowMs,
    asItIs,
  );

/** So many within ten milliseconds, again and again, always after the last ones have come to their end. */
export function burstConflicts(size: number, windowMs: number, bursts: number, patience = asItIs): Conflicts {
  const random = randomFrom(4);
  const moments = Array.from({ length: bursts * size }, (_, place) => Math.floor(place / size) * 5000 + random() * 10);
  return simulate(moments, windowMs, patience);
}
