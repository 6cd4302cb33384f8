/** Ensures that only one service at a time uses a database file. */
import { DatabaseSync } from 'node:sqlite';

/**
 * Takes the lock: a file lock of the operating system, held through SQLite, so it is released when this process ends
 * for any reason. @throws {Error} if another service holds it
 */
export function lockDatabase(lockPath: string, dataDir: string): { release(): void } {
  const lock = new DatabaseSync(lockPath, { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (cause) {
    lock.close();
    throw new Error(
      `Another running service uses the data directory ${dataDir}. Stop it, or choose another directory: LOCAL_DATA_DIR=… npm start`,
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
