/** Runs operations of the offline engine in this process: starting a process takes longer than most jobs. */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { OutputFile } from '../../offline-engine/operation.ts';
import { findOperation } from '../../offline-engine/operations/operations.ts';
import { requireServed } from '../../offline-engine/stored-files.ts';

export interface PerformedFile extends Omit<OutputFile, 'fileName'> {
  readonly bytes: Buffer;
}

/** The files as the engine would serve them. @throws {WorkFailure} */
export const performOperation = async (
  name: string,
  input: unknown,
  filesDir: string,
): Promise<readonly PerformedFile[]> => {
  const operation = await findOperation(name);
  if (!operation) throw new Error(`There is no operation "${name}".`);
  const fileStem = randomBytes(16).toString('hex');
  const files = await operation.perform(input, {
    filesDir,
    fileStem,
    progress: () => undefined,
    startWorking: async () => undefined,
  });
  return Promise.all(
    files.map(async ({ fileName, ...file }) => {
      requireServed(fileName);
      return { ...file, bytes: await readFile(join(filesDir, fileName)) };
    }),
  );
};
