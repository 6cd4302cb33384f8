/** Creates the secrets of a local service at its first start, and stores them next to its data. */
import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { makePrivateFolder } from '../../fakes/private-folder.ts';
import { type ContentKey, localContentKey } from './content-key.ts';
import { webhookSigningKeys } from './rotate-webhook-key.ts';

export interface Keys {
  readonly engineCallbackKey: string;
  readonly offlineEngineKey: string;
  /** The key for fakes of providers, in the format of fal.ai's keys: an id, a colon and a secret. */
  readonly fakeKey: string;
  readonly mercadoPagoToken: string;
  readonly mercadoPagoWebhookSecret: string;
  readonly stripeKey: string;
  readonly stripeWebhookSecret: string;
  /** The secret of the app that connects pages of the social sandbox. */
  readonly metaAppSecret: string;
  readonly metaVerifyToken: string;
  readonly webhookTokenKey: string;
  readonly credentialsKey: string;
  /** The folder of the keys that sign webhooks; it contains several during a rotation. */
  readonly webhookSigningKeys: string;
  /** The key that signs Content Credentials, and its certificate. */
  readonly content: ContentKey;
}

const hexKey = /^[0-9a-f]{64}$/;

/**
 * Writes a key file. It is synced to disk before it is renamed, so that neither a kill nor a power failure leaves an
 * empty key.
 */
function writeKey(path: string): void {
  const file = openSync(`${path}.new`, 'w', 0o600);
  try {
    writeFileSync(file, randomBytes(32).toString('hex'));
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(`${path}.new`, path);
}

/** The path of a file with random hex, created once and readable only by its owner. */
function keyFile(directory: string, name: string): string {
  const path = join(directory, name);
  if (!existsSync(path)) writeKey(path);
  if (!hexKey.test(readFileSync(path, 'utf8'))) {
    throw new Error(
      `The key file ${path} is damaged: restore it from a backup, or delete it to create a new key at the next start (whatever was signed or derived with the old key is then no longer valid).`,
    );
  }
  return path;
}

export async function localKeys(dataDir: string): Promise<Keys> {
  const directory = resolve(dataDir, 'keys');
  makePrivateFolder(directory);
  return {
    engineCallbackKey: readFileSync(keyFile(directory, 'engine-callback.key'), 'utf8'),
    offlineEngineKey: readFileSync(keyFile(directory, 'offline-engine.key'), 'utf8'),
    fakeKey: `local:${readFileSync(keyFile(directory, 'provider-fake.key'), 'utf8')}`,
    mercadoPagoToken: `TEST-${readFileSync(keyFile(directory, 'mercado-pago.key'), 'utf8')}`,
    mercadoPagoWebhookSecret: readFileSync(keyFile(directory, 'mercado-pago-webhooks.key'), 'utf8'),
    stripeKey: `sk_test_${readFileSync(keyFile(directory, 'stripe.key'), 'utf8')}`,
    stripeWebhookSecret: `whsec_${readFileSync(keyFile(directory, 'stripe-webhooks.key'), 'utf8')}`,
    metaAppSecret: readFileSync(keyFile(directory, 'meta-app.key'), 'utf8'),
    metaVerifyToken: readFileSync(keyFile(directory, 'meta-webhooks.key'), 'utf8'),
    webhookTokenKey: keyFile(directory, 'webhook.key'),
    credentialsKey: keyFile(directory, 'credentials.key'),
    webhookSigningKeys: await webhookSigningKeys(directory),
    content: localContentKey(directory),
  };
}
