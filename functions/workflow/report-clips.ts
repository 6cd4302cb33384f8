import { ReportClipsInput } from '../../shared/contracts/cut-clips.ts';
import type { Outcome } from '../../shared/contracts/workflow.ts';
import { findOpen, recordFailure } from '../../shared/domain/clips/clip-task.ts';
import { dropCopy } from '../../shared/domain/clips/copy-upload.ts';
import { clipsOutcome } from '../../shared/domain/clips/cut-clips-outcome.ts';
import { readPlan } from '../../shared/domain/clips/stored-plan.ts';
import { engineFault } from '../../shared/domain/engine-jobs/engine-fault.ts';
import { mainJob } from '../../shared/domain/engine-jobs/engine-job.ts';
import { recordOutcome } from '../../shared/domain/engine-jobs/record-report.ts';
import { engineJobs, tasks } from '../../shared/domain/store-ports.ts';
import { clipWayOf } from '../../shared/engines/clips/clip-ways.ts';
import { outputOf } from '../../shared/engines/clips/clips-engine.ts';
import { workStorage } from '../../shared/platform/work-storage.ts';
import { stepFunctions } from '../../shared/platform/workflow.ts';
import type { With } from '../../shared/runtime/context.ts';
import { type Step, stepLambda } from '../../shared/runtime/step-lambda.ts';

const failureOf = (error: string): Extract<Outcome, { status: 'failed' }> =>
  error === engineFault
    ? { status: 'failed', code: 'PROVIDER_ERROR' }
    : { status: 'failed', code: 'INTERNAL_ERROR', isOwn: true };

/** Records the outcome of a task's clips, unless a step has already recorded a failure. */
async function recordEnd(
  context: With<'work' | 'engineJobs' | 'tasks'>,
  taskId: string,
  error: string | undefined,
): Promise<void> {
  const task = await findOpen(context, taskId);
  if (!task) return;
  if (error !== undefined) return recordFailure(context, taskId, failureOf(error));
  const plan = await readPlan(context, taskId);
  if (!plan) throw new Error('the clips were not planned');
  const way = clipWayOf(task.route);
  const outcome = clipsOutcome(way, plan, await context.engineJobs.list(taskId));
  const own =
    outcome.status === 'done'
      ? { ...outcome, outputs: outcome.outputs.map((output) => outputOf(way.engine, output)) }
      : outcome;
  await recordOutcome(context, task, mainJob, own, true);
}

/** Reports the outcome of a task's clips to the waiting execution. */
export const reportClips: Step<typeof ReportClipsInput, 'work' | 'workflow' | 'engineJobs' | 'tasks'> = async (
  { taskId, error },
  context,
) => {
  await recordEnd(context, taskId, error?.Error);
  const { token, outcome } = await context.engineJobs.find({ taskId, name: mainJob });
  if (token !== undefined && outcome) await context.workflow.succeed(token, outcome);
  await dropCopy(context, taskId);
};

export const definition = stepLambda('reportClips', ReportClipsInput, reportClips, {
  engineJobs,
  tasks,
  work: workStorage,
  workflow: stepFunctions,
});
