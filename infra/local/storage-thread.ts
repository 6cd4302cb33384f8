/**
 * Runs queues and storage on a separate thread: fauxqs reads, joins and writes objects as a whole, and one of a gigabyte
 * would keep the main thread from answering for many seconds.
 */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { QueuesAndStorage, QueuesAndStorageOptions } from './queues-and-storage.ts';

/** Starts the thread. @throws {Error} if queues and storage cannot be started */
export async function startStorageThread(options: QueuesAndStorageOptions): Promise<QueuesAndStorage> {
  const worker = new Worker(new URL('./storage-worker.ts', import.meta.url), { execArgv: [], workerData: options });
  const ended = new Promise((resolve) => worker.once('exit', resolve));
  const [started] = (await once(worker, 'message')) as [Omit<QueuesAndStorage, 'close'>];
  return {
    ...started,
    async close() {
      worker.postMessage('close', []);
      await ended;
    },
  };
}
