/** A lock between processes: a file lock of the operating system, held through SQLite, so it ends with its holder. */
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
    // Polls instead of waiting inside SQLite, which would block this process.
    await delay(retryMs);
  }
}

/** Runs a function while holding the lock of the path; waits until the lock is free. */
export async function withFileLock<Value>(path: string, work: () => Promise<Value>): Promise<Value> {
  const lock = await taken(path);
  try {
    return await work();
  } finally {
    lock.close();
  }
}
