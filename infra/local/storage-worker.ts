/** The thread on which the local service runs its queues and storage. */
import { parentPort, workerData } from 'node:worker_threads';
import { type QueuesAndStorageOptions, startQueuesAndStorage } from './queues-and-storage.ts';

const { close, ...started } = await startQueuesAndStorage(workerData as QueuesAndStorageOptions);
parentPort?.once('message', () => {
  void close().finally(() => parentPort?.close());
});
parentPort?.postMessage(started, []);
