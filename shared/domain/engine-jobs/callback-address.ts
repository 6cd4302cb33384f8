/** The address at which an engine reports on one task: secret, and made so that it needs no storage. */
import { createHmac, timingSafeEqual } from 'node:crypto';

const seal = (key: string, engine: string, taskId: string): string =>
  createHmac('sha256', key).update(`engine-callback:${engine}:${taskId}`).digest('base64url');

/** `<taskId>.<hmac>`: only who was given the address can name the task. */
export const callbackAddress = (key: string, engine: string, taskId: string): string =>
  `${taskId}.${seal(key, engine, taskId)}`;

/** The task that an address was made for, or undefined when it is no address of ours. */
export function taskOfCallbackAddress(key: string, engine: string, address: string): string | undefined {
  const [taskId = ''] = address.split('.', 1);
  const expected = Buffer.from(callbackAddress(key, engine, taskId));
  const actual = Buffer.from(address);
  return expected.length === actual.length && timingSafeEqual(expected, actual) ? taskId : undefined;
}
