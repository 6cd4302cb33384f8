/** Queues and storage of the local service answer from a thread of their own. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startStorageThread } from '../../../infra/local/storage-thread.ts';

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'storage-thread-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** Makes a request from another process, while this thread does nothing else. */
function answerWhileBlocked(url: string): string {
  const program = `console.log((await fetch('${url}')).status)`;
  return spawnSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' }).stdout;
}

test('storage answers while the main thread is busy, and no longer answers once it is closed', async () => {
  const storage = await startStorageThread({ dataDir: newFolder() });
  const bucket = `${storage.url}/${storage.resultsBucket}`;
  expect(answerWhileBlocked(bucket)).toBe('200\n');
  await storage.close();
  await expect(fetch(bucket)).rejects.toThrow();
});

test('storage whose directory cannot be used fails to start', async () => {
  const dataDir = join(newFolder(), 'file');
  writeFileSync(dataDir, '');
  await expect(startStorageThread({ dataDir })).rejects.toThrow(/EEXIST|ENOTDIR/);
});
