/** Waits for a condition. */
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * The pause between two checks: a tenth of the time waited so far, so that long waits leave the processor to others.
 */
const pauseMs = (waitedMs: number): number => Math.min(Math.max(20, waitedMs / 10), 250);

/** The first value that is not undefined; the error names what did not happen in time. */
export async function eventually<Value>(
  what: string,
  look: () => Promise<Value | undefined> | Value | undefined,
  { patienceMs = 120_000, everyMs }: { readonly patienceMs?: number; readonly everyMs?: number } = {},
): Promise<Value> {
  const start = performance.now();
  for (;;) {
    const value = await look();
    if (value !== undefined) return value;
    const waitedMs = performance.now() - start;
    if (waitedMs > patienceMs) throw new Error(`${what} did not happen within ${patienceMs} ms`);
    await sleep(everyMs ?? pauseMs(waitedMs));
  }
}
