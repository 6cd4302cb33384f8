import { CopyPartInput } from '../../shared/contracts/cut-clips.ts';
import { findOpen, recordProblem, showProgress, stages, videoOf } from '../../shared/domain/clips/clip-task.ts';
import { copyRange, copyWhole } from '../../shared/domain/clips/copy-source.ts';
import { accountInputs } from '../../shared/domain/files/account-inputs.ts';
import { engineJobs, files, tasks } from '../../shared/domain/store-ports.ts';
import { sourceKey } from '../../shared/domain/tasks/task.ts';
import { outbound } from '../../shared/platform/outbound.ts';
import { pause } from '../../shared/platform/pause.ts';
import { storedObjects } from '../../shared/platform/stored-objects.ts';
import { workStorage } from '../../shared/platform/work-storage.ts';
import { type Step, stepLambda } from '../../shared/runtime/step-lambda.ts';

/** The deadline of the copy, which is earlier than the function's own time limit. */
const timeLimitMs = 820_000;

const nothing = { parts: [] };

/** Copies a range of a task's video, or all of it if the server does not support ranges. */
export const copyPart: Step<
  typeof CopyPartInput,
  'engineJobs' | 'files' | 'outbound' | 'storedObjects' | 'tasks' | 'work'
> = async ({ taskId, uploadId, version, stretch: range }, context) => {
  const task = await findOpen(context, taskId);
  if (!task) return nothing;
  const deadlineAt = Math.min(task.deadlineAt, context.clock.now() + timeLimitMs);
  const copy = { file: { ...videoOf(task), deadlineAt }, upload: { key: sourceKey(taskId), uploadId } };
  const isWanted = async () => (await findOpen(context, taskId)) !== undefined;
  const needs = { ...context, outbound: accountInputs(context, task.accountId), isWanted, pause };
  const parts = await (version ? copyRange(needs, { ...copy, version }, range) : copyWhole(needs, copy));
  if ('problem' in parts) {
    await recordProblem(context, task, parts);
    return nothing;
  }
  const share = version ? range.end / version.size : 1;
  await showProgress(context, task, stages.download + share * (stages.analysis - 1 - stages.download));
  return { parts };
};

export const definition = stepLambda('copyPart', CopyPartInput, copyPart, {
  engineJobs,
  files,
  tasks,
  outbound,
  storedObjects,
  work: workStorage,
});
