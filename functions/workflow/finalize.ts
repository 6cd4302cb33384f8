import { generationOf } from '../../shared/contracts/generate.ts';
import { FinalizeInput, type Outcome } from '../../shared/contracts/workflow.ts';
import { extensionOf } from '../../shared/domain/media/media-type.ts';
import { type End, endTask } from '../../shared/domain/tasks/end-task.ts';
import { isTerminal, resultKey, type StoredResult, type Task } from '../../shared/domain/tasks/task.ts';
import { type Engine, type EngineOutput, engineFault } from '../../shared/engines/engine.ts';
import { engines } from '../../shared/engines/engines.ts';
import { resultsBucket } from '../../shared/platform/bucket.ts';
import { imageHeadBytes, readImageHead } from '../../shared/platform/image-head.ts';
import { peekStream } from '../../shared/platform/peek-stream.ts';
import { webhookQueue } from '../../shared/platform/queue.ts';
import { stepFunctions } from '../../shared/platform/workflow.ts';
import type { With } from '../../shared/runtime/context.ts';
import { type Step, stepLambda } from '../../shared/runtime/step-lambda.ts';

type Needs = With<'bucket' | 'engines' | 'queue' | 'workflow'>;

const failed = (code: Extract<End, { status: 'failed' }>['code']): End => ({ status: 'failed', code });

/** Copies one output; undefined when it is not a file that such a task promises. */
async function keep(
  { bucket }: Needs,
  task: Task,
  engine: Engine,
  output: EngineOutput,
  position: number,
): Promise<StoredResult | undefined> {
  const { medium } = generationOf(task.taskType);
  // A picture tells what it is by itself; of other files the engine's word is taken.
  if (medium !== 'image' && !extensionOf(medium, output.contentType)) return undefined;
  const download = await engine.download(output).catch((error: unknown) => {
    throw Object.assign(new Error('a result could not be fetched', { cause: error }), { name: engineFault });
  });
  const peeked = await peekStream(download.body, imageHeadBytes);
  const { url: _address, ...told } = output;
  const facts = medium === 'image' ? readImageHead(peeked.head) : told;
  const extension = facts && extensionOf(medium, facts.contentType);
  if (!extension) {
    await peeked.close();
    return undefined;
  }
  const key = resultKey(task, position, extension);
  const bytes = await bucket.write(key, { body: peeked.body, contentType: facts.contentType });
  return bytes > 0 ? { ...facts, key, bytes } : undefined;
}

/** How many results the account pays for. */
const resultsAsked = ({ input }: Task): number => Number(input.numImages ?? 1);

async function collect(needs: Needs, task: Task, outputs: readonly EngineOutput[]): Promise<End> {
  const engine = needs.engines.named(task.engine);
  if (!engine) throw new Error(`no engine is named ${task.engine}`);
  const wanted = outputs.slice(0, resultsAsked(task));
  const kept = await Promise.all(wanted.map((output, index) => keep(needs, task, engine, output, index + 1)));
  const results = kept.filter((result) => result !== undefined);
  return results.length === resultsAsked(task) ? { status: 'completed', results } : failed('PROVIDER_ERROR');
}

/** What a failed AskEngine state comes to: the outcome if there is one after all, else whose fault it was. */
async function afterError({ callbacks }: Needs, task: Task, error: string): Promise<Outcome> {
  const { outcome } = await callbacks.find(task.taskId);
  return outcome ?? { status: 'failed', code: error === engineFault ? 'PROVIDER_ERROR' : 'INTERNAL_ERROR' };
}

/** Copies the results into the service's own storage, then ends the task. */
export const finalize: Step<typeof FinalizeInput, 'bucket' | 'engines' | 'queue' | 'workflow'> = async (
  { taskId, outcome: given },
  context,
) => {
  const task = await context.tasks.find(taskId);
  if (!task) throw new Error('the execution has no task');
  if (isTerminal(task)) return;
  const outcome = 'Error' in given ? await afterError(context, task, given.Error) : given;
  const end = outcome.status === 'done' ? await collect(context, task, outcome.outputs as EngineOutput[]) : outcome;
  const ended = await endTask(context, task, end);
  if (!ended) context.logger.info('late result dropped', { taskId });
};

export const definition = stepLambda('finalize', FinalizeInput, finalize, {
  bucket: resultsBucket,
  engines,
  queue: webhookQueue,
  workflow: stepFunctions,
});
