import { RankClipsInput } from '../../shared/contracts/cut-clips.ts';
import { generationOf } from '../../shared/contracts/generate.ts';
import {
  clipOrderOf,
  findOpen,
  over,
  recordFailure,
  recordProblem,
  showProgress,
  stages,
  transcription,
} from '../../shared/domain/clips/clip-task.ts';
import { rankPassages } from '../../shared/domain/clips/rank-passages.ts';
import { readPlan, writePlan } from '../../shared/domain/clips/stored-plan.ts';
import { speechProblem, storeTranscript } from '../../shared/domain/clips/stored-transcript.ts';
import { addRankingCost } from '../../shared/domain/engine-jobs/engine-costs.ts';
import { chargingTexts } from '../../shared/domain/engine-jobs/text-costs.ts';
import { catalog, engineJobs, tasks } from '../../shared/domain/store-ports.ts';
import { clipEngines } from '../../shared/engines/clip-engines.ts';
import { clipWayOf } from '../../shared/engines/clips/clip-ways.ts';
import { workStorage } from '../../shared/platform/work-storage.ts';
import { type Step, stepLambda } from '../../shared/runtime/step-lambda.ts';
import { textWriter } from '../../shared/text-writers/text-writers.ts';

/** The time limit of ranking, which is shorter than the function's own. */
const timeLimitMs = 240_000;

const ready = (clips: readonly unknown[]) => ({ status: 'ready', clips: clips.map((_, index) => index + 1) });

/** Plans the clips of a task from the transcript of its video. */
export const rankClips: Step<
  typeof RankClipsInput,
  'catalog' | 'engines' | 'textWriter' | 'work' | 'engineJobs' | 'tasks'
> = async ({ taskId, source }, context) => {
  const task = await findOpen(context, taskId);
  if (!task) return over;
  const planned = await readPlan(context, taskId);
  if (planned) return ready(planned);
  const { outcome } = await context.engineJobs.find({ taskId, name: transcription });
  if (outcome?.status === 'failed') {
    await recordFailure(context, taskId, outcome);
    return over;
  }
  await showProgress(context, task, stages.ranking);
  const transcript = await storeTranscript(context, { taskId, way: clipWayOf(task.route) }, outcome);
  const order = clipOrderOf(task);
  const problem = speechProblem(transcript, order);
  if (problem) {
    context.metrics.record({ ResultsTooLong: 1 }, { operation: generationOf(task.taskType).operationId });
    await recordProblem(context, task, problem);
    return over;
  }
  const { clipCount } = order;
  const { durationSec } = source;
  const video = { transcript, durationSec, clipCount };
  const { clips: plan, problems } = await chargingTexts(
    context,
    (onUse) => rankPassages(context.textWriter, video, timeLimitMs, onUse),
    (cost) => addRankingCost(context, taskId, cost),
  );
  if (problems.length > 0) context.logger.warn('passages not ranked', { taskId, problems });
  await writePlan(context, taskId, plan);
  await showProgress(context, task, stages.cuts);
  return ready(plan);
};

export const definition = stepLambda('rankClips', RankClipsInput, rankClips, {
  catalog,
  engineJobs,
  tasks,
  engines: clipEngines,
  textWriter,
  work: workStorage,
});
