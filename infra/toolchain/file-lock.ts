/** A lock between processes: the operating system's own on a file, held through SQLite, so it ends with its holder. */
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';

const retryMs = 200;

const isBusy = (error: unknown): boolean => error instanceof Error && /database is locked/.test(error.message);

async function taken(path: string): Promise<DatabaseSync> {
  for (;;) {
    const lock = new DatabaseSync(path, { timeout: 0 });
    try {
      lock.exec('BEGIN EXCLUSIVE');
      return lock;
    } catch (error) {
      lock.close();
      if (!isBusy(error)) throw error;
    }
    // Waiting inside SQLite would stop everything else in this process.
    await delay(retryMs);
  }
}

/** Does the work while nobody else holds the lock of the same path; waits for as long as somebody does. */
export async function withFileLock<Value>(path: string, work: () => Promise<Value>): Promise<Value> {
  const lock = await taken(path);
  try {
    return await work();
  } finally {
    lock.close();
  }
}
