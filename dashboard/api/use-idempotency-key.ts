/**
 * Gives repeats of a request that may have failed on the way the same idempotency key, so that it takes effect once.
 */
import { useState } from 'react';

/** The key, and a function that replaces it for the next request. */
export function useIdempotencyKey(): readonly [key: string, renew: () => void] {
  const [key, setKey] = useState(() => crypto.randomUUID() as string);
  return [key, () => setKey(crypto.randomUUID())];
}
