import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { requestsPerMinute } from '../../shared/contracts/limits.ts';
import { emptyLog, rateLimitAt, windowMs } from '../../shared/domain/rate-limit.ts';

/** A model of the table's write, which adds one entry to the log and drops the oldest if it has left the window. */
const admit = (log: number[], now: number): number[] | undefined =>
  (log[0] ?? 0) <= now - windowMs ? [...log.slice(1), now] : undefined;

const arrivals = fc.array(fc.integer({ min: 0, max: 3000 }), { minLength: 1, maxLength: 400 });

test('at most 60 requests are admitted in any 60 seconds, and no request is rejected unnecessarily', () => {
  fc.assert(
    fc.property(arrivals, (gaps) => {
      let log = emptyLog();
      let now = 1_700_000_000_000;
      const admitted: number[] = [];
      for (const gap of gaps) {
        now += gap;
        const inWindow = admitted.filter((at) => at > now - windowMs).length;
        const next = admit(log, now);
        expect(next !== undefined).toBe(inWindow < requestsPerMinute);
        expect(rateLimitAt(log, now).remaining).toBe(requestsPerMinute - inWindow);
        if (next) {
          log = next;
          admitted.push(now);
        }
      }
    }),
  );
});

test('a rejected request is admitted once Retry-After has passed, and not a second earlier', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(900), { minLength: 60, maxLength: 60 }), fc.nat(5000), (gaps, later) => {
      let now = 1_700_000_000_000;
      const log = gaps.map((gap) => {
        now += gap;
        return now;
      });
      const rejectedAt = now + later;
      fc.pre(admit(log, rejectedAt) === undefined);
      const { resetSeconds } = rateLimitAt(log, rejectedAt);
      expect(Number.isInteger(resetSeconds) && resetSeconds >= 1).toBe(true);
      expect(admit(log, rejectedAt + resetSeconds * 1000)).toBeDefined();
      expect(admit(log, rejectedAt + (resetSeconds - 1) * 1000)).toBeUndefined();
    }),
  );
});
