/**
 * Runs queues and storage on a separate thread: fauxqs reads, joins and writes objects as a whole, and one of a gigabyte
 * would keep the main thread from answering for many seconds. A thread that ends, for example without memory, is replaced
 * by another one at the same address, with the same stored contents.
 */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { QueuesAndStorage, QueuesAndStorageOptions } from './queues-and-storage.ts';

type Started = Omit<QueuesAndStorage, 'close'>;
type StartWorker = (workerData: QueuesAndStorageOptions) => Worker;

const startWorker: StartWorker = (workerData) =>
  new Worker(new URL('./storage-worker.ts', import.meta.url), { execArgv: [], workerData });

async function startThread(worker: Worker) {
  const ended = new Promise((resolve) => worker.once('exit', resolve));
  const [started] = (await once(worker, 'message')) as [Started];
  // An error also ends the thread, which is handled.
  worker.on('error', () => undefined);
  return { worker, ended, started };
}

/** Starts the thread. @throws {Error} if queues and storage cannot be started */
export async function startStorageThread(
  options: QueuesAndStorageOptions,
  start: StartWorker = startWorker,
): Promise<QueuesAndStorage> {
  let thread = await startThread(start(options));
  const { started } = thread;
  const port = Number(new URL(started.url).port);
  let isClosing = false;
  async function replaceEnded(): Promise<void> {
    await thread.ended;
    if (isClosing) return;
    process.stderr.write('The thread of queues and storage ended, and is replaced.\n');
    thread = await startThread(start({ ...options, port }));
    void replaceEnded();
  }
  void replaceEnded();
  return {
    ...started,
    async close() {
      isClosing = true;
      thread.worker.postMessage('close', []);
      await thread.ended;
    },
  };
}
