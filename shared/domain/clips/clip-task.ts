/** A clips task while its workflow runs: its request, its files, its progress and its failure. */
import * as z from 'zod';
import { generationOf } from '../../contracts/generate.ts';
import { clipAspectRatios, clipStages } from '../../contracts/generate-cortes.ts';
import type { InputLimits } from '../../contracts/media.ts';
import { once } from '../../contracts/once.ts';
import { addressesIn, pathText } from '../../contracts/user-addresses.ts';
import type { Outcome } from '../../contracts/workflow.ts';
import type { Clock } from '../../platform/clock.ts';
import { mainJob } from '../engine-jobs/engine-job.ts';
import { recordProgress } from '../engine-jobs/record-report.ts';
import { limitsFor, stagingFailure } from '../generation/stage-inputs.ts';
import type { MediaProblem } from '../media/media-problem.ts';
import type { Stores } from '../stores.ts';
import { inputsFolder, isTerminal, type Task } from '../tasks/task.ts';

interface Needs extends Pick<Stores, 'engineJobs' | 'tasks'> {
  readonly clock: Clock;
}

/** What a step returns if the task does not need it any more. */
export const over = { status: 'over' } as const;

/** The progress, in percent, at which each stage begins; ranking is part of the analysis. */
export const stages = { ...clipStages, ranking: 45 } as const;

const Order = once(() =>
  z.object({
    aspectRatio: z.enum(clipAspectRatios),
    /** The duration that the account pays for. */
    seconds: z.int().min(0),
    clipCount: z.int().positive(),
  }),
);
export type ClipOrder = Readonly<z.output<ReturnType<typeof Order>>>;

/** How much longer a video may be than what the account pays for, because containers and probes round durations. */
export const toleratedSeconds = 2;

export const clipOrderOf = ({ input, derived }: Task): ClipOrder => Order().parse({ ...input, ...derived });

const field = 'videoUrl';

/** The video's original URL, and the limits of the task's route for it. */
export function videoOf(task: Task): { readonly url: string; readonly limits: InputLimits } {
  const addresses = [...addressesIn(generationOf(task.taskType).body, task.input)];
  const address = addresses.find(({ path }) => pathText(path) === field);
  if (address?.leadsTo !== 'video') throw new Error('the task has no video');
  return { url: address.text, limits: limitsFor(task, address) };
}

/** Keys of a task's files in the inputs bucket; the files of a clip start with its job's name. */
export const uploadKey = (taskId: string): string => `${inputsFolder(taskId)}upload`;
export const transcriptKey = (taskId: string): string => `${inputsFolder(taskId)}transcript.json`;
export const planKey = (taskId: string): string => `${inputsFolder(taskId)}clips.json`;
export const clipKey = (taskId: string, job: string): string => `${inputsFolder(taskId)}${job}`;

export const transcription = 'transcribe';

/** The name of a clip's job, such as `cut-01`. */
export const clipJob = (work: 'cut' | 'crop' | 'poster', clip: number): string =>
  `${work}-${String(clip).padStart(2, '0')}`;

/** Finds a task that still needs work: it has not ended, and no outcome has been recorded. */
export async function findOpen(
  { tasks, engineJobs }: Pick<Stores, 'engineJobs' | 'tasks'>,
  taskId: string,
): Promise<Task | undefined> {
  const [task, { outcome }] = await Promise.all([tasks.find(taskId), engineJobs.find({ taskId, name: mainJob })]);
  return task && !isTerminal(task) && !outcome ? task : undefined;
}

/** Increases the task's progress; a lower value changes nothing. A task that no engine has accepted yet stays pending. */
export const showProgress = (needs: Needs, task: Task, progress: number): Promise<void> =>
  recordProgress(needs, task, mainJob, {
    status: task.status === 'pending' ? 'queued' : 'running',
    progress: Math.floor(progress),
  });

type Failure = Extract<Outcome, { status: 'failed' }>;

/** Records a failure as the outcome that the workflow reports at its end, unless there is one already. */
export async function recordFailure({ engineJobs, clock }: Needs, taskId: string, failure: Failure): Promise<void> {
  await engineJobs.recordOutcome({ taskId, name: mainJob }, failure, clock.now());
}

export const recordProblem = (needs: Needs, { taskId }: Task, problem: MediaProblem): Promise<void> =>
  recordFailure(needs, taskId, stagingFailure(field, problem));
