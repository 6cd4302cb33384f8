import { generationOf } from '../../shared/contracts/generate.ts';
import { FinalizeInput, type Outcome } from '../../shared/contracts/workflow.ts';
import { cancelJob } from '../../shared/domain/announce-end.ts';
import { type Finish, finishTask } from '../../shared/domain/finish-task.ts';
import { extensionOf } from '../../shared/domain/media-type.ts';
import { isTerminal, resultKey, type StoredResult, type Task } from '../../shared/domain/task.ts';
import { type Engine, type EngineOutput, engineFault } from '../../shared/engines/engine.ts';
import { engines } from '../../shared/engines/engines.ts';
import { resultsBucket } from '../../shared/platform/bucket.ts';
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
  const { url: _address, ...facts } = output;
  const extension = extensionOf(generationOf(task.taskType).medium, output.contentType);
  if (!extension) return undefined;
  const key = resultKey(task, position, extension);
  const { body } = await engine.download(output).catch((error: unknown) => {
    throw Object.assign(new Error('a result could not be fetched', { cause: error }), { name: engineFault });
  });
  const bytes = await bucket.write(key, { body, contentType: output.contentType });
  return bytes > 0 ? { ...facts, key, bytes } : undefined;
}

async function collect(needs: Needs, task: Task, outputs: readonly EngineOutput[]): Promise<Finish> {
  const engine = needs.engines.named(task.engine);
  if (!engine) throw new Error(`no engine is named ${task.engine}`);
  const kept = await Promise.all(outputs.map((output, index) => keep(needs, task, engine, output, index + 1)));
  const results = kept.filter((result) => result !== undefined);
  return results.length === outputs.length ? { status: 'completed', results } : failed('PROVIDER_ERROR');
}

/** What an asking comes to that was given up: the outcome that stands after all, or whose fault it was. */
async function afterError(needs: Needs, task: Task, error: string): Promise<Outcome> {
  const { outcome, reference } = await needs.callbacks.find(task.taskId);
  if (outcome) return outcome;
  await cancelJob(needs, task, reference);
  return { status: 'failed', code: error === engineFault ? 'PROVIDER_ERROR' : 'INTERNAL_ERROR' };
}

/** Puts an outcome into effect: results are copied into the service's own storage first, then the task ends. */
export const finalize: Step<typeof FinalizeInput, 'bucket' | 'engines'> = async (
  { taskId, outcome: given },
  context,
) => {
  const task = await context.tasks.find(taskId);
  if (!task) throw new Error('an execution without a task');
  if (isTerminal(task)) return;
  const outcome = 'Error' in given ? await afterError(context, task, given.Error) : given;
  const finish = outcome.status === 'done' ? await collect(context, task, outcome.outputs as EngineOutput[]) : outcome;
  const ended = await finishTask(context, task, finish);
  if (!ended) context.logger.info('late result dropped', { taskId });
};

export const handler = stepLambda('finalize', FinalizeInput, finalize, { bucket: resultsBucket, engines });
