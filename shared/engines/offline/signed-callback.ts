/** Verifies that a callback comes from the offline engine. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../platform/clock.ts';
import type { EngineCallback } from '../engine.ts';

const windowSeconds = 300;

/**
 * Verifies a signature; header names are lower-case. A callback whose timestamp is more than five minutes off is
 * rejected.
 */
export const isSignedCallback = ({ headers, body }: EngineCallback, key: string, clock: Clock): boolean => {
  const timestamp = headers['x-engine-timestamp'] ?? '';
  const signature = headers['x-engine-signature'] ?? '';
  if (!/^\d{1,12}$/.test(timestamp) || !/^[0-9a-f]{64}$/.test(signature)) return false;
  if (Math.abs(clock.now() / 1000 - Number(timestamp)) > windowSeconds) return false;
  const expected = createHmac('sha256', key).update(`${timestamp}.${body}`).digest();
  return timingSafeEqual(expected, Buffer.from(signature, 'hex'));
};
