/** Polls a job at an engine to its end, as the workflow does. */
import type { Engine, EngineJob, EngineProgress } from '../../shared/engines/engine.ts';

type End = Exclude<Awaited<ReturnType<Engine['check']>>, EngineProgress>;

interface Followed {
  readonly end: End;
  /** How the progress was reported, without repetitions. */
  readonly progress: readonly number[];
  readonly references: readonly string[];
}

const isProgress = (state: Awaited<ReturnType<Engine['check']>>): state is EngineProgress =>
  state.status === 'queued' || state.status === 'running';

const maxChecks = 200;

/** The end of an accepted job; errors of polls are ignored, as they are by the workflow. */
export async function followJob(engine: Engine, reference: string): Promise<Followed> {
  const references = [reference];
  const progress: number[] = [];
  for (let check = 0; check < maxChecks; check += 1) {
    const state = await engine.check(references.at(-1) ?? '').catch(() => undefined);
    if (!state) continue;
    if (!isProgress(state)) return { end: state, progress, references };
    if (progress.at(-1) !== state.progress) progress.push(state.progress);
    if (state.reference !== undefined) references.push(state.reference);
  }
  throw new Error('the job does not end');
}

export const aJob = (model: string, input: EngineJob['input']): EngineJob => ({
  taskId: 'task-1',
  taskType: 'cortes',
  model,
  input,
  callbackUrl: 'https://api.example/inbound',
  keep: () => Promise.reject(new Error('nothing is kept')),
});
