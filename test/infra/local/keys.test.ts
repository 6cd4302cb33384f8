/** The local service's keys are complete, private and the same at every start. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { localKeys } from '../../../infra/local/keys.ts';

let dataDir: string;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'generation-service-keys-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

test('a second start of the local service uses the keys of the first one', async () => {
  const first = await localKeys(dataDir);
  expect(first.engineCallbackKey).toMatch(/^[0-9a-f]{64}$/);
  expect(first.engineCallbackKey).not.toBe(first.offlineEngineKey);
  const webhookTokenKey = readFileSync(first.webhookTokenKey, 'utf8');
  const second = await localKeys(dataDir);
  expect(second).toEqual(first);
  expect(readFileSync(second.webhookTokenKey, 'utf8')).toBe(webhookTokenKey);
});

test('the key files of the local service are readable only by their owner', async () => {
  await localKeys(dataDir);
  const modes = readdirSync(join(dataDir, 'keys'), { recursive: true, encoding: 'utf8' }).map(
    (name) => statSync(join(dataDir, 'keys', name)).mode & 0o077,
  );
  expect(modes.length).toBeGreaterThan(3);
  expect(modes.filter((mode) => mode !== 0)).toEqual([]);
});

test.for(['webhook.key', 'engine-callback.key', 'offline-engine.key', 'provider-fake.key'])(
  'an empty or truncated %s is rejected with a message that names it, and left unchanged',
  async (name) => {
    await localKeys(dataDir);
    const path = join(dataDir, 'keys', name);
    for (const damaged of ['', 'abc', `${'a'.repeat(64)}\n`]) {
      writeFileSync(path, damaged);
      await expect(localKeys(dataDir)).rejects.toThrow(`The key file ${path} is damaged`);
      expect(readFileSync(path, 'utf8')).toBe(damaged);
    }
  },
);
