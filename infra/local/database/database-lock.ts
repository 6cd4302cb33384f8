/** Lets one service at a time use a database file. */
import { DatabaseSync } from 'node:sqlite';

/**
 * Takes the lock or throws a sentence. It is the operating system's lock on a file, held through SQLite, so it ends with
 * this process however that dies.
 */
export function lockDatabase(lockPath: string, dataDir: string): { release(): void } {
  const lock = new DatabaseSync(lockPath, { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (cause) {
    lock.close();
    throw new Error(
      `Another running service uses the data directory ${dataDir}. Stop it, or choose another one: LOCAL_DATA_DIR=… npm start`,
      {
        cause,
      },
    );
  }
  return {
    release: () => {
      if (lock.isOpen) lock.close();
    },
  };
}
