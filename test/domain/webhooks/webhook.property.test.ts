import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { delayBeforeAttempt, isLastAttempt, nextSeries } from '../../../shared/domain/webhooks/webhook.ts';

test('every series makes three attempts: at once, then 2 s and then 4 s later', () => {
  fc.assert(
    fc.property(fc.nat(1000), (attemptsSoFar) => {
      const first = nextSeries(attemptsSoFar);
      expect(first).toBeGreaterThan(attemptsSoFar);
      expect([0, 1, 2].map((step) => delayBeforeAttempt(first + step))).toEqual([0, 2, 4]);
      expect([0, 1, 2].map((step) => isLastAttempt(first + step))).toEqual([false, false, true]);
    }),
  );
});
