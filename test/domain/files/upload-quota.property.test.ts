/** The bytes that an account uploads in a day are limited, however many files are created concurrently. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { uploadBytesPerDay } from '../../../shared/contracts/limits.ts';
import { createFile } from '../../../shared/domain/files/create-file.ts';
import { Rejection } from '../../../shared/domain/rejection.ts';
import type { FileStorage } from '../../../shared/platform/file-storage.ts';
import { TableBusy } from '../../../shared/platform/table-busy.ts';
import { tableInTests, testIds } from '../../support/test-table.ts';

const host = await tableInTests();

const gigabyte = 2 ** 30;
const midnight = Date.UTC(2026, 10, 21);
const dayMs = 24 * 3_600_000;

const fileStorage: FileStorage = {
  ...({} as FileStorage),
  form: async () => ({ url: '', fields: {}, expiresAt: midnight }),
  beginParts: async () => ({ uploadId: 'upload', parts: [], expiresAt: midnight }),
};

/** The admitted bytes: those of the file, or none. Retried while writes conflict. */
async function create(accountId: string, bytes: number, now: number): Promise<number> {
  const clock = { now: () => now };
  const settings = { apiUrl: 'https://api.example.com' };
  const needs = { table: host.table, clock, ids: testIds, fileStorage, settings, pause: async () => undefined };
  try {
    await createFile(needs, { accountId, requested: { contentType: 'video/mp4', bytes }, idempotency: undefined });
    return bytes;
  } catch (error) {
    if (error instanceof TableBusy) return create(accountId, bytes, now);
    if (error instanceof Rejection && error.kind === 'rate-limited') return 0;
    throw error;
  }
}

const createAll = async (accountId: string, sizes: readonly number[], now: number): Promise<number> =>
  (await Promise.all(sizes.map((bytes) => create(accountId, bytes, now)))).reduce((sum, bytes) => sum + bytes, 0);

const sizes = fc.array(fc.integer({ min: 4 * gigabyte, max: 9 * gigabyte }), { minLength: 8, maxLength: 20 });

test('concurrent uploads can fill the daily quota to the last byte, never exceed it, and get a new quota the next day', async () => {
  await fc.assert(
    fc.asyncProperty(sizes, fc.nat({ max: dayMs - 1 }), async (requested, at) => {
      const accountId = testIds.next();
      const admitted = await createAll(accountId, requested, midnight + at);
      expect(admitted).toBeLessThanOrEqual(uploadBytesPerDay);
      // Every rejected file would have exceeded the limit.
      expect(admitted).toBeGreaterThan(
        Math.min(
          requested.reduce((sum, bytes) => sum + bytes),
          uploadBytesPerDay - 9 * gigabyte,
        ) - 1,
      );
      const rest = uploadBytesPerDay - admitted;
      expect(await createAll(accountId, [rest + 1], midnight + at)).toBe(0);
      expect(await createAll(accountId, [rest], midnight + at)).toBe(rest);
      expect(await createAll(accountId, [1], midnight + dayMs - 1)).toBe(0);
      expect(await createAll(accountId, [uploadBytesPerDay], midnight + dayMs)).toBe(uploadBytesPerDay);
      expect(await createAll(testIds.next(), [1], midnight + at)).toBe(1);
    }),
    { numRuns: 4 },
  );
});
