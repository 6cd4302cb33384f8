/** The write that admits a request, held against a simple oracle on the real table. */
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { requestsPerMinute, windowMs } from '../../shared/domain/rate-limit.ts';
import { type TestService, testService } from '../support/test-service.ts';

let host: TestService;
let accountId: string;

beforeAll(async () => {
  host = await testService();
  ({ accountId } = await host.account());
});
afterAll(() => host.close());

const start = 1_700_000_000_000;

/** A token that nobody else uses, by what it is stored under. */
async function freshDigest(expiresAt?: number): Promise<string> {
  const { ids, tokens } = host.service.context;
  const digest = ids.secret(16);
  const token = { tokenId: ids.next(), accountId, name: 'model', scopes: ['read:usage'] as const };
  await tokens.insert(digest, { ...token, ...(expiresAt !== undefined && { expiresAt }) });
  return digest;
}

test('any arrivals are admitted exactly as a count over the last minute would, and told what is left', async () => {
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
        const admission = await host.service.context.tokens.admit(digest, now);
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

test('arrivals at one moment are admitted sixty times, however many they are', async () => {
  const digest = await freshDigest();
  const admissions = await Promise.all(
    Array.from({ length: 150 }, () => host.service.context.tokens.admit(digest, start)),
  );
  expect(admissions.filter(({ status }) => status === 'admitted')).toHaveLength(requestsPerMinute);
});

test('a token is good until the millisecond of its expiry, and an unknown one never', async () => {
  const { tokens } = host.service.context;
  const digest = await freshDigest(start + 1000);
  expect((await tokens.admit(digest, start + 999)).status).toBe('admitted');
  expect((await tokens.admit(digest, start + 1000)).status).toBe('refused');
  expect((await tokens.admit('unknown', start)).status).toBe('refused');
});
