/** Delays requests so that a token's rate limit is not exceeded; the calls of a client share one limiter. */
import type { Clock } from './clock.ts';
import { oneByOne } from './one-by-one.ts';
import { unlessAborted } from './unless-aborted.ts';

/** Ends a request; the headers of its response say what is left of the limit. */
export type Leave = (headers?: Headers) => void;

/** Waits, in order of arrival, until a request may be sent. @throws the signal's reason, as soon as it is aborted */
export type RateLimiter = (signal: AbortSignal | undefined) => Promise<Leave>;

const inProgress = Infinity;

/** The parameters of a header such as `"token";r=59;t=60`. */
const numbersIn = (headers: Headers | undefined, name: string): Readonly<Record<string, number>> =>
  Object.fromEntries(
    [...(headers?.get(name) ?? '').matchAll(/;\s*(\w)=(\d+)/g)].map(([, key, value]) => [key, Number(value)]),
  );

export function rateLimiter(clock: Clock): RateLimiter {
  /** The limit, until a response says otherwise: so many requests in any window of time. */
  let requests = 60;
  let windowMs = 60_000;
  /**
   * When each request stops counting toward the limit: one window after its response, because the service counted it
   * before it responded.
   */
  let places: { freeAt: number }[] = [];
  /** How many more requests the service admits, and when it will admit one more, as of the last response. */
  let left = inProgress;
  let moreAt = 0;
  let wake = (): void => {};

  const waitMs = (): number => {
    const now = clock.now();
    places = places.filter(({ freeAt }) => freeAt > now);
    const freeAt = places.length < requests ? now : Math.min(...places.map((place) => place.freeAt));
    return Math.max(freeAt, left > 0 ? now : moreAt) - now;
  };
  /** Waits for this long, or until a request ends. */
  const pause = async (ms: number, signal: AbortSignal | undefined): Promise<void> => {
    const stop = new AbortController();
    const woken = new Promise<void>((resolve) => {
      wake = resolve;
    });
    const waited = ms < inProgress ? clock.wait(ms, stop.signal) : woken;
    await unlessAborted(Promise.race([woken, waited]), signal).finally(() => stop.abort());
  };
  const take = (): Leave => {
    const place = { freeAt: inProgress };
    places.push(place);
    left -= 1;
    return (headers) => {
      const now = clock.now();
      const { q, w } = numbersIn(headers, 'ratelimit-policy');
      if (q && w) [requests, windowMs] = [q, w * 1000];
      place.freeAt = now + windowMs;
      const { r, t } = numbersIn(headers, 'ratelimit');
      if (r !== undefined && t !== undefined) {
        left = r - places.filter(({ freeAt }) => freeAt === inProgress).length;
        moreAt = now + t * 1000;
      }
      wake();
    };
  };
  const sequentially = oneByOne();
  return (signal) =>
    sequentially(async () => {
      for (let ms = waitMs(); ms > 0; ms = waitMs()) await pause(ms, signal);
      return take();
    }, signal);
}
