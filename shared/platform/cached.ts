/** Caches a value for a limited time. */
import type { Clock } from './clock.ts';

export interface Cached<Value> {
  /** Returns the cached value, or reads it again if it is too old. */
  read(): Promise<Value>;
  /** Makes the next read bypass the cache. */
  forget(): void;
}

/** Caches a value. A failed read is not cached: the next call tries again. */
export function cached<Value>(milliseconds: number, clock: Clock, load: () => Promise<Value>): Cached<Value> {
  let entry: { readonly value: Promise<Value>; readonly at: number } | undefined;
  const forget = () => {
    entry = undefined;
  };
  return {
    forget,
    read() {
      const now = clock.now();
      if (!entry || now - entry.at >= milliseconds) {
        const value = load();
        entry = { value, at: now };
        value.catch(forget);
      }
      return entry.value;
    },
  };
}
