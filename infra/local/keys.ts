/** The secrets of a local service: created at its first start and kept beside its data. */
import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { makePrivateFolder } from './private-folder.ts';
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

const hexKey = /^[0-9a-f]{64}$/;

/** On disk before it gets its name: neither a kill nor a power cut may leave an empty key behind. */
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

/** The path of a file of random hex that is written once and readable by its owner alone. */
function keyFile(directory: string, name: string): string {
  const path = join(directory, name);
  if (!existsSync(path)) writeKey(path);
  if (!hexKey.test(readFileSync(path, 'utf8'))) {
    throw new Error(
      `The key file ${path} is damaged: restore it from a copy, or delete it to have a new key created at the next start (what was signed or derived with the old one is then no longer valid).`,
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
    falFakeKey: `local:${readFileSync(keyFile(directory, 'fal-fake.key'), 'utf8')}`,
    webhookTokenKey: keyFile(directory, 'webhook.key'),
    webhookSigningKeys: await webhookSigningKeys(directory),
  };
}
