/** Stops the engine jobs of a failed task. */
import type { Logger } from '@aws-lambda-powertools/logger';
import type { TaskErrorCode } from '../../contracts/errors.ts';
import type { Engines } from '../../engines/engines.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Workflow } from '../../platform/workflow.ts';
import type { Stores } from '../stores.ts';
import type { EngineJobState, JobId } from './engine-job.ts';

interface CancelNeeds {
  readonly engines: Engines;
  readonly logger: Logger;
}

/** Cancels a job at its engine. Best effort: if it cannot be stopped, it is paid for and its result is dropped. */
export async function cancelJob(
  { engines, logger }: CancelNeeds,
  { taskId, name, engine, reference }: JobId & Pick<EngineJobState, 'engine' | 'reference'>,
): Promise<void> {
  if (engine === undefined || reference === undefined) return;
  try {
    await engines.named(engine)?.cancel(reference);
  } catch (error) {
    logger.warn('engine job cancellation failed', { taskId, job: name, reason: (error as Error).name });
  }
}

interface Needs extends Pick<Stores, 'engineJobs'>, CancelNeeds {
  readonly clock: Clock;
  readonly workflow: Workflow;
}

async function stop(needs: Needs, job: JobId, code: TaskErrorCode): Promise<void> {
  const outcome = { status: 'failed', code } as const;
  const { token, ...state } = await needs.engineJobs.recordOutcome(job, outcome, needs.clock.now());
  await Promise.all([
    token !== undefined && needs.workflow.succeed(token, state.outcome ?? outcome),
    cancelJob(needs, { ...job, ...state }),
  ]);
}

/** Stops executions from waiting for unfinished jobs, and cancels those jobs. */
export async function stopJobs(needs: Needs, taskId: string, code: TaskErrorCode): Promise<void> {
  const unfinished = (await needs.engineJobs.list(taskId)).filter(({ outcome }) => !outcome);
  await Promise.all(unfinished.map((job) => stop(needs, job, code)));
}
