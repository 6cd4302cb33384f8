/** Queues and storage of the local service answer from a thread of their own. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import type { QueuesAndStorageOptions } from '../../../infra/local/queues-and-storage.ts';
import { startStorageThread } from '../../../infra/local/storage-thread.ts';
import { eventually } from '../../support/eventually.ts';

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

test('storage whose thread ends answers again at the same address, and has kept its objects', async () => {
  const workers: Worker[] = [];
  const start = (workerData: QueuesAndStorageOptions): Worker => {
    const program = new URL('../../../infra/local/storage-worker.ts', import.meta.url);
    const worker = new Worker(program, { execArgv: [], workerData });
    workers.push(worker);
    return worker;
  };
  const storage = await startStorageThread({ dataDir: newFolder() }, start);
  const object = `${storage.url}/${storage.resultsBucket}/a.txt`;
  await fetch(object, { method: 'PUT', body: 'kept' });
  await workers[0]?.terminate();
  const kept = await eventually('an answer', () => fetch(object).catch(() => undefined));
  expect(await kept.text()).toBe('kept');
  expect(workers).toHaveLength(2);
  await storage.close();
});

test('storage whose directory cannot be used fails to start', async () => {
  const dataDir = join(newFolder(), 'file');
  writeFileSync(dataDir, '');
  await expect(startStorageThread({ dataDir })).rejects.toThrow(/EEXIST|ENOTDIR/);
});
