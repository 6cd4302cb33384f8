import { PlanCopyInput } from '../../shared/contracts/cut-clips.ts';
import { findOpen, over, recordProblem, showProgress, stages, videoOf } from '../../shared/domain/clips/clip-task.ts';
import { copyRangesOf, probeServer } from '../../shared/domain/clips/copy-source.ts';
import { beginCopy } from '../../shared/domain/clips/copy-upload.ts';
import { accountInputs } from '../../shared/domain/files/account-inputs.ts';
import { isProblem } from '../../shared/domain/media/media-problem.ts';
import { engineJobs, files, tasks } from '../../shared/domain/store-ports.ts';
import { outbound } from '../../shared/platform/outbound.ts';
import { storedObjects } from '../../shared/platform/stored-objects.ts';
import { workStorage } from '../../shared/platform/work-storage.ts';
import { type Step, stepLambda } from '../../shared/runtime/step-lambda.ts';

const timeLimitMs = 40_000;

/** Begins the copy of a task's video: checks whether the server supports ranges, and plans them. */
export const planCopy: Step<
  typeof PlanCopyInput,
  'engineJobs' | 'files' | 'outbound' | 'storedObjects' | 'tasks' | 'work'
> = async ({ taskId }, context) => {
  const task = await findOpen(context, taskId);
  if (!task) return over;
  await showProgress(context, task, stages.download);
  const needs = { ...context, outbound: accountInputs(context, task.accountId) };
  const version = await probeServer(needs, { ...videoOf(task), deadlineAt: context.clock.now() + timeLimitMs });
  if (typeof version === 'object' && isProblem(version)) {
    await recordProblem(context, task, version);
    return over;
  }
  const uploadId = await beginCopy(context.work, taskId);
  return version === 'whole'
    ? { status: 'ready', uploadId, version: null, stretches: [{ first: 1, start: 0, end: 0 }] }
    : { status: 'ready', uploadId, version, stretches: copyRangesOf(version.size) };
};

export const definition = stepLambda('planCopy', PlanCopyInput, planCopy, {
  engineJobs,
  files,
  tasks,
  outbound,
  storedObjects,
  work: workStorage,
});
