/** An external engine: it survives a kill of the service, and behaves as a test chooses. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../../shared/platform/clock.ts';
import { type ScriptedEngine, type ScriptedJob, scriptedEngine } from '../../support/scripted-engine.ts';

/** The engine's treatment of its jobs, which take no time. An engine that forgets does so once per job. */
export type EngineBehavior = 'calls back' | 'is polled' | 'fails' | 'forgets' | 'never ends';

export interface ExternalEngine {
  readonly key: string;
  readonly url: string;
  readonly jobs: ScriptedEngine['jobs'];
  close(): Promise<void>;
}

interface EngineOptions {
  /** The key that the service uses. */
  readonly clock: Clock;
  /** The engine's URL as the service knows it. */
  readonly address: () => string;
  readonly behavior: (job: ScriptedJob) => EngineBehavior;
  /** Whether the engine may call back yet. */
  readonly mayCallBack: (job: ScriptedJob) => boolean;
}

const engineKey = 'crash-engine-key';
const betweenCallsMs = 50;

export async function externalEngine({
  address,
  clock,
  behavior,
  mayCallBack,
}: EngineOptions): Promise<ExternalEngine> {
  const engine = await scriptedEngine(engineKey, clock);
  const forgotten = new Set<string>();
  const closing = new AbortController();

  const reportOn = (job: ScriptedJob): object => {
    if (behavior(job) === 'never ends') return engine.report(job, 'running', { progress: 10 });
    if (behavior(job) === 'fails')
      return engine.report(job, 'failed', { error: { code: 'PROVIDER_ERROR', message: '' } });
    const url = `${address()}/v1/files/${job.reference}.mp3`;
    return engine.report(job, 'done', { progress: 100, outputs: [{ url, contentType: 'audio/mpeg', durationSec: 1 }] });
  };

  /** Retries until the callback is accepted, because the service may be down. */
  async function callBack(job: ScriptedJob): Promise<void> {
    for (let heard = false; !heard && !closing.signal.aborted; ) {
      if (mayCallBack(job)) heard = (await engine.callBack(job, reportOn(job)).catch(() => 0)) === 200;
      await sleep(betweenCallsMs);
    }
  }

  engine.play({
    submit(job) {
      const first = job.submissions === 1;
      const calls = behavior(job) === 'calls back' || behavior(job) === 'fails';
      if (first && calls) void callBack(job);
      const again = forgotten.has(job.id) || first;
      return { status: 202, body: again ? engine.report(job, 'queued') : reportOn(job) };
    },
    check(job) {
      if (behavior(job) !== 'forgets' || forgotten.has(job.id)) return { status: 200, body: reportOn(job) };
      forgotten.add(job.id);
      return { status: 404, body: {} };
    },
  });

  return {
    key: engineKey,
    url: engine.url,
    jobs: engine.jobs,
    async close() {
      closing.abort();
      await engine.close();
    },
  };
}
