/** The file in which a running local service records how the operator's command line can reach it. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

const serviceFile = z.object({
  pid: z.int().min(1),
  url: z.string(),
  /** The environment of the service's functions. */
  environment: z.record(z.string(), z.string()),
});

export type ServiceFile = z.infer<typeof serviceFile>;

/** The data directory: `LOCAL_DATA_DIR`, or `.local` in the project. */
export const localDataDir = (environment: Readonly<Record<string, string | undefined>>): string =>
  environment.LOCAL_DATA_DIR || '.local';

/** The directory of a running in-memory service, separate from the stored data of other services. */
export const memoryDirIn = (dataDir: string): string => join(dataDir, 'memory');

const pathIn = (dataDir: string): string => join(dataDir, 'service.json');

/** Writes the file, which only its owner can read, because it contains keys. */
export const writeServiceFile = (dataDir: string, service: ServiceFile): void =>
  writeFileSync(pathIn(dataDir), JSON.stringify(service, null, 2), { mode: 0o600 });

export const removeServiceFile = (dataDir: string): void => rmSync(pathIn(dataDir), { force: true });

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/** Parses the file. @throws {Error} if the text does not describe a service */
function parse(text: string, path: string): ServiceFile {
  try {
    return serviceFile.parse(JSON.parse(text));
  } catch (cause) {
    throw new Error(`The file ${path} is damaged: stop the service and start it again.`, { cause });
  }
}

function readIn(dataDir: string): ServiceFile | undefined {
  let text: string;
  try {
    text = readFileSync(pathIn(dataDir), 'utf8');
  } catch {
    return undefined;
  }
  const service = parse(text, pathIn(dataDir));
  return isRunning(service.pid) ? service : undefined;
}

/** The service that is running on a data directory; undefined if there is none, even after a `kill -9`. */
export const readServiceFile = (dataDir: string): ServiceFile | undefined =>
  readIn(dataDir) ?? readIn(memoryDirIn(dataDir));
