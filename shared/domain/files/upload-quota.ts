/** Limits what an account uploads, because files are stored for days without a debit. */
import { uploadBytesPerDay } from '../../contracts/limits.ts';
import { dayAt, secondsToMidnight } from '../../platform/clock.ts';
import type { Write } from '../idempotency/run-once.ts';
import { expiryAttribute, uploadsKey } from '../keys.ts';
import { Rejection } from '../rejection.ts';
import type { File } from './file.ts';

/** How long the row is kept: longer than the day that it counts, however late on that day it is written. */
const keptSeconds = 2 * 24 * 3600;

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
  createdAt,
}: Pick<File, 'accountId' | 'bytes' | 'createdAt'>): Write => ({
  action: {
    Update: {
      Key: uploadsKey(accountId, dayAt(createdAt)),
      UpdateExpression: 'SET #expiry = :expiry ADD #bytes :bytes',
      ConditionExpression: 'attribute_not_exists(#bytes) OR #bytes <= :before',
      ExpressionAttributeNames: { '#bytes': 'bytes', '#expiry': expiryAttribute },
      ExpressionAttributeValues: {
        ':bytes': bytes,
        ':before': uploadBytesPerDay - bytes,
        ':expiry': Math.ceil(createdAt / 1000) + keptSeconds,
      },
    },
  },
  rejection: () => exceeded(bytes, createdAt),
});
