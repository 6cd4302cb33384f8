import { taskOfCallbackAddress } from '../../shared/domain/engine-jobs/callback-address.ts';
import { noteOutcome, noteProgress } from '../../shared/domain/engine-jobs/follow-engine.ts';
import { isTerminal } from '../../shared/domain/tasks/task.ts';
import { engines } from '../../shared/engines/engines.ts';
import { secretsManager } from '../../shared/platform/secrets.ts';
import { stepFunctions } from '../../shared/platform/workflow.ts';
import { type Inbound, inboundLambda } from '../../shared/runtime/inbound-lambda.ts';

/** Takes an engine's word on a task: the address names the task, the signature proves the engine. */
export const receiveEngineCallback: Inbound<'engines' | 'secrets' | 'workflow'> = async (
  { params, headers, body },
  context,
) => {
  const { engine: name = '', address = '' } = params;
  const key = await context.secrets.read(context.settings.engineCallbackKey);
  const taskId = taskOfCallbackAddress(key, name, address);
  // Only who has an address of ours learns anything of the engines that there are.
  const engine = taskId && context.engines.named(name);
  if (!engine) return 'NOT_FOUND';
  const findReference = async () => (await context.callbacks.find(taskId)).reference;
  const report = await engine.readCallback({ headers, body }, findReference);
  if (!report) return 'UNAUTHORIZED';

  const task = await context.tasks.find(taskId);
  if (!task || isTerminal(task)) {
    context.logger.info('late callback dropped', { taskId });
    return 'accepted';
  }
  if ('progress' in report) {
    await noteProgress(context, task, report);
    return 'accepted';
  }
  const { token, outcome } = await noteOutcome(context, task, report);
  if (token && outcome) await context.workflow.succeed(token, outcome);
  return 'accepted';
};

export const handler = inboundLambda('receiveEngineCallback', receiveEngineCallback, {
  engines,
  secrets: secretsManager,
  workflow: stepFunctions,
});
