/** Starts of executions against their quota, a bucket of tokens: who is refused, and how late the sweeper makes up. */
import { eventQueue } from './event-queue.ts';
import { quotas } from './quotas.ts';
import { arrivals, randomFrom } from './random.ts';

/** A refused start is tried once more by the SDK, within so long; then it is the sweeper's, every minute. */
const retrySeconds = 0.5;
const sweepSeconds = 60;
/** The sweeper looks at 20 tasks at a time, for as long as its function may run. */
export const sweptPerSecond = 20 / 0.03;
export const sweepLimitSeconds = 300;

interface TokenBucket {
  take(at: number): boolean;
}

function tokenBucket(size: number, perSecond: number): TokenBucket {
  let [tokens, since] = [size, 0];
  return {
    take(at) {
      tokens = Math.min(size, tokens + (at - since) * perSecond);
      since = at;
      if (tokens < 1) return false;
      tokens -= 1;
      return true;
    },
  };
}

export interface Starts {
  readonly tasks: number;
  /** How many the request itself did not start. */
  readonly refused: number;
  /** Seconds from request to start, of all that were started. */
  readonly delays: readonly number[];
  readonly unstarted: number;
}

/** `atOnce` tasks come in the first moment, all others by chance. */
export function simulateStarts(perSecond: number, atOnce: number, seconds: number): Starts {
  const random = randomFrom(1);
  const events = eventQueue();
  const bucket = tokenBucket(quotas.starts.burst, quotas.starts.amount);
  const delays: number[] = [];
  let [tasks, refused] = [0, 0];
  let waiting: number[] = [];

  /** Twice, as the SDK does; then the task waits. */
  function tryStart(at: number, createdAt: number, onRefusal: () => void, isRetry = false): void {
    if (bucket.take(at)) delays.push(at - createdAt);
    else if (isRetry) onRefusal();
    else events.add(at + random() * retrySeconds, (later) => tryStart(later, createdAt, onRefusal, true));
  }
  const wait = (createdAt: number) => () => void waiting.push(createdAt);
  const request = (at: number): void => {
    tasks += 1;
    tryStart(at, at, () => {
      refused += 1;
      wait(at)();
    });
  };
  const sweep = (at: number): void => {
    const due = waiting.slice(0, sweptPerSecond * sweepLimitSeconds);
    waiting = waiting.slice(due.length);
    due.forEach((createdAt, place) => {
      events.add(at + place / sweptPerSecond, (then) => tryStart(then, createdAt, wait(createdAt)));
    });
    events.add(at + sweepSeconds, sweep);
  };

  for (let task = 0; task < atOnce; task += 1) events.add(0, request);
  for (const at of arrivals(random, perSecond, seconds)) events.add(at, request);
  events.add(sweepSeconds, sweep);
  events.run(seconds);
  return { tasks, refused, delays, unstarted: tasks - delays.length };
}
