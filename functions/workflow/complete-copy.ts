import { CompleteCopyInput } from '../../shared/contracts/cut-clips.ts';
import {
  clipOrderOf,
  findOpen,
  over,
  recordFailure,
  recordProblem,
  showProgress,
  stages,
  videoOf,
} from '../../shared/domain/clips/clip-task.ts';
import { measureSource } from '../../shared/domain/clips/measure-source.ts';
import { mainJob } from '../../shared/domain/engine-jobs/engine-job.ts';
import { mayHaveCopy } from '../../shared/domain/generation/copied-first.ts';
import { isProblem, unreadable } from '../../shared/domain/media/media-problem.ts';
import { engineJobs, tasks } from '../../shared/domain/store-ports.ts';
import { sourceKey } from '../../shared/domain/tasks/task.ts';
import { workStorage } from '../../shared/platform/work-storage.ts';
import { type Step, stepLambda } from '../../shared/runtime/step-lambda.ts';

/** Completes the copy of a task's video and measures it, or drops it. */
export const completeCopy: Step<typeof CompleteCopyInput, 'work' | 'engineJobs' | 'tasks'> = async (
  { taskId, uploadId, copies },
  context,
) => {
  const { work } = context;
  const upload = { key: sourceKey(taskId), uploadId };
  const task = await findOpen(context, taskId);
  if (!task || !Array.isArray(copies)) {
    await work.abort(upload);
    if (task) await recordFailure(context, taskId, { status: 'failed', code: 'INTERNAL_ERROR', isOwn: true });
    return over;
  }
  const parts = copies.flatMap((copy) => copy.parts);
  const { limits } = videoOf(task);
  if (parts.length === 0) {
    // The storage cannot complete an upload without parts.
    await work.abort(upload);
    await recordProblem(context, task, unreadable(limits.types));
    return over;
  }
  await work.complete(upload, parts);
  const file = await work.open(upload.key);
  if (!file) throw new Error('the copy is missing');
  // An engine that gets the whole copy may get no second more than was paid for; of others, the clips are cut by us.
  const tolerance = mayHaveCopy(task) ? { tolerance: 1 } : {};
  const source = await measureSource(file, limits, clipOrderOf(task), { measuring: context.measuring, ...tolerance });
  if (isProblem(source)) {
    await recordProblem(context, task, source);
    return over;
  }
  await context.engineJobs.recordInputs({ taskId, name: mainJob }, [upload.key]);
  await showProgress(context, task, stages.analysis);
  return { status: 'ready', source };
};

export const definition = stepLambda('completeCopy', CompleteCopyInput, completeCopy, {
  engineJobs,
  tasks,
  work: workStorage,
});
