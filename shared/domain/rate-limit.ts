/** The rate limit of a token or session: an exact log of its last admitted requests (60 for a token). */

import { requestsPerMinute } from '../contracts/limits.ts';

export const windowMs = 60_000;

/** A log full of requests in the distant past, so that there is always an oldest entry to compare. */
export const emptyLog = (requests: number = requestsPerMinute): number[] => Array.from({ length: requests }, () => 0);

export interface RateLimit {
  /** How many more requests would be admitted right now. */
  readonly remaining: number;
  /** Whole seconds, at least 1, until the oldest counted request leaves the window. */
  readonly resetSeconds: number;
}

/** The rate limit at a given time, computed from the log of admitted requests, oldest first. */
export function rateLimitAt(log: readonly number[], now: number, requests: number = requestsPerMinute): RateLimit {
  const counted = log.filter((at) => at > now - windowMs);
  const oldest = counted[0] ?? now - windowMs;
  return {
    remaining: Math.max(0, requests - counted.length),
    resetSeconds: Math.max(1, Math.ceil((oldest + windowMs - now) / 1000)),
  };
}
