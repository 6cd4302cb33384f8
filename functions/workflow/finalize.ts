import { generationOf } from '../../shared/contracts/generate.ts';
import { FinalizeInput, type Outcome } from '../../shared/contracts/workflow.ts';
import { judgeEngine } from '../../shared/domain/generation/judge-engine.ts';
import { extensionOf } from '../../shared/domain/media/media-type.ts';
import { cancelJob } from '../../shared/domain/tasks/announce-end.ts';
import { type Finish, finishTask } from '../../shared/domain/tasks/finish-task.ts';
import { isTerminal, resultKey, type StoredResult, type Task } from '../../shared/domain/tasks/task.ts';
import { requestDelivery } from '../../shared/domain/webhooks/request-delivery.ts';
import { type Engine, type EngineOutput, engineFault } from '../../shared/engines/engine.ts';
import { engines } from '../../shared/engines/engines.ts';
import { resultsBucket } from '../../shared/platform/bucket.ts';
import { imageHeadBytes, readImageHead } from '../../shared/platform/image-head.ts';
import { peekStream } from '../../shared/platform/peek-stream.ts';
import { webhookQueue } from '../../shared/platform/queue.ts';
import type { With } from '../../shared/runtime/context.ts';
import { type Step, stepLambda } from '../../shared/runtime/step-lambda.ts';

type Needs = With<'bucket' | 'engines'>;

const failed = (code: Extract<Finish, { status: 'failed' }>['code']): Finish => ({ status: 'failed', code });

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

async function collect(needs: Needs, task: Task, outputs: readonly EngineOutput[]): Promise<Finish> {
  const engine = needs.engines.named(task.engine);
  if (!engine) throw new Error(`no engine is named ${task.engine}`);
  const wanted = outputs.slice(0, resultsAsked(task));
  const kept = await Promise.all(wanted.map((output, index) => keep(needs, task, engine, output, index + 1)));
  const results = kept.filter((result) => result !== undefined);
  return results.length === resultsAsked(task) ? { status: 'completed', results } : failed('PROVIDER_ERROR');
}

/** What an asking comes to that was given up: the outcome that stands after all, or whose fault it was. */
async function afterError(needs: Needs, task: Task, error: string): Promise<Outcome> {
  const { outcome, reference } = await needs.callbacks.find(task.taskId);
  if (outcome) return outcome;
  await cancelJob(needs, task, reference);
  return { status: 'failed', code: error === engineFault ? 'PROVIDER_ERROR' : 'INTERNAL_ERROR' };
}

async function putIntoEffect(context: Needs, task: Task, given: FinalizeInput['outcome']): Promise<void> {
  const outcome = 'Error' in given ? await afterError(context, task, given.Error) : given;
  const finish = outcome.status === 'done' ? await collect(context, task, outcome.outputs as EngineOutput[]) : outcome;
  const ended = await finishTask(context, task, finish);
  const wasAsked = !('isOwn' in outcome && outcome.isOwn);
  if (ended) await judgeEngine(context, task, finish, { wasAsked });
  else context.logger.info('late result dropped', { taskId: task.taskId });
}

/** Results are copied into the service's own storage, then the task ends, then its webhook is put on its way. */
export const finalize: Step<typeof FinalizeInput, 'bucket' | 'engines' | 'queue'> = async (
  { taskId, outcome },
  context,
) => {
  const task = await context.tasks.find(taskId);
  if (!task) throw new Error('an execution without a task');
  if (!isTerminal(task)) await putIntoEffect(context, task, outcome);
  // Also of a task that had ended: an earlier attempt at this step may have died in between, and a second message is harmless.
  await requestDelivery(context.queue, task);
};

export const handler = stepLambda('finalize', FinalizeInput, finalize, {
  bucket: resultsBucket,
  engines,
  queue: webhookQueue,
});
