import { FinalizeInput, type Outcome } from '../../shared/contracts/workflow.ts';
import { dropCopy } from '../../shared/domain/clips/copy-upload.ts';
import { engineFault } from '../../shared/domain/engine-jobs/engine-fault.ts';
import { mainJob } from '../../shared/domain/engine-jobs/engine-job.ts';
import { mayHaveCopy } from '../../shared/domain/generation/copied-first.ts';
import { circuits, deletedTasks, engineJobs, tasks } from '../../shared/domain/store-ports.ts';
import { copyResults } from '../../shared/domain/task-lifecycle/copy-results.ts';
import { type End, endTask } from '../../shared/domain/task-lifecycle/end-task.ts';
import { isDeleted } from '../../shared/domain/tasks/deleted-task.ts';
import { isTerminal, type Task } from '../../shared/domain/tasks/task.ts';
import { evenDeleted } from '../../shared/domain/tasks/task-store.ts';
import { clipEngines } from '../../shared/engines/clip-engines.ts';
import type { EngineOutput } from '../../shared/engines/engine.ts';
import type { EngineSource } from '../../shared/engines/engines.ts';
import { makeTestMedia } from '../../shared/engines/test-mode/media/test-media.ts';
import { resultsBucket } from '../../shared/platform/bucket.ts';
import { webhookQueue } from '../../shared/platform/queue.ts';
import { workStorage } from '../../shared/platform/work-storage.ts';
import { stepFunctions } from '../../shared/platform/workflow.ts';
import { contentCredentials } from '../../shared/provenance/content-credentials.ts';
import type { With } from '../../shared/runtime/context.ts';
import { type Step, stepLambda } from '../../shared/runtime/step-lambda.ts';

type Needs = With<
  'bucket' | 'engines' | 'provenance' | 'queue' | 'work' | 'workflow' | 'circuits' | 'engineJobs' | 'tasks'
>;

async function collect(needs: Needs, task: Task, outputs: readonly EngineOutput[]): Promise<End> {
  const results = await copyResults(needs, task, outputs);
  if (typeof results !== 'string') return { status: 'completed', results };
  const why = results === 'too-long' ? { isTooLong: true as const } : { isUnusable: true as const };
  return { status: 'failed', code: 'PROVIDER_ERROR', ...why };
}

/** How to end a task whose AskEngine state failed: with its recorded outcome, otherwise with an error. */
async function afterError({ engineJobs }: Needs, { taskId }: Task, error: string): Promise<Outcome> {
  const { outcome } = await engineJobs.find({ taskId, name: mainJob });
  return outcome ?? { status: 'failed', code: error === engineFault ? 'PROVIDER_ERROR' : 'INTERNAL_ERROR' };
}

/** Copies the results into the service's own storage, ends the task, and deletes the copy of its video, if it has one. */
export const finalize: Step<
  typeof FinalizeInput,
  | 'bucket'
  | 'engines'
  | 'provenance'
  | 'queue'
  | 'work'
  | 'workflow'
  | 'circuits'
  | 'deletedTasks'
  | 'engineJobs'
  | 'tasks'
> = async ({ taskId, outcome: given }, context) => {
  const task = await context.tasks.find(taskId, evenDeleted);
  if (!task) throw new Error('the task of the execution is missing');
  if (!isTerminal(task)) {
    const outcome = 'Error' in given ? await afterError(context, task, given.Error) : given;
    const end = outcome.status === 'done' ? await collect(context, task, outcome.outputs as EngineOutput[]) : outcome;
    const ended = await endTask(context, task, end);
    if (!ended) {
      context.logger.info('late result dropped', { taskId });
      await context.deletedTasks.eraseSoon(taskId);
    }
  } else if (isDeleted(task)) await context.deletedTasks.eraseSoon(taskId);
  if (mayHaveCopy(task)) await dropCopy(context, taskId);
};

export const definition = stepLambda('finalize', FinalizeInput, finalize, {
  circuits,
  deletedTasks,
  engineJobs,
  tasks,
  bucket: resultsBucket,
  engines: (source: EngineSource) => clipEngines(source, { makeMedia: makeTestMedia }),
  provenance: contentCredentials,
  queue: webhookQueue,
  work: workStorage,
  workflow: stepFunctions,
});
