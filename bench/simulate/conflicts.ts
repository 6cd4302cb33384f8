/** Simulates transactions on one account's item: while one is in progress, all others are rejected and retried. */
import { conflictRetries, pauseMs } from '../../shared/platform/dynamo-table.ts';
import { eventQueue } from './event-queue.ts';
import { arrivals, randomFrom } from './random.ts';

/** The round trip of a rejected attempt. */
const tripMs = 5;

export interface Conflicts {
  readonly transactions: number;
  /** How many conflicted at their first try. */
  readonly conflicted: number;
  /** How many ran out of retries. */
  readonly failed: number;
  /** Milliseconds from the first try to the commit. */
  readonly delays: readonly number[];
}

/** `moments` in milliseconds; a transaction holds the item for `windowMs`. */
function simulate(moments: Iterable<number>, windowMs: number): Conflicts {
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
    if (tries === conflictRetries) failed += 1;
    else {
      const pause = pauseMs(tries, random());
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

/** Random arrivals at a rate, for a time. */
export const steadyConflicts = (perSecond: number, windowMs: number, seconds: number): Conflicts =>
  simulate(
    arrivals(randomFrom(3), perSecond, seconds).map((at) => at * 1000),
    windowMs,
  );

/** Bursts within ten milliseconds, each after the previous one has ended. */
export function burstConflicts(size: number, windowMs: number, bursts: number): Conflicts {
  const random = randomFrom(4);
  const moments = Array.from({ length: bursts * size }, (_, place) => Math.floor(place / size) * 5000 + random() * 10);
  return simulate(moments, windowMs);
}
