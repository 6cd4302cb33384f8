/** The URL to which an engine reports on a job: unguessable, and derived from the job so that it need not be stored. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { JobId } from './engine-job.ts';

const seal = (key: string, engine: string, { taskId, name }: JobId): string =>
  createHmac('sha256', key).update(`engine-callback:${engine}:${taskId}.${name}`).digest('base64url');

/** Appends `<taskId>.<name>.<hmac>`, so that only a party that was given the URL can name the job. */
export const callbackAddress = (key: string, engine: string, job: JobId): string =>
  `${job.taskId}.${job.name}.${seal(key, engine, job)}`;

/** The job that a callback URL belongs to; undefined if this service did not create the URL. */
export function jobOfCallbackAddress(key: string, engine: string, address: string): JobId | undefined {
  const [taskId = '', name = ''] = address.split('.', 2);
  const expected = Buffer.from(callbackAddress(key, engine, { taskId, name }));
  const actual = Buffer.from(address);
  return expected.length === actual.length && timingSafeEqual(expected, actual) ? { taskId, name } : undefined;
}
