/** Limits what an account uploads, because files are stored for days without a debit. */
import { uploadBytesPerDay } from '../../contracts/limits.ts';
import { dayAt, secondsToMidnight } from '../../platform/clock.ts';
import { countOnDay } from '../count-on-day.ts';
import type { Write } from '../idempotency/run-once.ts';
import { uploadsKey } from '../keys.ts';
import { Rejection } from '../rejection.ts';
import type { File } from './file.ts';

const exceeded = (bytes: number, now: number): Rejection =>
  new Rejection('rate-limited', {
    message: `A file of ${bytes} bytes exceeds the ${uploadBytesPerDay} bytes that an account can upload on a day (UTC): wait for the number of seconds in Retry-After.`,
    retryAfterSeconds: secondsToMidnight(now),
  });

/**
 * Counts the declared size of a new file in the transaction that stores it, so that concurrent requests cannot exceed
 * the limit.
 */
export const countUpload = ({
  accountId,
  bytes,
  createdAt: at,
}: Pick<File, 'accountId' | 'bytes' | 'createdAt'>): Write => ({
  action: {
    Update: countOnDay(uploadsKey(accountId, dayAt(at)), { name: 'bytes', by: bytes, limit: uploadBytesPerDay, at }),
  },
  rejection: () => exceeded(bytes, at),
});
