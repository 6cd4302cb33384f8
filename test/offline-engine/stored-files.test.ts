import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  openFile,
  removeAbandonedFolders,
  removeFilesOf,
  removeFilesOlderThan,
  workFolderName,
} from '../../offline-engine/stored-files.ts';

const [mine, other] = ['a'.repeat(32), 'b'.repeat(32)];
let filesDir: string;

beforeEach(async () => {
  filesDir = await mkdtemp(join(tmpdir(), 'stored-files-'));
  for (const stem of [mine, other]) {
    await mkdir(join(filesDir, workFolderName(stem, process.pid)));
    await writeFile(join(filesDir, workFolderName(stem, process.pid), 'video.mp4'), 'unfinished');
    await writeFile(join(filesDir, `${stem}.mp4`), 'finished');
  }
});
afterEach(() => rm(filesDir, { recursive: true }));

test('deleting a failed job’s files from the offline engine removes its folder and no other job’s', async () => {
  await removeFilesOf(filesDir, mine);
  expect((await readdir(filesDir)).sort()).toEqual([workFolderName(other, process.pid), `${other}.mp4`]);
});

test('the offline engine removes the folder of a dead process at once, and nothing else', async () => {
  const { pid: dead } = spawnSync(process.execPath, ['--version']);
  await mkdir(join(filesDir, workFolderName(mine, dead)));
  await writeFile(join(filesDir, workFolderName(mine, dead), 'video.mp4'), 'unfinished');
  const before = await readdir(filesDir);
  await removeAbandonedFolders(filesDir);
  expect(await readdir(filesDir)).toEqual(before.filter((name) => name !== workFolderName(mine, dead)));
});

test('the offline engine removes an old folder that a crashed engine left behind', async () => {
  const dayAgo = Date.UTC(2026, 0, 1);
  await utimes(join(filesDir, workFolderName(mine, process.pid)), dayAgo / 1000 - 60, dayAgo / 1000 - 60);
  await removeFilesOlderThan(filesDir, dayAgo);
  expect((await readdir(filesDir)).sort()).toEqual([`${mine}.mp4`, workFolderName(other, process.pid), `${other}.mp4`]);
});

test('the offline engine never serves files in a temporary folder', async () => {
  for (const name of [workFolderName(mine, process.pid), `${workFolderName(mine, process.pid)}/video.mp4`]) {
    expect(await openFile(filesDir, name)).toBeUndefined();
  }
  const file = await openFile(filesDir, `${mine}.mp4`);
  file?.content.destroy();
  expect(file).toMatchObject({ contentType: 'video/mp4', bytes: 8 });
});
