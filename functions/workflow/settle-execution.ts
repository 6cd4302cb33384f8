import { ExecutionEnded, isMachineOf } from '../../shared/contracts/workflow.ts';
import { engineFault } from '../../shared/domain/engine-jobs/engine-fault.ts';
import { mainJob } from '../../shared/domain/engine-jobs/engine-job.ts';
import { circuits, engineJobs, tasks } from '../../shared/domain/store-ports.ts';
import { endTask } from '../../shared/domain/task-lifecycle/end-task.ts';
import { isTerminal } from '../../shared/domain/tasks/task.ts';
import { clipEngines } from '../../shared/engines/clip-engines.ts';
import { webhookQueue } from '../../shared/platform/queue.ts';
import { stepFunctions } from '../../shared/platform/workflow.ts';
import type { With } from '../../shared/runtime/context.ts';
import { type Step, stepLambda } from '../../shared/runtime/step-lambda.ts';

/** Whether the clips' outcome is recorded, in which case the waiting execution finalizes the task. */
async function isReported(
  { engineJobs, workflow }: With<'workflow' | 'circuits' | 'engineJobs' | 'tasks'>,
  taskId: string,
): Promise<boolean> {
  const { outcome, token } = await engineJobs.find({ taskId, name: mainJob });
  if (outcome && token !== undefined) await workflow.succeed(token, outcome);
  return outcome !== undefined;
}

/** Ends the task of an execution that has ended without ending it. */
export const settleExecution: Step<
  typeof ExecutionEnded,
  'engines' | 'queue' | 'workflow' | 'circuits' | 'engineJobs' | 'tasks'
> = async ({ detail }, context) => {
  const task = await context.tasks.find(detail.name);
  if (!task || isTerminal(task)) return;
  const isOfClips = isMachineOf('cut-clips', detail.stateMachineArn ?? '');
  if (isOfClips && (await isReported(context, task.taskId))) return;
  const code = detail.error === engineFault ? 'PROVIDER_ERROR' : 'INTERNAL_ERROR';
  await endTask(context, task, { status: 'failed', code });
};

export const definition = stepLambda('settleExecution', ExecutionEnded, settleExecution, {
  circuits,
  engineJobs,
  tasks,
  engines: clipEngines,
  queue: webhookQueue,
  workflow: stepFunctions,
});
