/**
 * Writes a text to every place where the service logs, responds or stores, so that a test proves that it searches them
 * all.
 */
import type { LambdaHandler } from '../../../infra/local/lambda-host.ts';
import { publicContracts } from '../../../shared/contracts/public.ts';
import { executionOf } from '../../../shared/domain/tasks/start-task.ts';
import { resultsBucket } from '../../../shared/platform/bucket.ts';
import { webhookQueue } from '../../../shared/platform/queue.ts';
import { stepFunctions } from '../../../shared/platform/workflow.ts';
import { ApiError } from '../../../shared/runtime/api-error.ts';
import type { FullContext } from '../../../shared/runtime/full-context.ts';
import { operationLambda } from '../../../shared/runtime/operation-lambda.ts';

const failures: readonly ((text: string) => never)[] = [
  (text) => {
    throw new ApiError('INTERNAL_ERROR', { message: text });
  },
  (text) => {
    throw new Error('planted', { cause: new Error(text) });
  },
];

async function plantInParts({ ids, logger, metrics, table, ...context }: FullContext, text: string): Promise<void> {
  logger.trace('planted', { text });
  logger.debug('planted', { text: Buffer.from(text).toString('base64') });
  metrics.record({ SlotDrift: 0 }, { operation: text });
  process.stderr.write(`planted: ${text}\n`);
  await table.put({ Item: { pk: 'PLANTED', sk: 'PLANTED', text, bytes: Buffer.from(text) } });
  const taskId = ids.next();
  await webhookQueue(context).send({ taskId, attempt: 1, text }, { delaySeconds: 0, group: 'planted' });
  await stepFunctions(context).start('generate', taskId, Object.assign(executionOf(taskId), { text }));
  const body = ReadableStream.from([Buffer.from(text)]);
  await resultsBucket(context).write('results/planted', { body, contentType: 'text/plain' });
}

/** After a text is planted, the next two calls of listPlans contain it: in an error and in a header. */
export function plantedText(context: () => FullContext) {
  let planted = '';
  const pending: ((text: string) => never)[] = [];
  const failing = operationLambda(publicContracts.listPlans, async () => {
    const fail = pending.shift();
    if (!fail) throw new Error('nothing is planted');
    return fail(planted);
  });
  return {
    async plant(text: string): Promise<void> {
      await plantInParts(context(), text);
      planted = text;
      pending.push(...failures);
    },
    /** The response that replaces a function's; undefined if nothing is planted for it. */
    async responseOf(name: string, ...[event, lambda]: Parameters<LambdaHandler>): Promise<object | undefined> {
      if (name !== 'listPlans' || pending.length === 0) return undefined;
      const response = await failing(context())(event, lambda);
      return { ...response, headers: { ...response.headers, 'X-Planted': planted } };
    },
  };
}
