import { jobOfCallbackAddress } from '../../shared/domain/engine-jobs/callback-address.ts';
import { isCurrent, type JobId } from '../../shared/domain/engine-jobs/engine-job.ts';
import { priceOf } from '../../shared/domain/engine-jobs/job-cost.ts';
import { recordOutcome, recordProgress } from '../../shared/domain/engine-jobs/record-report.ts';
import { Rejection, wrongSignature } from '../../shared/domain/rejection.ts';
import { engineJobs, tasks } from '../../shared/domain/store-ports.ts';
import { isTerminal, type Task } from '../../shared/domain/tasks/task.ts';
import type { Engine, EngineOutcome, EngineProgress, FindCurrentJob } from '../../shared/engines/engine.ts';
import { engines } from '../../shared/engines/engines.ts';
import { secretsManager } from '../../shared/platform/secrets.ts';
import { stepFunctions } from '../../shared/platform/workflow.ts';
import type { With } from '../../shared/runtime/context.ts';
import { type Inbound, inboundLambda } from '../../shared/runtime/inbound-lambda.ts';

interface Message extends JobId {
  readonly report: EngineOutcome | EngineProgress;
  readonly engine: Engine;
}

/** Adds to an outcome what the engine charges, if it counts: its price is known, and no outcome was recorded before. */
async function withCharge(
  { engineJobs: jobs }: With<'engineJobs'>,
  { engine, name }: Message,
  task: Task,
  outcome: EngineOutcome,
): Promise<EngineOutcome> {
  if (outcome.charge || !engine.readCharge || priceOf(task, name)?.statedMicros === undefined) return outcome;
  const { outcome: recorded, reference } = await jobs.find({ taskId: task.taskId, name });
  if (recorded || reference === undefined) return outcome;
  const charge = await engine.readCharge(reference);
  return charge ? { ...outcome, charge } : outcome;
}

/** Receives an engine's report about a job: the URL identifies the job, and the signature authenticates the engine. */
export const receiveEngineCallback: Inbound<Message, 'engines' | 'secrets' | 'workflow' | 'engineJobs' | 'tasks'> = {
  async verify({ params, headers, body }, context) {
    const { engine: sender = '', address = '' } = params;
    const key = await context.secrets.read(context.settings.engineCallbackKey);
    const job = jobOfCallbackAddress(key, sender, address);
    // Checks the URL first, so that only callers with a valid one can find out which engines exist.
    const engine = job && context.engines.named(sender);
    if (!engine) throw new Rejection('not-found');
    const current: FindCurrentJob = async (isReportOn) => {
      const state = await context.engineJobs.find(job);
      return { isCurrent: isCurrent(state, isReportOn), reference: state.reference };
    };
    const report = await engine.readCallback({ headers, body }, current);
    if (!report) throw wrongSignature();
    return { sender, message: { ...job, report, engine } };
  },

  async receive(message, context) {
    const { taskId, name, report } = message;
    const task = await context.tasks.find(taskId);
    if (!task || isTerminal(task)) {
      context.logger.info('late callback dropped', { taskId, job: name });
      return;
    }
    if ('progress' in report) return recordProgress(context, task, name, report);
    const charged = await withCharge(context, message, task, report);
    const { token, outcome } = await recordOutcome(context, task, name, charged, true);
    if (token !== undefined) await context.workflow.succeed(token, outcome);
  },
};

export const definition = inboundLambda('receiveEngineCallback', receiveEngineCallback, {
  engineJobs,
  tasks,
  engines,
  secrets: secretsManager,
  workflow: stepFunctions,
});
