import { AskClipEngineInput } from '../../shared/contracts/cut-clips.ts';
import { videoFrame } from '../../shared/contracts/video-frame.ts';
import {
  clipJob,
  clipKey,
  clipOrderOf,
  showProgress,
  stages,
  transcription,
} from '../../shared/domain/clips/clip-task.ts';
import { outputOfJob } from '../../shared/domain/clips/cut-clips-outcome.ts';
import { storeCaptions } from '../../shared/domain/clips/stored-captions.ts';
import { readPlan } from '../../shared/domain/clips/stored-plan.ts';
import { advanceJob } from '../../shared/domain/engine-jobs/advance-job.ts';
import type { EngineJobState } from '../../shared/domain/engine-jobs/engine-job.ts';
import type { JobOrder, JobRequest } from '../../shared/domain/engine-jobs/submit-job.ts';
import { engineJobs, tasks } from '../../shared/domain/store-ports.ts';
import { isDeleted } from '../../shared/domain/tasks/deleted-task.ts';
import { sourceKey, type Task } from '../../shared/domain/tasks/task.ts';
import { evenDeleted } from '../../shared/domain/tasks/task-store.ts';
import { clipEngines } from '../../shared/engines/clip-engines.ts';
import { type ClipWay, clipWayOf } from '../../shared/engines/clips/clip-ways.ts';
import { inputsBucket } from '../../shared/platform/bucket.ts';
import { secretsManager } from '../../shared/platform/secrets.ts';
import { workStorage } from '../../shared/platform/work-storage.ts';
import { stepFunctions } from '../../shared/platform/workflow.ts';
import type { With } from '../../shared/runtime/context.ts';
import { type Step, stepLambda } from '../../shared/runtime/step-lambda.ts';

type Needs = With<'engines' | 'inputs' | 'secrets' | 'work' | 'workflow' | 'engineJobs' | 'tasks'>;
type Input = Parameters<typeof askClipEngine>[0];
type ClipInput = Exclude<Input, { work: 'transcribe' }>;

/** How long the video's URL is readable: engines read the video while they work, and may start late. */
const readableSeconds = 3600;

/** The URL of the video; empty if the engine reads it from the bucket. */
const sourceUrl = async (
  { inputs }: Needs,
  taskId: string,
  { readsBucket }: Pick<ClipWay, 'readsBucket'>,
): Promise<string> => (readsBucket ? '' : inputs.addressOf(sourceKey(taskId), readableSeconds));

const minuteMs = 60_000;
/**
 * The time reserved before the task's deadline: when it begins, remaining jobs are abandoned and finished clips are
 * stored.
 */
const reserveMs = 5 * minuteMs;
/** Time limits of jobs; a job that exceeds its limit loses only its own clip. */
const limitsMs: Readonly<Record<Input['work'], number>> = {
  transcribe: 40 * minuteMs,
  cut: 10 * minuteMs,
  crop: 10 * minuteMs,
  poster: 2 * minuteMs,
};

const deadlineOf = (task: Task, work: Input['work'], { begunAt = task.createdAt }: EngineJobState): number =>
  Math.min(begunAt + limitsMs[work], task.deadlineAt - reserveMs);

/** The job whose result this job uses; undefined if it uses the whole video. */
const before = (work: ClipInput['work'], clip: number, way: ClipWay): string | undefined => {
  if (work === 'cut') return undefined;
  return clipJob(work === 'poster' && way.crop ? 'crop' : 'cut', clip);
};

/** The URL of the video that a job processes; undefined if there is nothing to do. */
async function videoUrlFor(needs: Needs, { taskId, work, clip }: ClipInput, way: ClipWay): Promise<string | undefined> {
  if (!way[work]) return undefined;
  const name = before(work, clip, way);
  if (name === undefined) return sourceUrl(needs, taskId, way);
  return outputOfJob([{ name, ...(await needs.engineJobs.find({ taskId, name })) }], name)?.url;
}

async function requestFor(needs: Needs, task: Task, input: ClipInput, videoUrl: string): Promise<JobRequest> {
  const { taskId, work, clip, source } = input;
  const planned = (await readPlan(needs, taskId))?.[clip - 1];
  const way = clipWayOf(task.route);
  const { [work]: make } = way;
  if (!planned || !make) throw new Error(`the clip ${clip} was not planned`);
  const size = videoFrame('720p', clipOrderOf(task).aspectRatio);
  const outputKey = clipKey(taskId, clipJob(work, clip));
  const captions = way.hasCaptions && (await storeCaptions(needs, { taskId, span: planned, key: `${outputKey}.srt` }));
  const files = { videoUrl, sourceKey: sourceKey(taskId), outputKey, ...(captions && { captions }) };
  return make({ ...files, span: planned, source, size });
}

/** Increases the progress with each clip job that has ended. */
async function showCuts(needs: Needs, task: Task, way: ClipWay): Promise<void> {
  const jobs = await needs.engineJobs.list(task.taskId);
  const works = ['cut-', ...(way.crop ? ['crop-'] : []), ...(way.poster ? ['poster-'] : [])];
  const ended = jobs.filter(({ name, outcome }) => outcome && works.some((work) => name.startsWith(work)));
  const share = ended.length / (clipOrderOf(task).clipCount * works.length);
  await showProgress(needs, task, stages.cuts + Math.min(1, share) * (stages.end - stages.cuts));
}

/** Submits one of a task's clip jobs to its engine, or polls it. */
export const askClipEngine: Step<
  typeof AskClipEngineInput,
  'engines' | 'inputs' | 'secrets' | 'work' | 'workflow' | 'engineJobs' | 'tasks'
> = async (input, context) => {
  const { taskId, token } = input;
  const task = await context.tasks.find(taskId, evenDeleted);
  if (!task) throw new Error('the task of the execution is missing');
  const way = clipWayOf(task.route);
  const { transcription: transcribing } = way;
  const orderWith = (request: JobOrder['request']) => (_: Task, state: EngineJobState) => ({
    engine: input.work === 'transcribe' ? transcribing.engine : way.engine,
    deadlineAt: deadlineOf(task, input.work, state),
    request,
  });
  const skip = () => context.workflow.succeed(token, { status: 'skipped' });
  if (isDeleted(task)) return skip();
  if (input.work === 'transcribe') {
    if (input.source.bytes > (transcribing.maxBytes ?? Infinity)) return skip();
    const request = async () =>
      transcribing.job({ url: await sourceUrl(context, taskId, transcribing), key: sourceKey(taskId) });
    return advanceJob(context, { taskId, name: transcription }, token, orderWith(request));
  }
  await showCuts(context, task, way);
  const videoUrl = await videoUrlFor(context, input, way);
  if (videoUrl === undefined) return skip();
  const request = () => requestFor(context, task, input, videoUrl);
  return advanceJob(context, { taskId, name: clipJob(input.work, input.clip) }, token, orderWith(request));
};

export const definition = stepLambda('askClipEngine', AskClipEngineInput, askClipEngine, {
  engineJobs,
  tasks,
  engines: clipEngines,
  inputs: inputsBucket,
  secrets: secretsManager,
  work: workStorage,
  workflow: stepFunctions,
});
