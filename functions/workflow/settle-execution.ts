import { ExecutionEnded } from '../../shared/contracts/workflow.ts';
import { engineFault } from '../../shared/domain/engine-jobs/engine-fault.ts';
import { endTask } from '../../shared/domain/tasks/end-task.ts';
import { engines } from '../../shared/engines/engines.ts';
import { webhookQueue } from '../../shared/platform/queue.ts';
import { stepFunctions } from '../../shared/platform/workflow.ts';
import { type Step, stepLambda } from '../../shared/runtime/step-lambda.ts';

/** Ends the task of an execution that ended without ending it. */
export const settleExecution: Step<typeof ExecutionEnded, 'engines' | 'queue' | 'workflow'> = async (
  { detail },
  context,
) => {
  const task = await context.tasks.find(detail.name);
  if (!task) return;
  const code = detail.error === engineFault ? 'PROVIDER_ERROR' : 'INTERNAL_ERROR';
  await endTask(context, task, { status: 'failed', code });
};

export const definition = stepLambda('settleExecution', ExecutionEnded, settleExecution, {
  engines,
  queue: webhookQueue,
  workflow: stepFunctions,
});
