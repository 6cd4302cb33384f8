/** Caches a value for a limited time. */
import type { Clock } from './clock.ts';

export interface Kept<Value> {
  /** The value, read again once it is too old. */
  read(): Promise<Value>;
  /** The next read bypasses the cache. */
  forget(): void;
}

/** A failed read is not cached: the next one tries again. */
export function keptFor<Value>(milliseconds: number, clock: Clock, load: () => Promise<Value>): Kept<Value> {
  let kept: { readonly value: Promise<Value>; readonly at: number } | undefined;
  const forget = () => {
    kept = undefined;
  };
  return {
    forget,
    read() {
      const now = clock.now();
      if (!kept || now - kept.at >= milliseconds) {
        const value = load();
        kept = { value, at: now };
        value.catch(forget);
      }
      return kept.value;
    },
  };
}
