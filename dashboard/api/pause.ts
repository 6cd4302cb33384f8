/** Pauses requests when the service asks this browser to wait, since all requests of a session share one rate limit. */

let until = 0;
const listeners = new Set<() => void>();

/** Starts a pause, or extends it. */
export function pauseFor(seconds: number): void {
  until = Math.max(until, Date.now() + seconds * 1000);
  for (const listener of listeners) listener();
}

/** The end of the last pause, in milliseconds since the epoch. */
export const pausedUntil = (): number => until;

export function onPause(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Resolves when requests may be sent again. @throws if `signal` aborts first */
export async function endOfPause(signal: AbortSignal): Promise<void> {
  const restMs = until - Date.now();
  if (restMs <= 0) return;
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, restMs);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    });
  });
  return endOfPause(signal);
}
