/**
 * Calls the C2PA library on a separate thread, where a false file can neither keep the main thread busy nor end the
 * process.
 */
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { UnmarkableFile } from '../../shared/platform/unmarkable-file.ts';
import type { Signed, StartDraft } from '../../shared/provenance/manifest.ts';
import type { SignerDefinition } from '../../shared/provenance/manifest-signer.ts';
import type { FromWorker, ToWorker } from './marking-worker.ts';

/** The memory limit of the library, in units of 64 KiB: it takes five times the largest file, and the inputs. */
const maxPages = 16_384;
/**
 * The time limit of one step, of which starting the thread is the first. It is shorter if callers' files are read too,
 * because a file is marked again without them.
 */
const stepLimitsMs = { ofResult: 30_000, withInputs: 5000 };

function startWorker(): Worker {
  setFlagsFromString(`--wasm-max-mem-pages=${maxPages}`);
  return new Worker(new URL('./marking-worker.ts', import.meta.url), { execArgv: [] });
}

const excessive = () => new UnmarkableFile('a file could not be marked in time, or with the memory that this may take');

interface Step {
  readonly ended: PromiseWithResolvers<Signed | undefined>;
  readonly limitMs: number;
  readonly sign?: SignerDefinition['sign'];
  timer?: NodeJS.Timeout;
}

function failAll(steps: Map<number, Step>): void {
  for (const { ended, timer } of steps.values()) {
    clearTimeout(timer);
    ended.reject(excessive());
  }
  steps.clear();
}

/** A thread with the steps that it has not ended yet. Once it has ended, each of them fails. */
function startThread(worker: Worker, onEnd: () => void) {
  const steps = new Map<number, Step>();
  let hasEnded = false;
  const end = () => {
    if (hasEnded) return;
    hasEnded = true;
    onEnd();
    void worker.terminate();
    failAll(steps);
  };
  const watch = (step: Step): void => {
    step.timer = setTimeout(end, step.limitMs).unref();
  };
  const send = (message: ToWorker): void => worker.postMessage(message, []);

  async function sign(id: number, step: Step, payload: Uint8Array): Promise<void> {
    const signature = await step.sign?.(payload).catch(() => undefined);
    if (steps.get(id) !== step) return;
    watch(step);
    send({ id, signature });
  }

  worker.on('message', (message: FromWorker) => {
    const { id } = message;
    const step = steps.get(id);
    if (!step) return;
    clearTimeout(step.timer);
    if ('payload' in message) {
      void sign(id, step, message.payload);
      return;
    }
    steps.delete(id);
    if (steps.size === 0) worker.unref();
    if ('error' in message) step.ended.reject(message.error);
    else step.ended.resolve(message.signed);
  });
  // The event `error` is ignored, because an error also ends the thread, which is handled.
  worker.on('error', () => undefined);
  worker.on('exit', end);

  return {
    send,
    /** Has the thread do a step of a manifest, of which there is one at a time. */
    async take(message: ToWorker, limitMs: number, signer?: SignerDefinition): Promise<Signed | undefined> {
      if (hasEnded) throw excessive();
      const step: Step = { ended: Promise.withResolvers(), limitMs, ...(signer && { sign: signer.sign }) };
      steps.set(message.id, step);
      // Only a step in progress keeps the process from ending.
      worker.ref();
      watch(step);
      send(message);
      return step.ended.promise;
    },
  };
}

/**
 * Creates the thread, which starts with the first file and again after a failure or a step that takes too long. In both
 * cases, its files cannot be marked.
 */
export function markingThread(start: () => Worker = startWorker, limitsMs = stepLimitsMs): StartDraft {
  let thread: ReturnType<typeof startThread> | undefined;
  let lastId = 0;
  return async (marking) => {
    lastId += 1;
    const id = lastId;
    thread ??= startThread(start(), () => {
      thread = undefined;
    });
    const own = thread;
    await own.take({ id, isLoading: true }, limitsMs.ofResult);
    const limitMs = marking.origin.inputs.some(({ bytes }) => bytes) ? limitsMs.withInputs : limitsMs.ofResult;
    await own.take({ id, marking }, limitMs);
    return {
      async sign(signer, replaced) {
        const { alg, reserveSize } = signer;
        const signed = await own.take({ id, signer: { alg, reserveSize }, replaced }, limitMs, signer);
        if (!signed) throw new Error('the manifest has not been started');
        return signed;
      },
      free: () => own.send({ id, isOver: true }),
    };
  };
}

/** The thread of this process: loading the library takes so long that services share it. */
export const startDraftOnThread = markingThread();
