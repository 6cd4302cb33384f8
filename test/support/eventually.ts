/** Waits for a condition. */
import { setTimeout as sleep } from 'node:timers/promises';

/** The first value that is not undefined; the error names what did not happen in time. */
export async function eventually<Value>(
  what: string,
  look: () => Promise<Value | undefined> | Value | undefined,
  { patienceMs = 120_000, everyMs = 20 }: { readonly patienceMs?: number; readonly everyMs?: number } = {},
): Promise<Value> {
  const until = performance.now() + patienceMs;
  for (;;) {
    const value = await look();
    if (value !== undefined) return value;
    if (performance.now() > until) throw new Error(`${what} did not happen within ${patienceMs} ms`);
    await sleep(everyMs);
  }
}
