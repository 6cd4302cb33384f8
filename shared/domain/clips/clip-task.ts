/** A task of clips while its workflow cuts them: what it was asked for, where its files are, and how it fails. */
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
import { isTerminal, type Task } from '../tasks/task.ts';

interface Needs extends Pick<Stores, 'engineJobs' | 'tasks'> {
  readonly clock: Clock;
}

/** The answer of a step of which nothing is expected any more. */
export const over = { status: 'over' } as const;

/** Where the stages begin, in percent; ranking is a part of the analysis. */
export const stages = { ...clipStages, ranking: 45 } as const;

const Order = once(() =>
  z.object({
    aspectRatio: z.enum(clipAspectRatios),
    /** What the account pays for. */
    seconds: z.int().min(0),
    clipCount: z.int().positive(),
  }),
);
export type ClipOrder = Readonly<z.output<ReturnType<typeof Order>>>;

export const clipOrderOf = ({ input, derived }: Task): ClipOrder => Order().parse({ ...input, ...derived });

const field = 'videoUrl';

/** The video's own address, and what the task's route accepts of such videos. */
export function videoOf(task: Task): { readonly url: string; readonly limits: InputLimits } {
  const addresses = [...addressesIn(generationOf(task.taskType).body, task.input)];
  const address = addresses.find(({ path }) => pathText(path) === field);
  if (address?.leadsTo !== 'video') throw new Error('the task has no video');
  return { url: address.text, limits: limitsFor(task, address) };
}

/** Files of a task in the bucket of inputs; those of clips have names that begin with the name of their job. */
export const sourceKey = (taskId: string): string => `inputs/${taskId}/source.mp4`;
export const uploadKey = (taskId: string): string => `inputs/${taskId}/upload`;
export const transcriptKey = (taskId: string): string => `inputs/${taskId}/transcript.json`;
export const planKey = (taskId: string): string => `inputs/${taskId}/clips.json`;
export const clipKey = (taskId: string, job: string): string => `inputs/${taskId}/${job}`;

export const transcription = 'transcribe';

/** `cut-01` */
export const clipJob = (work: 'cut' | 'crop' | 'poster', clip: number): string =>
  `${work}-${String(clip).padStart(2, '0')}`;

/** The task, if it is still to be worked on: neither ended nor about to end with an outcome. */
export async function findOpen(
  { tasks, engineJobs }: Pick<Stores, 'engineJobs' | 'tasks'>,
  taskId: string,
): Promise<Task | undefined> {
  const [task, { outcome }] = await Promise.all([tasks.find(taskId), engineJobs.find({ taskId, name: mainJob })]);
  return task && !isTerminal(task) && !outcome ? task : undefined;
}

/** Lower than before, it changes nothing. */
export const showProgress = (needs: Needs, task: Task, progress: number): Promise<void> =>
  recordProgress(needs, task, mainJob, { status: 'running', progress: Math.floor(progress) });

type Failure = Extract<Outcome, { status: 'failed' }>;

/** The outcome that the workflow reports at its end, unless there is one already. */
export async function recordFailure({ engineJobs, clock }: Needs, taskId: string, failure: Failure): Promise<void> {
  await engineJobs.recordOutcome({ taskId, name: mainJob }, failure, clock.now());
}

export const recordProblem = (needs: Needs, { taskId }: Task, problem: MediaProblem): Promise<void> =>
  recordFailure(needs, taskId, stagingFailure(field, problem));
