/** Verifies the signatures of fal.ai's callbacks. */
import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto';
import * as z from 'zod';
import { boundedExchange } from '../../platform/bounded-exchange.ts';
import type { Clock } from '../../platform/clock.ts';
import { jsonIn } from '../../platform/json-in.ts';
import type { EngineCallback } from '../engine.ts';

const keptMs = 24 * 3_600_000;
/** The least time between two downloads of keys, so that forged callbacks do not each cause one. */
const pauseMs = { withKeys: 60_000, withoutKeys: 5_000 };
const maxBytes = 2 ** 16;
const maxKeys = 20;

const Key = z.object({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  /** A key of 32 bytes, with or without padding. */
  x: z.string().regex(/^[\w-]{43}=?$/),
});

const KeySet = z.object({ keys: z.array(z.unknown()) });

const keysIn = (text: string): readonly KeyObject[] =>
  (KeySet.safeParse(jsonIn(text)).data?.keys ?? [])
    .slice(0, maxKeys)
    .map((key) => Key.safeParse(key).data)
    .filter((key) => key !== undefined)
    .map((key) => createPublicKey({ key, format: 'jwk' }));

interface FalKeysOptions {
  readonly url: string;
  readonly clock: Clock;
  readonly timeLimitMs: number;
}

export interface FalKeys {
  /** Whether one of the keys made the signature. Throws if no keys are cached and none can be downloaded now. */
  haveSigned(message: Uint8Array, signature: Uint8Array): Promise<boolean>;
}

export const falKeys = ({ url, clock, timeLimitMs }: FalKeysOptions): FalKeys => {
  let held: { readonly keys: readonly KeyObject[]; readonly since: number } | undefined;
  let askedAt: number | undefined;
  let asking: Promise<readonly KeyObject[]> | undefined;

  const ask = async () => {
    askedAt = clock.now();
    const { status, text } = await boundedExchange('fal.ai', { url }, { timeLimitMs, maxBytes });
    const keys = status === 200 ? keysIn(text) : [];
    if (keys.length === 0)
      throw new Error(`fal.ai responded with ${status} and no usable keys to a request for its keys`);
    held = { keys, since: askedAt };
    return keys;
  };
  const askOnce = () => {
    asking ??= ask().finally(() => {
      asking = undefined;
    });
    return asking;
  };
  const mayAsk = (pause: number) =>
    asking !== undefined || askedAt === undefined || Math.abs(clock.now() - askedAt) >= pause;
  const known = () => (held && Math.abs(clock.now() - held.since) < keptMs ? held.keys : undefined);

  return {
    async haveSigned(message, signature) {
      const signedBy = (keys: readonly KeyObject[]) => keys.some((key) => verify(null, message, key, signature));
      const keys = known();
      if (keys && signedBy(keys)) return true;
      if (mayAsk(keys ? pauseMs.withKeys : pauseMs.withoutKeys)) return signedBy(await askOnce());
      if (!keys) throw new Error('the keys of fal.ai are not available');
      return false;
    },
  };
};

const windowSeconds = 300;

/**
 * Verifies a callback; header names are lower-case. If the timestamp is more than five minutes off, it is rejected
 * before any key is downloaded. Throws if the keys cannot be downloaded.
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
