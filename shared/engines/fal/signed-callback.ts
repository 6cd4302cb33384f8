/** Verifies that a callback comes from fal.ai. */
import { createHash } from 'node:crypto';
import type { Clock } from '../../platform/clock.ts';
import type { EngineCallback } from '../engine.ts';
import type { FalKeys } from './fal-keys.ts';

const windowSeconds = 300;

/**
 * Header names are lower-case. A callback whose timestamp is more than five minutes off is rejected before any key is
 * fetched. Throws if the keys cannot be fetched.
 */
export const isSignedCallback = async (
  { headers, body }: EngineCallback,
  keys: FalKeys,
  clock: Clock,
): Promise<boolean> => {
  const requestId = headers['x-fal-webhook-request-id'] ?? '';
  const userId = headers['x-fal-webhook-user-id'] ?? '';
  const timestamp = headers['x-fal-webhook-timestamp'] ?? '';
  const signature = headers['x-fal-webhook-signature'] ?? '';
  if (!requestId || !/^\d{1,12}$/.test(timestamp) || !/^[0-9a-f]{128}$/i.test(signature)) return false;
  if (Math.abs(clock.now() / 1000 - Number(timestamp)) > windowSeconds) return false;
  const digest = createHash('sha256').update(body, 'utf8').digest('hex');
  const message = [requestId, userId, timestamp, digest].join('\n');
  return keys.haveSigned(Buffer.from(message, 'utf8'), Buffer.from(signature, 'hex'));
};
