/** Polls with increasing pauses, because a token has only 60 requests a minute. */
import { setTimeout as sleep } from 'node:timers/promises';

const firstWaitMs = 200;
const slowdown = 1.5;
const longestWaitMs = 5000;

/** The value once it is as wanted, or the last one. */
export async function seen<Value>(
  look: () => Promise<Value>,
  isWished: (value: Value) => boolean,
  signal: AbortSignal,
): Promise<Value> {
  for (let waitMs = firstWaitMs; ; waitMs *= slowdown) {
    const value = await look();
    if (isWished(value) || waitMs > longestWaitMs) return value;
    await sleep(waitMs, undefined, { signal });
  }
}
