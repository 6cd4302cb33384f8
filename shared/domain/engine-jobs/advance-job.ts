/**
 * One attempt of a workflow step at an engine job: submits or polls the job, and reports to the waiting execution. Any
 * step can repeat it at any point: the task token is stored first, so that an outcome always finds the execution, and a
 * job that the engine already has is polled instead of submitted again.
 */
import type { Logger } from '@aws-lambda-powertools/logger';
import type { Outcome } from '../../contracts/workflow.ts';
import type { EngineOutcome } from '../../engines/engine.ts';
import type { Workflow } from '../../platform/workflow.ts';
import type { ServiceMetrics } from '../metrics.ts';
import type { Stores } from '../stores.ts';
import { isTerminal, type Task } from '../tasks/task.ts';
import { evenDeleted } from '../tasks/task-store.ts';
import { raiseCost } from './engine-costs.ts';
import { type EngineJobState, isGivenUp, type JobId, mainJob } from './engine-job.ts';
import { type JobEnd, openEnd, submissionCost } from './job-cost.ts';
import { recordAcceptance, recordOutcome, recordProgress } from './record-report.ts';
import { cancelJob } from './stop-jobs.ts';
import { type JobOrder, type SubmitNeeds, submitJob } from './submit-job.ts';

interface Needs extends Pick<Stores, 'engineJobs' | 'table' | 'tasks'>, SubmitNeeds {
  readonly logger: Logger;
  readonly metrics: ServiceMetrics;
  readonly workflow: Workflow;
}

/**
 * What the workflow does next: an outcome ends its wait, `ask` polls the engine again later and `soon` in two seconds,
 * `copy` has the task's video copied first, and `wait` relies on the engine's callback.
 */
type Next = Outcome | 'ask' | 'soon' | 'copy' | 'wait';

/** The error names that state machines match. */
const errorNames = { ask: 'StillRunning', soon: 'StillRunningBriefly', copy: 'CopyNeeded' } as const;

/** A job of an open task, and the request for the engine that its step has prepared. */
interface Attempt extends JobId {
  readonly task: Task;
  readonly order: JobOrder;
}

/** Records the cost of a job that was submitted while its task ended. */
const countLate = (needs: Needs, task: Task, job: EngineJobState & JobId, end: JobEnd): Promise<void> =>
  raiseCost(needs, job, submissionCost(task, { name: job.name, isAccepted: job.reference !== undefined }, end));

async function submit(needs: Needs, { task, order, ...job }: Attempt, state: EngineJobState): Promise<Next> {
  const { name } = job;
  const end = async (outcome: EngineOutcome) => {
    const recorded = await recordOutcome(needs, task, name, outcome, false);
    await countLate(needs, task, { ...job, name, ...recorded }, outcome);
    return recorded.outcome;
  };
  if (isGivenUp(state)) return end({ status: 'failed', code: 'PROVIDER_ERROR' });
  const submitted = await submitJob(needs, task, { ...job, inputKeys: state.inputKeys }, order);
  if (submitted.status === 'busy') return 'ask';
  if (submitted.status === 'uncopied') return 'copy';
  if (submitted.status === 'ended') return { status: 'failed', code: submitted.code };
  if (submitted.status !== 'accepted') return end(submitted);
  const accepted = await recordAcceptance(needs, task, name, submitted);
  const { outcome, completion, reference } = accepted;
  if (reference === submitted.reference) await countLate(needs, task, { ...job, name, ...accepted }, openEnd);
  // Another attempt's submission was recorded first, or the job was stopped before this one was recorded.
  if (reference !== submitted.reference || outcome?.status === 'failed') {
    await cancelJob(needs, { ...job, ...submitted });
  }
  return outcome ?? (completion === 'polling' ? 'ask' : 'wait');
}

/** Resubmits a job that its engine has lost. If several attempts notice the loss, only one resubmits. */
async function resubmit(needs: Needs, attempt: Attempt, reference: string): Promise<Next> {
  const { taskId, name } = attempt;
  const state = await needs.engineJobs.recordLoss({ taskId, name }, reference);
  if (!state) return 'ask';
  needs.logger.warn('engine job lost', { taskId, job: name, losses: state.lostReferences?.length });
  return state.outcome ?? submit(needs, attempt, state);
}

async function check(needs: Needs, attempt: Attempt, state: EngineJobState, reference: string): Promise<Next> {
  const { task, taskId, name, order } = attempt;
  const engineName = state.engine ?? order.engine;
  const engine = needs.engines.named(engineName);
  if (!engine) throw new Error(`no engine is named ${engineName}`);
  const report = await engine.check(reference).catch((error: unknown) => {
    needs.logger.warn('engine job check failed', { taskId, job: name, reason: (error as Error).name });
    return undefined;
  });
  // A failed poll does not abandon accepted work: the engine is polled again until the deadline.
  if (!report) return 'ask';
  switch (report.status) {
    case 'lost':
      return resubmit(needs, attempt, reference);
    case 'queued':
    case 'running':
      if (report.reference !== undefined) {
        await needs.engineJobs.recordReference({ taskId, name }, { from: reference, to: report.reference });
      }
      await recordProgress(needs, task, name, report);
      if (state.completion === 'callback') return 'wait';
      // Only the state machine of whole tasks has a state for polling again soon.
      return name === mainJob ? (report.pollAgain ?? 'ask') : 'ask';
    default:
      return (await recordOutcome(needs, task, name, report, true)).outcome;
  }
}

/** A timeout is not the engine's fault if it never accepted the job. */
async function timeOut(needs: Needs, { task, taskId, name }: Attempt, state: EngineJobState): Promise<Outcome> {
  const timedOut = { status: 'failed', code: 'PROVIDER_TIMEOUT' } as const;
  const end = state.reference === undefined ? ({ ...timedOut, isOwn: true } as const) : timedOut;
  const { outcome } = await recordOutcome(needs, task, name, end, state.reference !== undefined);
  await cancelJob(needs, { taskId, name, ...state });
  return outcome;
}

async function nextOf(needs: Needs, job: JobId, state: EngineJobState, orderFor: OrderFor): Promise<Next> {
  if (state.outcome) return state.outcome;
  const task = await needs.tasks.find(job.taskId, evenDeleted);
  if (!task) throw new Error('the task of the execution is missing');
  if (isTerminal(task)) return { status: 'failed', code: task.errorCode ?? 'CANCELED' };
  const attempt = { ...job, task, order: orderFor(task, state) };
  if (needs.clock.now() >= (state.deadlineAt ?? attempt.order.deadlineAt)) return timeOut(needs, attempt, state);
  return state.reference === undefined ? submit(needs, attempt, state) : check(needs, attempt, state, state.reference);
}

/** Creates the order for a job; it must be the same in every attempt. */
type OrderFor = (task: Task, state: EngineJobState) => JobOrder;

/**
 * Makes one attempt. Errors are reported instead of thrown, because the state machine's Retry matches on the reported
 * name.
 */
export async function advanceJob(needs: Needs, job: JobId, token: string, orderFor: OrderFor): Promise<void> {
  const { clock, engineJobs, logger, workflow } = needs;
  try {
    const next = await nextOf(needs, job, await engineJobs.recordToken(job, token, clock.now()), orderFor);
    if (next === 'wait') return;
    // The error is reported instead of thrown, because not every state machine sees the name of an error that a Lambda
    // throws.
    await (typeof next === 'string' ? workflow.fail(token, errorNames[next]) : workflow.succeed(token, next));
  } catch (error) {
    // Libraries may throw values that are not errors, with any content.
    const fault = error instanceof Error ? error : new Error('a value that is not an Error was thrown');
    logger.warn('engine job attempt failed', { taskId: job.taskId, job: job.name, error: fault });
    await workflow.fail(token, fault.name);
  }
}
