/** Tells everybody that a task has ended: who asked for a webhook, who waits for its engine, and the engine. */
import type { Logger } from '@aws-lambda-powertools/logger';
import type { Engines } from '../../engines/engines.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Queue } from '../../platform/queue.ts';
import type { Workflow } from '../../platform/workflow.ts';
import { circuitOf } from '../generation/circuit.ts';
import type { Stores } from '../stores.ts';
import { requestDelivery } from '../webhooks/request-delivery.ts';
import type { Task } from './task.ts';

interface Work {
  readonly engines: Engines;
  readonly logger: Logger;
}

/** Best effort: a job that can not be stopped is paid for and dropped. */
export async function cancelJob({ engines, logger }: Work, task: Task, reference: string | undefined): Promise<void> {
  if (reference === undefined) return;
  try {
    await engines.named(task.engine)?.cancel(reference);
  } catch (error) {
    logger.warn('the job of an ended task goes on', { taskId: task.taskId, reason: (error as Error).name });
  }
}

interface Needs extends Stores, Work {
  readonly clock: Clock;
  readonly queue: Queue;
  readonly workflow: Workflow;
}

async function stopWork(needs: Needs, task: Task): Promise<void> {
  const outcome = { status: 'failed', code: task.errorCode ?? 'CANCELED' } as const;
  const { token, reference } = await needs.callbacks.holdOutcome(task.taskId, outcome, needs.clock.now());
  await cancelJob(needs, task, reference);
  if (token) await needs.workflow.succeed(token, outcome);
}

/** By a task that was given up nothing is seen of its engine: another one may try. */
const giveBack = async ({ circuits }: Needs, task: Task): Promise<void> =>
  task.isProbe ? circuits.giveBack(circuitOf(task, task.taskType), task.taskId) : undefined;

/**
 * The task is terminal already, and what is owed is in the open index: nothing here may fail its caller, who has done
 * what was asked.
 */
export async function announceEnd(needs: Needs, task: Task): Promise<void> {
  const told = await Promise.allSettled([
    requestDelivery(needs.queue, task),
    stopWork(needs, task),
    giveBack(needs, task),
  ]);
  for (const failure of told.filter(({ status }) => status === 'rejected')) {
    const { reason } = failure as PromiseRejectedResult;
    needs.logger.warn('the end of a task was not told', { taskId: task.taskId, reason: (reason as Error).name });
  }
}
