import { taskOfCallbackAddress } from '../../shared/domain/engine-jobs/callback-address.ts';
import { noteOutcome, noteProgress } from '../../shared/domain/engine-jobs/follow-engine.ts';
import { Rejection } from '../../shared/domain/rejection.ts';
import { isTerminal } from '../../shared/domain/tasks/task.ts';
import type { EngineOutcome, EngineProgress } from '../../shared/engines/engine.ts';
import { engines } from '../../shared/engines/engines.ts';
import { secretsManager } from '../../shared/platform/secrets.ts';
import { stepFunctions } from '../../shared/platform/workflow.ts';
import { type Inbound, inboundLambda } from '../../shared/runtime/inbound-lambda.ts';

interface Message {
  readonly taskId: string;
  readonly report: EngineOutcome | EngineProgress;
}

/** Receives an engine's report on a task: the address names the task, the signature proves the engine. */
export const receiveEngineCallback: Inbound<Message, 'engines' | 'secrets' | 'workflow'> = {
  async verify({ params, headers, body }, context) {
    const { engine: name = '', address = '' } = params;
    const key = await context.secrets.read(context.settings.engineCallbackKey);
    const taskId = taskOfCallbackAddress(key, name, address);
    // Only who has an address of ours learns anything of the engines that there are.
    const engine = taskId && context.engines.named(name);
    if (!engine) throw new Rejection('not-found');
    const findReference = async () => (await context.callbacks.find(taskId)).reference;
    const report = await engine.readCallback({ headers, body }, findReference);
    if (!report) throw new Rejection('unauthenticated');
    return { sender: name, message: { taskId, report } };
  },

  async receive({ taskId, report }, context) {
    const task = await context.tasks.find(taskId);
    if (!task || isTerminal(task)) {
      context.logger.info('late callback dropped', { taskId });
      return;
    }
    if ('progress' in report) return noteProgress(context, task, report);
    const { token, outcome } = await noteOutcome(context, task, report);
    if (token && outcome) await context.workflow.succeed(token, outcome);
  },
};

export const definition = inboundLambda('receiveEngineCallback', receiveEngineCallback, {
  engines,
  secrets: secretsManager,
  workflow: stepFunctions,
});
