/** Lets the offline engine do the work of the fakes, which wait for its results. */
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Engine, EngineBusy, EngineOutcome, EngineOutput } from '../shared/engines/engine.ts';
import { offlineEngine } from '../shared/engines/offline/offline-engine.ts';
import { systemClock } from '../shared/platform/clock.ts';
import { randomIds } from '../shared/platform/ids.ts';

export interface OfflineJob {
  /** The offline engine's task type. */
  readonly operation: string;
  readonly input: Readonly<Record<string, unknown>>;
}

export interface OfflineEngineAccess {
  /** The engine's base URL. */
  readonly url: string;
  readonly key: string;
}

export interface OfflineWorker {
  perform(job: OfflineJob, signal: AbortSignal): Promise<EngineOutcome | EngineBusy>;
  read(output: EngineOutput): Promise<Buffer>;
}

const everyMs = 200;

/** The caller waits for the outcome, so there are no callbacks and nothing is stored. */
const submission = (taskId: string, { operation, input }: OfflineJob): Parameters<Engine['submit']>[0] => ({
  taskId,
  taskType: operation,
  input,
  callbackUrl: '',
  keep: () => Promise.reject(new Error('the offline engine returns URLs, not content')),
});

const followed = async (engine: Engine, reference: string, signal: AbortSignal): Promise<EngineOutcome> => {
  for (;;) {
    const state = await engine.check(reference);
    if (state.status === 'done' || state.status === 'failed') return state;
    if (state.status === 'lost') return { status: 'failed', code: 'PROVIDER_ERROR' };
    await sleep(everyMs, undefined, { signal });
  }
};

export const offlineWorker = ({ url, key }: OfflineEngineAccess): OfflineWorker => {
  const engine = offlineEngine({ url, key: async () => key, clock: systemClock, completion: 'polling' });
  const ids = randomIds(systemClock);
  return {
    async perform(job, signal) {
      const state = await engine.submit(submission(ids.next(), job));
      if (state.status !== 'accepted') return state;
      try {
        return await followed(engine, state.reference, signal);
      } finally {
        // Ignores errors, because the engine may also be stopping and then needs no cancellation.
        if (signal.aborted) engine.cancel(state.reference).catch(() => undefined);
      }
    },
    read: async (output) => buffer((await engine.download(output)).body),
  };
};
