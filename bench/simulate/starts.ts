/** Simulates starting executions against their token bucket: how many are throttled, and how late the sweeper starts them. */
import { eventQueue } from './event-queue.ts';
import { quotas } from './quotas.ts';
import { arrivals, randomFrom } from './random.ts';

/** The SDK retries a throttled start once within this time; afterwards the sweeper retries it every minute. */
const retrySeconds = 0.5;
const sweepSeconds = 60;
/** The sweeper processes 20 tasks at a time, until its function's time limit. */
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
  /** How many the request itself could not start. */
  readonly throttled: number;
  /** Seconds from request to start, for all that were started. */
  readonly delays: readonly number[];
  readonly unstarted: number;
}

/** `atOnce` tasks arrive immediately, all others at random. */
export function simulateStarts(perSecond: number, atOnce: number, seconds: number): Starts {
  const random = randomFrom(1);
  const events = eventQueue();
  const bucket = tokenBucket(quotas.starts.burst, quotas.starts.amount);
  const delays: number[] = [];
  let [tasks, throttled] = [0, 0];
  let waiting: number[] = [];

  /** Twice, as the SDK does; then the task waits. */
  function tryStart(at: number, createdAt: number, onThrottled: () => void, isRetry = false): void {
    if (bucket.take(at)) delays.push(at - createdAt);
    else if (isRetry) onThrottled();
    else events.add(at + random() * retrySeconds, (later) => tryStart(later, createdAt, onThrottled, true));
  }
  const wait = (createdAt: number) => () => void waiting.push(createdAt);
  const request = (at: number): void => {
    tasks += 1;
    tryStart(at, at, () => {
      throttled += 1;
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
  return { tasks, throttled, delays, unstarted: tasks - delays.length };
}
