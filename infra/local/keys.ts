/** The secrets of a local service: made at its first start, kept beside its data. */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { webhookSigningKeys } from './rotate-webhook-key.ts';

export interface Keys {
  readonly engineCallbackKey: string;
  readonly offlineEngineKey: string;
  /** As fal.ai's keys are written: an id, a colon, a secret. */
  readonly falFakeKey: string;
  readonly webhookTokenKey: string;
  /** A folder, which holds several keys while a rotation overlaps. */
  readonly webhookSigningKeys: string;
}

/** A file of random hex that is written once and readable by its owner alone. */
function keyFile(directory: string, name: string): string {
  const path = join(directory, name);
  if (existsSync(path)) return path;
  // Renamed into place: a start that is killed here must not leave half a key for ever.
  writeFileSync(`${path}.new`, randomBytes(32).toString('hex'), { mode: 0o600 });
  renameSync(`${path}.new`, path);
  return path;
}

export async function localKeys(dataDir: string): Promise<Keys> {
  const directory = resolve(dataDir, 'keys');
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  return {
    engineCallbackKey: readFileSync(keyFile(directory, 'engine-callback.key'), 'utf8'),
    offlineEngineKey: readFileSync(keyFile(directory, 'offline-engine.key'), 'utf8'),
    falFakeKey: `local:${readFileSync(keyFile(directory, 'fal-fake.key'), 'utf8')}`,
    webhookTokenKey: keyFile(directory, 'webhook.key'),
    webhookSigningKeys: await webhookSigningKeys(directory),
  };
}
