/** The signing keys of a local service: created once, private to their owner, and rotated by adding keys. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { localKeys } from '../../../infra/local/keys.ts';
import { rotateWebhookKey } from '../../../infra/local/rotate-webhook-key.ts';

let dataDir: string;
let directory: string;

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'local-keys-'));
  directory = (await localKeys(dataDir)).webhookSigningKeys;
  return () => rmSync(dataDir, { recursive: true });
});

test('the first start of the local service creates one webhook key, and later starts leave it unchanged', async () => {
  expect(directory).toBe(join(dataDir, 'keys', 'webhook-signing'));
  const made = readFileSync(join(directory, '1.pem'), 'utf8');
  expect((await localKeys(dataDir)).webhookSigningKeys).toBe(directory);
  expect(readdirSync(directory)).toEqual(['1.pem']);
  expect(readFileSync(join(directory, '1.pem'), 'utf8')).toBe(made);
});

test('the folder of webhook keys and every key in it are private to their owner', async () => {
  const { file } = await rotateWebhookKey(directory);
  expect(statSync(directory).mode & 0o777).toBe(0o700);
  for (const path of [file, join(directory, '1.pem')]) expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('rotating webhook keys publishes the new key first, then the earlier ones, and names their files', async () => {
  const second = await rotateWebhookKey(directory);
  const third = await rotateWebhookKey(directory);
  expect(third.file).toBe(join(directory, '3.pem'));
  expect(third.published.map(({ kid }) => kid)).toEqual([third.kid, ...second.published.map(({ kid }) => kid)]);
  expect(third.earlierFiles).toEqual([join(directory, '2.pem'), join(directory, '1.pem')]);
});

test('concurrent rotations of webhook keys lose no key', async () => {
  const rotations = await Promise.all(Array.from({ length: 5 }, () => rotateWebhookKey(directory)));
  expect(new Set(rotations.map(({ file }) => file)).size).toBe(5);
  expect(new Set(rotations.map(({ kid }) => kid)).size).toBe(5);
  expect(readdirSync(directory)).toHaveLength(6);
});

test('files left by a killed key rotation are not used as keys and do not block later rotations', async () => {
  mkdirSync(join(directory, 'new-killed'));
  expect((await rotateWebhookKey(directory)).published).toHaveLength(2);
});
