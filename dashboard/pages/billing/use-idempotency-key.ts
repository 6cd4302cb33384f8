/** Repeats of a purchase that may have failed on the way have the same key, so that it is made once. */
import { useState } from 'react';

/** The key, and how to begin the next purchase. */
export function useIdempotencyKey(): readonly [key: string, renew: () => void] {
  const [key, setKey] = useState(() => crypto.randomUUID() as string);
  return [key, () => setKey(crypto.randomUUID())];
}
