/** The write that admits a request, compared with a simple oracle on the real table. */

import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { requestsPerMinute } from '../../../shared/contracts/limits.ts';
import { windowMs } from '../../../shared/domain/rate-limit.ts';
import { admitFurther } from '../../../shared/domain/tokens/admit-further.ts';
import { tokenStore } from '../../../shared/domain/tokens/token-store.ts';
import { tableInTests, testIds } from '../../support/test-table.ts';

const host = await tableInTests();
const tokens = tokenStore(host.table);

const start = 1_700_000_000_000;

/** Creates a token and returns its key. */
async function freshDigest(): Promise<string> {
  const digest = testIds.secret(16);
  const [tokenId, accountId] = [testIds.next(), testIds.next()];
  await tokens.insert(digest, { tokenId, accountId, name: 'model', scopes: ['read:usage'] });
  return digest;
}

test('a request is admitted if fewer than sixty were admitted in the last minute, with the exact remaining limit', async () => {
  const gap = fc.oneof(fc.nat(40), fc.nat(2000), fc.integer({ min: 20_000, max: 61_000 }));
  const counts = fc.oneof({ weight: 9, arbitrary: fc.constant(1) }, fc.integer({ min: 2, max: 60 }));
  const gaps = fc.array(fc.tuple(gap, counts), { minLength: 70, maxLength: 160 });
  await fc.assert(
    fc.asyncProperty(gaps, async (steps) => {
      const digest = await freshDigest();
      const admitted: number[] = [];
      let now = start;
      for (const [step, count] of steps) {
        now += step;
        const inWindow = (at: number) => admitted.filter((one) => one > at - windowMs).length;
        const counted = inWindow(now);
        const further = count > 1 ? await admitFurther(host.table, digest, now, count) : undefined;
        const admission = further ?? (await tokens.admit(digest, now));
        expect(admission.status).toBe(counted + count <= requestsPerMinute ? 'admitted' : 'limited');
        if (admission.status === 'admitted') {
          admitted.push(...Array.from({ length: count }, () => now));
          expect(admission.rateLimit.remaining).toBe(requestsPerMinute - counted - count);
        } else if (further?.status === 'limited') {
          const later = now + further.retryAfterSeconds * 1000;
          expect(inWindow(later) + count).toBeLessThanOrEqual(requestsPerMinute);
          expect(inWindow(later - 1000) + count).toBeGreaterThan(requestsPerMinute);
        }
      }
    }),
    { numRuns: 12 },
  );
});

test('exactly sixty of 150 concurrent requests are admitted', async () => {
  const digest = await freshDigest();
  const admissions = await Promise.all(Array.from({ length: 150 }, () => tokens.admit(digest, start)));
  expect(admissions.filter(({ status }) => status === 'admitted')).toHaveLength(requestsPerMinute);
});

test('of concurrent requests that count as seven each, exactly eight are admitted', async () => {
  const digest = await freshDigest();
  const admissions = await Promise.all(Array.from({ length: 12 }, () => admitFurther(host.table, digest, start, 7)));
  expect(admissions.filter(({ status }) => status === 'admitted')).toHaveLength(Math.floor(requestsPerMinute / 7));
});
