/** Something that is read seldom, because everybody can do with what was read a moment ago. */
import type { Clock } from './clock.ts';

export interface Kept<Value> {
  /** What was read at most so long ago. */
  read(): Promise<Value>;
  /** The next one reads anew. */
  forget(): void;
}

/** A failed read is not kept: the next one tries again. */
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
