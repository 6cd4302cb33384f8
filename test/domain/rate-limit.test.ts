import { describe, expect, test } from 'vitest';
import { requestsPerMinute } from '../../shared/contracts/limits.ts';
import { emptyLog, rateLimitAt, windowMs } from '../../shared/domain/rate-limit.ts';

const now = 1_700_000_000_000;

/** A full request log whose last entries have these ages in milliseconds. */
const logOf = (...ages: readonly number[]): number[] => [
  ...emptyLog().slice(ages.length),
  ...ages.map((age) => now - age),
];

test('at most 60 requests of a token are counted in 60 seconds', () => {
  expect(requestsPerMinute).toBe(60);
  expect(windowMs).toBe(60_000);
});

test('no request is counted for a new token', () => {
  expect(emptyLog()).toEqual(Array.from({ length: 60 }, () => 0));
  expect(emptyLog()).not.toBe(emptyLog());
});

describe('the remaining rate limit of a token', () => {
  test('is the full limit with a reset of one second if no request is counted', () => {
    expect(rateLimitAt(emptyLog(), now)).toEqual({ remaining: 60, resetSeconds: 1 });
  });

  test('counts a request until it is exactly 60 seconds old', () => {
    expect(rateLimitAt(logOf(59_999), now)).toEqual({ remaining: 59, resetSeconds: 1 });
    expect(rateLimitAt(logOf(60_000), now)).toEqual({ remaining: 60, resetSeconds: 1 });
    expect(rateLimitAt(logOf(60_001), now)).toEqual({ remaining: 60, resetSeconds: 1 });
  });

  test('resets after whole seconds, rounded up, when the oldest counted request leaves the window', () => {
    expect(rateLimitAt(logOf(0), now)).toEqual({ remaining: 59, resetSeconds: 60 });
    expect(rateLimitAt(logOf(70_000, 31_000, 5000), now)).toEqual({ remaining: 58, resetSeconds: 29 });
    expect(rateLimitAt(logOf(30_999, 5000), now)).toEqual({ remaining: 58, resetSeconds: 30 });
  });

  test('is zero if the log contains sixty requests of the last minute', () => {
    const full = Array.from({ length: 60 }, (_, index) => now - 59_000 + index);
    expect(rateLimitAt(full, now)).toEqual({ remaining: 0, resetSeconds: 1 });
    expect(rateLimitAt([now - 59_500, ...full], now)).toEqual({ remaining: 0, resetSeconds: 1 });
  });
});
