/** Signs callbacks as fal.ai does, with keys created at the start of the fake, and publishes the keys. */
import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import type { Clock } from '../../shared/platform/clock.ts';

export interface SignatureChoice {
  readonly requestId: string;
  /** How old the timestamp is, in seconds. Default: 0. */
  readonly ageSeconds?: number;
  /** Signs with a key that was never published. */
  readonly isForged?: boolean;
}

export interface CallbackSigner {
  headers(body: string, choice: SignatureChoice): Readonly<Record<string, string>>;
  /** The published keys. */
  keySet(): { readonly keys: readonly Readonly<Record<string, string>>[] };
  /** Signs with a new key from now on; the old keys can stay published. */
  rotate(choice: { readonly keepsOld: boolean }): void;
}

const userId = 'user-of-the-fake';

/** The keys are padded like the real key set, according to reports, although the standard forbids padding. */
const published = (key: KeyObject) => {
  const { x = '' } = key.export({ format: 'jwk' });
  return { kty: 'OKP', crv: 'Ed25519', x: `${x}=` };
};

export const callbackSigner = (clock: Clock): CallbackSigner => {
  const newPair = () => generateKeyPairSync('ed25519');
  const unpublished = newPair();
  let pairs = [newPair()];

  return {
    headers(body, { requestId, ageSeconds = 0, isForged = false }) {
      const timestamp = String(Math.floor(clock.now() / 1000) - ageSeconds);
      const digest = createHash('sha256').update(body).digest('hex');
      const message = Buffer.from([requestId, userId, timestamp, digest].join('\n'));
      const { privateKey } = (isForged ? undefined : pairs[0]) ?? unpublished;
      return {
        'X-Fal-Webhook-Request-Id': requestId,
        'X-Fal-Webhook-User-Id': userId,
        'X-Fal-Webhook-Timestamp': timestamp,
        'X-Fal-Webhook-Signature': sign(null, message, privateKey).toString('hex'),
      };
    },
    keySet: () => ({ keys: pairs.map(({ publicKey }) => published(publicKey)) }),
    rotate({ keepsOld }) {
      pairs = [newPair(), ...(keepsOld ? pairs : [])];
    },
  };
};
