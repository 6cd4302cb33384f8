import { SweepInput } from '../../shared/contracts/workflow.ts';
import { circuits, deletedTasks, engineJobs, tasks } from '../../shared/domain/store-ports.ts';
import { endTask } from '../../shared/domain/task-lifecycle/end-task.ts';
import { eraseParts } from '../../shared/domain/task-lifecycle/erase-parts.ts';
import { eraseTask } from '../../shared/domain/task-lifecycle/erase-task.ts';
import { isDeleted } from '../../shared/domain/tasks/deleted-task.ts';
import { retainedTaskStore } from '../../shared/domain/tasks/retained-task-store.ts';
import { startExecution } from '../../shared/domain/tasks/start-task.ts';
import { isTerminal, overdueMs, type Task } from '../../shared/domain/tasks/task.ts';
import { evenDeleted } from '../../shared/domain/tasks/task-store.ts';
import { isTestAccount } from '../../shared/domain/test-account.ts';
import { requestDelivery } from '../../shared/domain/webhooks/request-delivery.ts';
import { clipEngines } from '../../shared/engines/clip-engines.ts';
import { objectEraser } from '../../shared/platform/object-eraser.ts';
import { webhookQueue } from '../../shared/platform/queue.ts';
import { workStorage } from '../../shared/platform/work-storage.ts';
import { isDefinitiveRejection, stepFunctions } from '../../shared/platform/workflow.ts';
import type { With } from '../../shared/runtime/context.ts';
import { type Step, stepLambda } from '../../shared/runtime/step-lambda.ts';

type Ports =
  | 'circuits'
  | 'deletedTasks'
  | 'engineJobs'
  | 'engines'
  | 'objectEraser'
  | 'queue'
  | 'tasks'
  | 'work'
  | 'workflow';
type Needs = With<Ports>;

/** How many tasks are checked concurrently. */
const atOnce = 20;

/** How soon an undelivered webhook is checked again. */
const owedCheckMs = 60_000;

/** Fails an overdue task. If it is still pending, its engine never accepted it and is not blamed for the failure. */
async function timeOut(needs: Needs, task: Task): Promise<void> {
  const isOwn = task.status === 'pending';
  await endTask(needs, task, { status: 'failed', code: 'PROVIDER_TIMEOUT', ...(isOwn && { isOwn }) });
}

/** Enqueues the latest attempt again; the worker decides whether it is still needed. */
async function remindOfWebhook({ clock, queue, tasks }: Needs, taskId: string): Promise<void> {
  const found = await tasks.findWithDeliveries(taskId, evenDeleted);
  if (found?.task.callbackUrl === undefined) return;
  const { task, attempts } = found;
  const latest = attempts.at(-1)?.attempt ?? 0;
  await requestDelivery(queue, task, Math.max(latest, task.webhookFrom ?? 1));
  await tasks.checkAgainAt(task, clock.now() + owedCheckMs);
}

/**
 * Starts tasks that were not started. A running execution is left alone until the deadline, and an ended one cannot
 * continue.
 */
async function resume(needs: Needs, task: Task): Promise<void> {
  const state = await startExecution(needs.workflow, task.taskId).catch((error: unknown) => {
    if (isDefinitiveRejection(error)) return 'ended' as const;
    throw error;
  });
  if (state === 'ended') {
    await endTask(needs, task, { status: 'failed', code: 'INTERNAL_ERROR' });
    return;
  }
  await needs.tasks.checkAgainAt(task, task.deadlineAt + overdueMs);
}

async function check(needs: Needs, taskId: string): Promise<void> {
  const task = await needs.tasks.find(taskId, evenDeleted);
  if (!task) return;
  if (isTerminal(task)) await remindOfWebhook(needs, taskId);
  if (isDeleted(task)) await eraseTask(needs, task);
  if (isTerminal(task)) return;
  if (needs.clock.now() >= task.deadlineAt + overdueMs) return timeOut(needs, task);
  await resume(needs, task);
}

/** Erases the parts of a task whose period is over. */
async function retain(needs: Needs, taskId: string): Promise<void> {
  const task = await needs.tasks.find(taskId);
  if (task) await eraseParts(needs, task);
}

/** The metric is recorded after the sweep, so that it shows only what the sweep could not fix. */
async function recordOldest({ clock, metrics, tasks }: Needs): Promise<void> {
  const due = await tasks.findReadable(await tasks.nextDue());
  const open = due.filter((task) => !isTerminal(task) && !isTestAccount(task.accountId));
  const now = clock.now();
  const oldest = open.reduce((earliest, { createdAt }) => Math.min(earliest, createdAt), now);
  metrics.record({ OldestOpenTaskAge: (now - oldest) / 1000 });
}

/** Checks every task that is due, so that no task stays open, unstarted or undelivered after a crash. */
export const sweepTasks: Step<typeof SweepInput, Ports> = async ({ everything }, context) => {
  const moment = everything ? Number.MAX_SAFE_INTEGER : context.clock.now();
  const due = await context.tasks.dueBy(moment);
  // An error in one task must not stop the sweep.
  const forAll = async (taskIds: readonly string[], work: (needs: Needs, taskId: string) => Promise<void>) => {
    const workSafely = (taskId: string) =>
      work(context, taskId).catch((error: unknown) => {
        context.logger.error('sweep failed', { taskId, error: error as Error });
      });
    for (let from = 0; from < taskIds.length; from += atOnce)
      await Promise.all(taskIds.slice(from, from + atOnce).map(workSafely));
  };
  await forAll(due, check);
  await recordOldest(context);
  await forAll(await retainedTaskStore(context.table).dueBy(context.clock.now()), retain);
  return { looked: due.length };
};

export const definition = stepLambda('sweepTasks', SweepInput, sweepTasks, {
  circuits,
  deletedTasks,
  engineJobs,
  tasks,
  engines: clipEngines,
  objectEraser,
  queue: webhookQueue,
  work: workStorage,
  workflow: stepFunctions,
});
