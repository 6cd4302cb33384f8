/** Stops the work of engines on a task that has failed. */
import type { Logger } from '@aws-lambda-powertools/logger';
import type { TaskErrorCode } from '../../contracts/errors.ts';
import type { Engines } from '../../engines/engines.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Workflow } from '../../platform/workflow.ts';
import type { Stores } from '../stores.ts';
import type { Task } from '../tasks/task.ts';

interface CancelNeeds {
  readonly engines: Engines;
  readonly logger: Logger;
}

/** Best effort: a job that cannot be stopped is paid for, and its result is dropped. */
export async function cancelJob({ engines, logger }: CancelNeeds, task: Task, reference: string): Promise<void> {
  try {
    await engines.named(task.engine)?.cancel(reference);
  } catch (error) {
    logger.warn('the job of an ended task was not canceled', { taskId: task.taskId, reason: (error as Error).name });
  }
}

interface Needs extends Stores, CancelNeeds {
  readonly clock: Clock;
  readonly workflow: Workflow;
}

/** Wakes the execution that waits for an unfinished job, and cancels the job. A finished job is left alone. */
export async function stopJobs(needs: Needs, task: Task, code: TaskErrorCode): Promise<void> {
  const { callbacks, clock, workflow } = needs;
  if ((await callbacks.find(task.taskId)).outcome) return;
  const outcome = { status: 'failed', code } as const;
  const { token, reference } = await callbacks.holdOutcome(task.taskId, outcome, clock.now());
  if (token) await workflow.succeed(token, outcome);
  if (reference !== undefined) await cancelJob(needs, task, reference);
}
