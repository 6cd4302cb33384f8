/** The write that admits a request, compared with a simple oracle on the real table. */

import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { requestsPerMinute } from '../../../shared/contracts/limits.ts';
import { windowMs } from '../../../shared/domain/rate-limit.ts';
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

test('a request is admitted if fewer than sixty were admitted in the last minute, and gets the exact number that remains', async () => {
  const gaps = fc.array(fc.oneof(fc.nat(40), fc.nat(2000), fc.integer({ min: 20_000, max: 61_000 })), {
    minLength: 70,
    maxLength: 160,
  });
  await fc.assert(
    fc.asyncProperty(gaps, async (steps) => {
      const digest = await freshDigest();
      const admitted: number[] = [];
      let now = start;
      for (const step of steps) {
        now += step;
        const counted = admitted.filter((at) => at > now - windowMs).length;
        const admission = await tokens.admit(digest, now);
        expect(admission.status).toBe(counted < requestsPerMinute ? 'admitted' : 'limited');
        if (admission.status === 'admitted') {
          admitted.push(now);
          expect(admission.rateLimit.remaining).toBe(requestsPerMinute - counted - 1);
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
