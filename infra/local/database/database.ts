/** The local DynamoDB: a database in a child process, or the server at DYNAMODB_ENDPOINT. */
import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { makePrivateFolder } from '../../../fakes/private-folder.ts';
import { lockDatabase } from './database-lock.ts';
import { endOrphan, rememberDatabase } from './database-orphan.ts';
import { startDatabaseProcess } from './database-process.ts';
import { databaseProgram } from './database-program.ts';

export interface Database {
  readonly url: string;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** The database's directory; if absent, the database is in memory. */
  readonly dataDir?: string;
  /** Stores nothing in the directory but the pid file, so that the process can be ended if the service is killed. */
  readonly inMemory?: boolean;
  /** Called with a message if the database ends without having been closed. */
  readonly onExit?: (reason: string) => void;
}

export async function startDatabase(options: DatabaseOptions): Promise<Database> {
  const endpoint = process.env.DYNAMODB_ENDPOINT;
  if (endpoint) return externalDatabase(endpoint);
  const { dataDir, inMemory = false, onExit } = options;
  if (dataDir === undefined) return startDatabaseProcess({ program: databaseProgram(), ...(onExit && { onExit }) });
  return startOwnDatabase(dataDir, inMemory, onExit);
}

function externalDatabase(endpoint: string): Database {
  const url = URL.parse(endpoint);
  if (!url || !/^https?:$/.test(url.protocol))
    throw new Error(`DYNAMODB_ENDPOINT must be a URL such as http://127.0.0.1:8000, but is "${endpoint}".`);
  return { url: url.href.replace(/\/$/, ''), close: async () => undefined };
}

/**
 * Starts a database. Only one database process uses the directory afterwards, even if a killed service had left one
 * running.
 */
async function startOwnDatabase(
  dataDir: string,
  inMemory: boolean,
  onExit: DatabaseOptions['onExit'],
): Promise<Database> {
  const program = databaseProgram();
  const directory = resolve(dataDir);
  makePrivateFolder(directory);
  const pidPath = join(directory, 'database.pid');
  const lock = lockDatabase(join(directory, 'database.lock'), directory);
  try {
    await endOrphan(pidPath);
    const child = await startDatabaseProcess({
      program,
      ...(!inMemory && { directory }),
      onSpawn: (spawned) => rememberDatabase(pidPath, spawned),
      ...(onExit && { onExit }),
    });
    return {
      url: child.url,
      async close() {
        await child.close();
        rmSync(pidPath, { force: true });
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}
