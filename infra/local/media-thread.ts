/** Measures untrusted media files on separate threads, so that the main thread stays free to answer requests. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { excessive, interrupted, type MediaFault, slow } from '../../shared/media-files/media-fault.ts';
import type { StartMeasuring } from '../../shared/media-files/read-media.ts';
import type { WorkLimit } from '../../shared/platform/work-limit.ts';
import { currentCaller } from './current-caller.ts';
import { fairWorkLimit } from './fair-work-limit.ts';
import type { FromWorker, ToWorker } from './media-worker.ts';

interface MediaThread {
  readonly startMeasuring: StartMeasuring;
  /** The number of files being measured. */
  readonly files: () => number;
  close(): Promise<void>;
}

type Step = FromWorker['step'];

/** The memory limit of a thread, enough for the indexes of several long videos at once. */
const maxMegabytes = 512;
/** The time limit of one step, whose work is limited to less: a slow machine needs a second to start the thread. */
const maxStepMs = 4000;

function startWorker(): Worker {
  const worker = new Worker(new URL('./media-worker.ts', import.meta.url), {
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: maxMegabytes },
  });
  worker.unref();
  return worker;
}

/** The step that a thread processes: there is only one at a time, since others wait for their turn. */
function currentStep(stepMs: number, onSlow: () => void) {
  let current: PromiseWithResolvers<Step> | undefined;
  let timer: NodeJS.Timeout | undefined;
  const end = () => {
    clearTimeout(timer);
    current = undefined;
  };
  return {
    begin(): Promise<Step> {
      current = Promise.withResolvers();
      timer = setTimeout(onSlow, stepMs).unref();
      return current.promise;
    },
    taken({ step }: FromWorker): void {
      current?.resolve(step);
      end();
    },
    /** Fails the step, because the thread has ended. */
    fail(reason: MediaFault): void {
      current?.reject(reason);
      end();
    },
  };
}

/**
 * Creates the thread, which starts with the first file and again after a failure or a step that takes too long. In both
 * cases, the file of the current step fails, and the other files are interrupted. Callers take turns for each step,
 * however many files they have.
 */
export function mediaThread(start: () => Worker = startWorker, stepMs = maxStepMs): MediaThread {
  let worker: Worker | undefined;
  let [lastId, files] = [0, 0];

  const fail = (reason: MediaFault) => {
    worker = undefined;
    step.fail(reason);
  };
  const turns = fairWorkLimit(1, 1);
  const step = currentStep(stepMs, () => {
    void worker?.terminate();
    fail(slow());
  });
  const running = (): Worker => {
    if (worker) return worker;
    const started = start();
    worker = started;
    started.on('message', (message: FromWorker) => worker === started && step.taken(message));
    // The event `error` is ignored, because an error also ends the thread, which is handled.
    started.on('error', () => undefined);
    started.on('exit', () => worker === started && fail(excessive()));
    return started;
  };

  return {
    startMeasuring(shape) {
      lastId += 1;
      files += 1;
      const id = lastId;
      const thread = running();
      const send = (message: ToWorker) => thread.postMessage(message, []);
      send({ id, shape });
      return {
        next: (bytes) =>
          turns(currentCaller(), () => {
            // A thread that has ended would never respond.
            if (worker !== thread) throw interrupted();
            const taken = step.begin();
            send({ id, bytes });
            return taken;
          }),
        close() {
          files -= 1;
          send({ id, isOver: true });
        },
      };
    },
    files: () => files,
    async close() {
      await worker?.terminate();
    },
  };
}

/** A slow file delays only the files on the same thread. */
const threadCount = 2;

/** How many large parts of files are read at once. */
const maxLargeReads = 4;
/** How long a part keeps others waiting. After that its host is slow, so that little of it is in memory. */
const maxHoldMs = 1000;

/** Lets callers take turns in reading large parts. */
export function largeReadsInTurn(holdMs = maxHoldMs): WorkLimit {
  const turns = fairWorkLimit(maxLargeReads, 1);
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    const read = Promise.withResolvers<Result>();
    await turns(currentCaller(), async () => {
      work().then(read.resolve, read.reject);
      await Promise.race([read.promise.catch(() => undefined), sleep(holdMs, undefined, { ref: false })]);
    });
    return read.promise;
  };
}

interface MediaThreads extends Omit<MediaThread, 'files'> {
  readonly largeReads: WorkLimit;
}

/** Several threads; the one with the fewest files measures the next file. */
export function mediaThreads(start?: () => Worker, stepMs?: number): MediaThreads {
  const threads = Array.from({ length: threadCount }, () => mediaThread(start, stepMs));
  return {
    largeReads: largeReadsInTurn(),
    startMeasuring(shape) {
      const [first, ...others] = threads as [MediaThread, ...MediaThread[]];
      const idlest = others.reduce((best, thread) => (thread.files() < best.files() ? thread : best), first);
      return idlest.startMeasuring(shape);
    },
    async close() {
      await Promise.all(threads.map((thread) => thread.close()));
    },
  };
}
