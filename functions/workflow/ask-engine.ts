import { AskEngineInput, type Outcome } from '../../shared/contracts/workflow.ts';
import { callbackAddress } from '../../shared/domain/engine-jobs/callback-address.ts';
import type { CallbackRow } from '../../shared/domain/engine-jobs/callback-store.ts';
import { engineFault } from '../../shared/domain/engine-jobs/engine-fault.ts';
import { noteAcceptance, noteOutcome, noteProgress } from '../../shared/domain/engine-jobs/follow-engine.ts';
import { cancelJob } from '../../shared/domain/engine-jobs/stop-jobs.ts';
import { stageInputs } from '../../shared/domain/generation/stage-inputs.ts';
import { isTerminal, type Task } from '../../shared/domain/tasks/task.ts';
import type { Engine, EngineFile, EngineOutcome } from '../../shared/engines/engine.ts';
import { engines } from '../../shared/engines/engines.ts';
import { inputsBucket } from '../../shared/platform/bucket.ts';
import { mapInput } from '../../shared/platform/map-input.ts';
import { outbound } from '../../shared/platform/outbound.ts';
import { secretsManager } from '../../shared/platform/secrets.ts';
import { stepFunctions } from '../../shared/platform/workflow.ts';
import type { With } from '../../shared/runtime/context.ts';
import { type Step, stepLambda } from '../../shared/runtime/step-lambda.ts';

type Needs = With<'engines' | 'inputs' | 'outbound' | 'secrets' | 'workflow'>;

/** An outcome ends the wait; `asking` asks again later; `waiting` leaves it to the engine's callback. */
type Answer = Outcome | 'asking' | 'waiting';

async function settle(needs: Needs, task: Task, outcome: EngineOutcome): Promise<Outcome> {
  const { outcome: standing } = await noteOutcome(needs, task, outcome);
  if (!standing) throw new Error('an outcome was not kept');
  return standing;
}

/** Our own storage failed while an engine gave us what it had made. */
class KeepingFailed extends Error {
  override readonly name = 'KeepingFailed';
}

/** What an engine throws is named as its fault, so that nobody takes it for one of ours. */
const blamingEngine = (error: unknown): never => {
  if (error instanceof KeepingFailed) throw error;
  throw Object.assign(new Error('the engine failed', { cause: error }), { name: engineFault });
};

/** How long an engine's own file can be read: results are copied soon after it came. */
const keptReadableSeconds = 3600;

const keeping =
  ({ ids, inputs }: Needs, { taskId }: Task) =>
  async ({ bytes, contentType }: EngineFile) => {
    const key = `${taskId}/made-${ids.next()}`;
    try {
      await inputs.write(key, { body: [bytes], contentType });
      return await inputs.addressOf(key, keptReadableSeconds);
    } catch (cause) {
      throw new KeepingFailed('a file could not be kept', { cause });
    }
  };

async function submit(needs: Needs, task: Task, engine: Engine): Promise<Answer> {
  const { engineCallbackKey, apiUrl } = needs.settings;
  const key = await needs.secrets.read(engineCallbackKey);
  const { taskId, taskType, model } = task;
  const staged = await stageInputs(needs, task);
  if ('status' in staged) return settle(needs, task, staged);
  const known = { ...staged.input, ...task.derived };
  const input = task.engineInput === undefined ? known : await mapInput(task.engineInput, known);
  const address = callbackAddress(key, task.engine, taskId);
  const callbackUrl = `${apiUrl}/inbound/engines/${task.engine}/${address}`;
  const answer = await engine
    .submit({ taskId, taskType, ...(model !== undefined && { model }), input, callbackUrl, keep: keeping(needs, task) })
    .catch(blamingEngine);
  if (answer.status !== 'accepted') return settle(needs, task, answer);
  const { outcome } = await needs.callbacks.holdAcceptance(taskId, answer);
  // Ended while it was being submitted: nobody else knew the job's reference yet.
  if (outcome?.status === 'failed') await cancelJob(needs, task, answer.reference);
  await noteAcceptance(needs, task);
  if (outcome) return outcome;
  return answer.reports === 'asking' ? 'asking' : 'waiting';
}

async function check(
  needs: Needs,
  task: Task,
  engine: Engine,
  row: CallbackRow & { reference: string },
): Promise<Answer> {
  const answer = await engine.check(row.reference).catch((error: unknown) => {
    needs.logger.warn('an engine could not be asked', { taskId: task.taskId, reason: (error as Error).name });
    return 'unknown' as const;
  });
  // Accepted work is not given up for a question that failed: it is asked again, at last the deadline ends it.
  if (answer === 'unknown') return 'asking';
  switch (answer.status) {
    case 'lost':
      await needs.callbacks.dropReference(task.taskId);
      return submit(needs, task, engine);
    case 'queued':
    case 'running':
      await noteProgress(needs, task, answer);
      return row.reports === 'asking' ? 'asking' : 'waiting';
    default:
      return settle(needs, task, answer);
  }
}

async function giveUp(needs: Needs, task: Task, reference: string | undefined): Promise<Outcome> {
  const outcome = await settle(needs, task, { status: 'failed', code: 'PROVIDER_TIMEOUT' });
  if (reference !== undefined) await cancelJob(needs, task, reference);
  return outcome;
}

async function ask(needs: Needs, taskId: string, { reference, ...row }: CallbackRow): Promise<Answer> {
  const task = await needs.tasks.find(taskId);
  if (!task) throw new Error('an execution without a task');
  if (isTerminal(task)) return { status: 'failed', code: task.errorCode ?? 'CANCELED' };
  const engine = needs.engines.named(task.engine);
  if (!engine) throw new Error(`no engine is named ${task.engine}`);
  if (needs.clock.now() >= task.deadlineAt) return giveUp(needs, task, reference);
  return reference ? check(needs, task, engine, { ...row, reference }) : submit(needs, task, engine);
}

/**
 * Submits a task to its engine, or asks how it is. It can be repeated at any point: the token is kept first, so that
 * an outcome always finds somebody to tell; an engine that already has the job is asked, not given it again.
 */
export const askEngine: Step<
  typeof AskEngineInput,
  'engines' | 'inputs' | 'outbound' | 'secrets' | 'workflow'
> = async ({ taskId, token }, context) => {
  try {
    const row = await context.callbacks.holdToken(taskId, token, context.clock.now());
    const answer = row.outcome ?? (await ask(context, taskId, row));
    if (answer === 'waiting') return;
    // Reported rather than thrown: a state machine can not tell the names of a Lambda's errors everywhere.
    await (answer === 'asking'
      ? context.workflow.fail(token, 'StillRunning')
      : context.workflow.succeed(token, answer));
  } catch (error) {
    // A library may throw anything, with anything in it.
    const fault = error instanceof Error ? error : new Error('what was thrown is no error');
    context.logger.warn('asking failed', { taskId, error: fault });
    await context.workflow.fail(token, fault.name);
  }
};

export const definition = stepLambda('askEngine', AskEngineInput, askEngine, {
  inputs: inputsBucket,
  engines,
  outbound,
  secrets: secretsManager,
  workflow: stepFunctions,
});
