/** The engine's folder of results: what may be read from it, and when a file leaves it. */
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { Readable } from 'node:stream';

const contentTypes: Readonly<Record<string, string>> = {
  '.mp3': 'audio/mpeg',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.jpg': 'image/jpeg',
};

/** The only names that jobs write: 32 hex digits, a number if need be, the ending; none leads out of the folder. */
const resultName = /^[0-9a-f]{32}(-[1-9])?\.[0-9a-z]{2,4}$/;
const ownName = /^[0-9a-f]{32}[-.]/;

interface StoredFile {
  readonly contentType: string;
  readonly bytes: number;
  readonly content: Readable;
}

export const openFile = async (filesDir: string, name: string): Promise<StoredFile | undefined> => {
  const contentType = contentTypes[extname(name)];
  if (!contentType || !resultName.test(name)) return undefined;
  const file = await open(join(filesDir, name)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (!file) return undefined;
  return { contentType, bytes: (await file.stat()).size, content: file.createReadStream() };
};

/** Files outlive the process, so that a result can still be fetched after a restart; old ones go by this. */
export const removeFilesOlderThan = async (filesDir: string, time: number): Promise<void> => {
  await mkdir(filesDir, { recursive: true });
  for (const name of await readdir(filesDir)) {
    if (!ownName.test(name)) continue;
    const path = join(filesDir, name);
    // A job at work may have removed its unfinished file meanwhile.
    const found = await stat(path).catch(() => undefined);
    if (found && found.mtimeMs < time) await rm(path, { force: true });
  }
};

/** Takes back whatever a job has written, finished or not. */
export const removeFilesOf = async (filesDir: string, fileStem: string): Promise<void> => {
  for (const name of await readdir(filesDir)) {
    if (name.startsWith(fileStem)) await rm(join(filesDir, name), { force: true });
  }
};
