/** Manages the engine's results folder: which files can be read, and when they are deleted. */
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { mediaTypes } from '../shared/contracts/media.ts';

const contentTypes = new Map(
  Object.entries(mediaTypes).map(([contentType, { extension }]) => [`.${extension}`, contentType]),
);

/**
 * The only file names that jobs write: 32 hex digits, an optional number and an extension, so that none leaves the
 * folder.
 */
const resultName = /^[0-9a-f]{32}(-[1-9]\d?)?\.[0-9a-z]{2,4}$/;
const ownName = /^[0-9a-f]{32}[-.]/;

/** The name of a job's folder for temporary files, which clients cannot read. */
export const workFolderName = (fileStem: string, pid: number): string => `${fileStem}-work-${pid}`;
const workFolder = /^[0-9a-f]{32}-work-(?<pid>\d+)$/;

const servedAs = (name: string): string | undefined =>
  resultName.test(name) ? contentTypes.get(extname(name)) : undefined;

/** Fails at a job's end if a result could not be downloaded. @throws {Error} */
export const requireServed = (name: string): void => {
  if (servedAs(name)) return;
  throw new Error(
    `${name} cannot be served: the name must be the file stem with one of ${[...contentTypes.keys()].join(', ')}`,
  );
};

interface StoredFile {
  readonly contentType: string;
  readonly bytes: number;
  readonly content: Readable;
}

export const openFile = async (filesDir: string, name: string): Promise<StoredFile | undefined> => {
  const contentType = servedAs(name);
  if (!contentType) return undefined;
  const file = await open(join(filesDir, name)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (!file) return undefined;
  return { contentType, bytes: (await file.stat()).size, content: file.createReadStream() };
};

/** Deletes old files. Files are kept across restarts, so that results can still be downloaded. */
export const removeFilesOlderThan = async (filesDir: string, time: number): Promise<void> => {
  await mkdir(filesDir, { recursive: true });
  for (const name of await readdir(filesDir)) {
    if (!ownName.test(name)) continue;
    const path = join(filesDir, name);
    // A running job may have deleted its unfinished file meanwhile.
    const found = await stat(path).catch(() => undefined);
    if (found && found.mtimeMs < time) await rm(path, { recursive: true, force: true });
  }
};

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // The process exists, possibly as another user, unless the error says that there is none.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
};

/** Deletes the temporary folders of engine processes that were killed. */
export const removeAbandonedFolders = async (filesDir: string): Promise<void> => {
  for (const name of await readdir(filesDir)) {
    const pid = workFolder.exec(name)?.groups?.pid;
    if (pid && !isAlive(Number(pid))) await rm(join(filesDir, name), { recursive: true, force: true });
  }
};

/** Deletes everything that a job has written, complete or not. */
export const removeFilesOf = async (filesDir: string, fileStem: string): Promise<void> => {
  for (const name of await readdir(filesDir)) {
    if (name.startsWith(fileStem)) await rm(join(filesDir, name), { recursive: true, force: true });
  }
};
