/** Records what an engine reports about a job, by polling or callback, and advances the task. */
import type { Logger } from '@aws-lambda-powertools/logger';
import { generationOf } from '../../contracts/generate.ts';
import type { Outcome } from '../../contracts/workflow.ts';
import type { EngineOutcome, EngineProgress } from '../../engines/engine.ts';
import type { Clock } from '../../platform/clock.ts';
import type { ServiceMetrics } from '../metrics.ts';
import type { Stores } from '../stores.ts';
import { type Advance, overdueMs, type Task, transitionOn } from '../tasks/task.ts';
import { boundedOutputs, boundedProgress } from './bounded-report.ts';
import { type EngineJobState, mainJob } from './engine-job.ts';
import type { Acceptance } from './engine-job-store.ts';
import { type JobEnd, submissionCost } from './job-cost.ts';
import { watchCharge } from './watch-charge.ts';

interface ProgressNeeds extends Pick<Stores, 'tasks'> {
  readonly clock: Clock;
}

type AcceptanceNeeds = ProgressNeeds & Pick<Stores, 'engineJobs'>;

interface Needs extends AcceptanceNeeds {
  readonly logger: Logger;
  readonly metrics: ServiceMetrics;
}

/** A failure that the engine did not cause, because it never received a request. */
export interface OwnFailure extends Extract<EngineOutcome, { status: 'failed' }> {
  readonly isOwn: true;
}

/** Advances the task, whose state follows the main job alone. */
async function advance({ clock, tasks }: ProgressNeeds, task: Task, name: string, transition: Advance): Promise<void> {
  if (name !== mainJob || !transition.from.includes(task.status)) return;
  await tasks.advance(task, transition, { at: clock.now(), nextCheckAt: task.deadlineAt + overdueMs });
}

export async function recordAcceptance(
  needs: AcceptanceNeeds,
  task: Task,
  name: string,
  acceptance: Acceptance,
): Promise<EngineJobState> {
  const job = await needs.engineJobs.recordAcceptance({ taskId: task.taskId, name }, acceptance);
  await advance(needs, task, name, transitionOn('accepted', generationOf(task.taskType)));
  return job;
}

export async function recordProgress(
  needs: ProgressNeeds,
  task: Task,
  name: string,
  report: EngineProgress,
): Promise<void> {
  const { status } = report;
  const progress = boundedProgress(report);
  if (status === 'running') await advance(needs, task, name, transitionOn('running', generationOf(task.taskType)));
  if (name === mainJob && progress > task.progress) {
    await needs.tasks.raiseProgress(task.taskId, progress, needs.clock.now());
  }
}

function toOutcome({ charge: _charge, ...outcome }: EngineOutcome | OwnFailure): Outcome {
  return outcome.status === 'failed' ? outcome : { status: 'done', outputs: boundedOutputs(outcome.outputs) };
}

/**
 * Records an outcome with its cost, and returns the job with the one that was recorded first. A task whose job finished
 * at once still goes through `processing`. `isAccepted` says whether the engine had accepted the job before.
 */
export async function recordOutcome(
  needs: Needs,
  task: Task,
  name: string,
  outcome: EngineOutcome | OwnFailure,
  isAccepted: boolean,
): Promise<EngineJobState & { readonly outcome: Outcome }> {
  if (outcome.status === 'done') await advance(needs, task, name, transitionOn('running', generationOf(task.taskType)));
  const job = { taskId: task.taskId, name };
  const recorded = toOutcome(outcome);
  const end = { ...recorded, charge: outcome.charge } as JobEnd;
  const cost = submissionCost(task, { name, isAccepted }, end);
  watchCharge(needs, task, name, end);
  const { outcome: standing = recorded, ...state } = await needs.engineJobs.recordOutcome(
    job,
    recorded,
    needs.clock.now(),
    cost,
  );
  return { ...state, outcome: standing };
}
