/** The folder of a job's temporary files. */
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { WorkContext } from '../operation.ts';
import { workFolderName } from '../stored-files.ts';

/** Creates a folder for as long as `use` runs; if the process is killed, its parent removes the folder. */
export const inWorkFolder = async <Result>(
  { filesDir, fileStem }: WorkContext,
  use: (folder: string) => Promise<Result>,
): Promise<Result> => {
  const folder = join(filesDir, workFolderName(fileStem, process.pid));
  await mkdir(folder);
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
