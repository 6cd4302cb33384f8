/** Sends requests: within the rate limit, with timeouts, and again if that is safe and can help. */
import { attempt } from './attempt.ts';
import type { Clock } from './clock.ts';
import { ApiError, CallError } from './errors.ts';
import type { RateLimiter } from './rate-limiter.ts';

export interface SendingLimits {
  /** How many times a call is retried at most; 4 unless given. */
  readonly maxRetries?: number | undefined;
  /** How long one attempt may take; 30 unless given. */
  readonly attemptTimeoutSeconds?: number | undefined;
  /** How long a call may take from its first attempt, with its retries; 120 unless given. */
  readonly timeoutSeconds?: number | undefined;
}

export interface Outgoing<Result> extends SendingLimits {
  readonly method: string;
  readonly url: URL | string;
  readonly headers?: Headers;
  readonly body?: string | Blob | FormData | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Whether another attempt has no further effect. */
  readonly isRepeatable: boolean;
  /** Whether it counts towards the token's rate limit. */
  readonly isLimited: boolean;
  /** Reads a complete response. @throws {CallError} */
  readonly read: (response: Response, text: string) => Result;
}

/** @throws {CallError} of the last attempt, or the reason of the aborted signal */
export type Send = <Result>(outgoing: Outgoing<Result>) => Promise<Result>;

/** How many retries a client may make until calls succeed again, not counting those that the service asks for. */
const fullBudget = 20;
/** The part of a retry that each success gives back to this budget. */
const earned = 0.1;

const longestBackOffSeconds = 60;

/** Whether the request had no effect: the service responds with these statuses only before a request has had any. */
const hadNoEffect = (error: CallError): boolean =>
  error instanceof ApiError && (error.status === 429 || error.status === 503);

export function sender(
  fetch: typeof globalThis.fetch,
  clock: Clock,
  enter: RateLimiter,
  /** The default limits of requests. */
  limits: SendingLimits,
): Send {
  let budget = fullBudget;

  /** How long to wait before repeating a request, or undefined if it must not be repeated. */
  function waitMsAfter(error: unknown, retries: number, maxRetries: number, isRepeatable: boolean): number | undefined {
    if (!(error instanceof CallError) || !error.retryable || retries >= maxRetries) return undefined;
    if (!isRepeatable && !hadNoEffect(error)) return undefined;
    const { retryAfterSeconds } = error;
    if (retryAfterSeconds !== undefined) return retryAfterSeconds * (1000 + 100 * clock.random());
    if (budget < 1) return undefined;
    budget -= 1;
    return 1000 * clock.random() * Math.min(longestBackOffSeconds, 2 ** retries);
  }

  return async (outgoing) => {
    const { attemptTimeoutSeconds = 30, maxRetries = 4, timeoutSeconds = 120 } = { ...limits, ...outgoing };
    const { isLimited, isRepeatable, signal } = outgoing;
    let deadline: number | undefined;
    for (let retries = 0; ; retries += 1) {
      const leave = isLimited ? await enter(signal) : () => {};
      deadline ??= clock.now() + timeoutSeconds * 1000;
      const timeoutMs = Math.min(attemptTimeoutSeconds * 1000, deadline - clock.now());
      try {
        const result = await attempt(fetch, clock, outgoing, timeoutMs, leave);
        budget = Math.min(fullBudget, budget + earned);
        return result;
      } catch (error) {
        const waitMs = waitMsAfter(error, retries, maxRetries, isRepeatable);
        if (waitMs === undefined || clock.now() + waitMs >= deadline) throw error;
        await clock.wait(waitMs, signal);
      }
    }
  };
}
