/** Measures media files of others in a thread of its own: the one that answers requests is never busy with them. */
import { Worker } from 'node:worker_threads';
import { excessive } from '../../shared/media-files/media-fault.ts';
import type { StartMeasuring } from '../../shared/media-files/read-media.ts';
import type { FromWorker, ToWorker } from './media-worker.ts';

interface MediaThread {
  readonly startMeasuring: StartMeasuring;
  close(): Promise<void>;
}

type Step = FromWorker['step'];

/** Several indexes of long videos at once. */
const mostMegabytes = 512;

function startWorker(): Worker {
  const worker = new Worker(new URL('./media-worker.ts', import.meta.url), {
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: mostMegabytes },
  });
  worker.unref();
  return worker;
}

/** The thread starts with the first file, and anew after a failure, which fails the files that are being measured. */
export function mediaThread(start: () => Worker = startWorker): MediaThread {
  let worker: Worker | undefined;
  let lastId = 0;
  const waiting = new Map<number, PromiseWithResolvers<Step>>();

  const fail = () => {
    worker = undefined;
    for (const { reject } of waiting.values()) reject(excessive());
    waiting.clear();
  };
  const running = (): Worker => {
    if (worker) return worker;
    const started = start();
    worker = started;
    started.on('message', ({ id, step }: FromWorker) => {
      waiting.get(id)?.resolve(step);
      waiting.delete(id);
    });
    // An error ends the thread, too.
    started.on('error', () => undefined);
    started.on('exit', () => worker === started && fail());
    return started;
  };

  return {
    startMeasuring(shape) {
      lastId += 1;
      const id = lastId;
      const thread = running();
      const send = (message: ToWorker) => thread.postMessage(message, []);
      send({ id, shape });
      return {
        next(bytes) {
          // A thread that has ended would never respond.
          if (worker !== thread) throw excessive();
          const step = Promise.withResolvers<Step>();
          waiting.set(id, step);
          send({ id, bytes });
          return step.promise;
        },
        close: () => send({ id, isOver: true }),
      };
    },
    async close() {
      await worker?.terminate();
    },
  };
}
