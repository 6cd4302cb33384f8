/** Repeats of a request that may have failed on the way have the same key, so that it takes effect once. */
import { useState } from 'react';

/** The key, and how to begin the next request. */
export function useIdempotencyKey(): readonly [key: string, renew: () => void] {
  const [key, setKey] = useState(() => crypto.randomUUID() as string);
  return [key, () => setKey(crypto.randomUUID())];
}
