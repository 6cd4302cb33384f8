/** The address at which an engine reports on one job: unguessable, and derived, so that it needs no storage. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { JobId } from './engine-job.ts';

const seal = (key: string, engine: string, { taskId, name }: JobId): string =>
  createHmac('sha256', key).update(`engine-callback:${engine}:${taskId}.${name}`).digest('base64url');

/** `<taskId>.<name>.<hmac>`: only who was given the address can name the job. */
export const callbackAddress = (key: string, engine: string, job: JobId): string =>
  `${job.taskId}.${job.name}.${seal(key, engine, job)}`;

/** The job that an address was made for, or undefined when it is no address of ours. */
export function jobOfCallbackAddress(key: string, engine: string, address: string): JobId | undefined {
  const [taskId = '', name = ''] = address.split('.', 2);
  const expected = Buffer.from(callbackAddress(key, engine, { taskId, name }));
  const actual = Buffer.from(address);
  return expected.length === actual.length && timingSafeEqual(expected, actual) ? { taskId, name } : undefined;
}
