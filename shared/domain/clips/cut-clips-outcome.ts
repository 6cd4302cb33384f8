/** Combines the outcomes of a task's clip jobs into one. */
import { minClipsOf } from '../../contracts/generate-cortes.ts';
import type { ClipFacts } from '../../contracts/workflow.ts';
import type { ClipWay } from '../../engines/clips/clip-ways.ts';
import type { EngineFailure, EngineOutcome, EngineOutput } from '../../engines/engine.ts';
import type { EngineJobState, JobId } from '../engine-jobs/engine-job.ts';
import type { PlannedClip } from './choose-passages.ts';
import { clipJob } from './clip-task.ts';

type Jobs = readonly (EngineJobState & Pick<JobId, 'name'>)[];

/** The first output of a job. */
export function outputOfJob(jobs: Jobs, name: string): EngineOutput | undefined {
  const outcome = jobs.find((job) => job.name === name)?.outcome;
  return outcome?.status === 'done' ? (outcome.outputs[0] as EngineOutput | undefined) : undefined;
}

const factsOf = ({ startSec, endSec, ...said }: PlannedClip): ClipFacts => ({
  ...said,
  startTime: startSec,
  endTime: endSec,
});

/** Failure codes that describe the video itself or a timeout, rather than the engine. */
const telling: readonly string[] = ['CONTENT_REJECTED', 'INPUT_INVALID', 'PROVIDER_TIMEOUT'];

/** The reason for lost clips: the code that all failed jobs share, otherwise that the engine failed. */
function lossOf(jobs: Jobs, way: ClipWay): Extract<EngineOutcome, { status: 'failed' }> {
  const works = way.crop ? ['cut-', 'crop-'] : ['cut-'];
  const ofClips = jobs.filter(({ name }) => works.some((work) => name.startsWith(work)));
  const codes = new Set(ofClips.flatMap(({ outcome }) => (outcome?.status === 'failed' ? [outcome.code] : [])));
  const [code] = codes;
  const isTelling = codes.size === 1 && code !== undefined && telling.includes(code);
  return { status: 'failed', code: isTelling ? (code as EngineFailure) : 'PROVIDER_ERROR' };
}

/** The outcome with all clips that succeeded. Lost clips fail the task only if too few are left. */
export function clipsOutcome(way: ClipWay, plan: readonly PlannedClip[], jobs: Jobs): EngineOutcome {
  const outputs = plan.flatMap((planned, index) => {
    const position = index + 1;
    const video = outputOfJob(jobs, clipJob(way.crop ? 'crop' : 'cut', position));
    if (!video) return [];
    const poster = way.poster && outputOfJob(jobs, clipJob('poster', position));
    return [{ ...video, ...(poster && { posterUrl: poster.url }), clip: factsOf(planned) }];
  });
  return outputs.length < minClipsOf(plan.length) || outputs.length === 0
    ? lossOf(jobs, way)
    : { status: 'done', outputs };
}
