/**
 * Gives repetitions of a request the same idempotency key, because the first attempt may have taken effect although its
 * response was lost.
 */
import { useState } from 'react';

/** The key, and a function that replaces it for the next request. */
export function useIdempotencyKey(): readonly [key: string, renew: () => void] {
  const [key, setKey] = useState(() => crypto.randomUUID() as string);
  return [key, () => setKey(crypto.randomUUID())];
}
