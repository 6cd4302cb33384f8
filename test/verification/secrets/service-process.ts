/** The service in a process of its own, with all logging on, which crashes and leaks when a test orders it. */
import { steps } from '../../../functions/index.ts';
import { demoAccount } from '../../../infra/local/demo-account.ts';
import { wrapFunctions } from '../../../infra/local/functions.ts';
import { startService } from '../../../infra/local/host.ts';
import type { LambdaHandler } from '../../../infra/local/lambda-host.ts';
import { publicContracts } from '../../../shared/contracts/public.ts';
import { executionOf } from '../../../shared/domain/tasks/start-task.ts';
import { resultsBucket } from '../../../shared/platform/bucket.ts';
import { systemClock } from '../../../shared/platform/clock.ts';
import { randomIds } from '../../../shared/platform/ids.ts';
import { webhookQueue } from '../../../shared/platform/queue.ts';
import { settingVariables } from '../../../shared/platform/settings.ts';
import { stepFunctions } from '../../../shared/platform/workflow.ts';
import { ApiError } from '../../../shared/runtime/api-error.ts';
import { type Context, createContext } from '../../../shared/runtime/context.ts';
import { operationLambda } from '../../../shared/runtime/operation-lambda.ts';
import { closedCircuits } from '../../support/closed-circuits.ts';
import { announceReady, exitWith, serveOrders, startOf } from '../process/serve-orders.ts';
import type { Order, Start } from './service-orders.ts';

const { dataDir, pace } = startOf() as Start;

let aheadMs = 0;
const clock = { now: () => systemClock.now() + aheadMs };
const ids = randomIds(clock);

const crashing = new Set<string>();
const messages: unknown[] = [];
/** What the next calls of listPlans say in place of the plans. */
const planted: ((text: string) => never)[] = [];
let plantedText = '';

const plant = operationLambda(publicContracts.listPlans, async () => {
  const say = planted.shift();
  if (!say) throw new Error('nothing is planted');
  return say(plantedText);
});

const failures: readonly ((text: string) => never)[] = [
  (text) => {
    throw new ApiError('INTERNAL_ERROR', { message: text });
  },
  (text) => {
    throw new Error('planted', { cause: new Error(text) });
  },
];

/** The function itself, unless it is to crash, or to say what is planted. */
const obedient =
  (name: string, handler: LambdaHandler): LambdaHandler =>
  async (event, lambda) => {
    if (name === 'deliverWebhook') messages.push(event);
    // A state machine keeps what it is told of a step's error: that is what its history is for.
    if (crashing.delete(name)) throw new Error(`crashed ${name in steps ? '' : `over ${JSON.stringify(event)}`}`);
    if (name !== 'listPlans' || planted.length === 0) return handler(event, lambda);
    const answer = await plant(context)(event, lambda);
    return { ...answer, headers: { ...answer.headers, 'X-Planted': plantedText } };
  };

const service = await startService({
  port: 0,
  dataDir,
  inMemory: false,
  urlPolicy: 'local',
  engineCompletion: 'callback',
  engine: { latencyMs: 0, failure: 'none' },
  clock,
  ids,
  pace,
  functions: wrapFunctions(obedient),
  onDatabaseExit: exitWith,
});

/** They never open and cannot be written. */
const circuits = { ...closedCircuits, recordFailure: () => Promise.reject(new Error('the circuit cannot be written')) };

let context: Context = service.context;

function goBy(environment: Readonly<Record<string, string>>): void {
  // Also what only AWS makes something of is written.
  const written = { [settingVariables.metricsDisabled]: 'false' };
  const made = createContext({ ...service.environment, ...environment, ...written }, { clock, ids });
  context = { ...made, circuits };
  service.bind(context);
}

async function plantEverywhere(text: string): Promise<void> {
  const { logger, metrics, table } = context;
  logger.trace('planted', { text });
  logger.debug('planted', { text: Buffer.from(text).toString('base64') });
  metrics.record({ SlotDrift: 0 }, { operation: text });
  process.stderr.write(`planted: ${text}\n`);
  await table.put({ Item: { pk: 'PLANTED', sk: 'PLANTED', text, bytes: Buffer.from(text) } });
  const task = { taskId: ids.next(), accountId: ids.next() };
  await webhookQueue(context).send({ taskId: task.taskId, attempt: 1, text }, { delaySeconds: 0, group: 'planted' });
  await stepFunctions(context).start('generate', task.taskId, Object.assign(executionOf(task.taskId), { text }));
  const body = ReadableStream.from([Buffer.from(text)]);
  await resultsBucket(context).write('results/planted', { body, contentType: 'text/plain' });
  plantedText = text;
  planted.push(...failures);
}

const end = () => void service.close().finally(() => process.exit(0));

async function obey(order: Order): Promise<unknown> {
  switch (order.do) {
    case 'go by':
      return goBy(order.environment);
    case 'invoke':
      return service.invoke(order.name, order.event);
    case 'advance':
      aheadMs += order.milliseconds;
      return undefined;
    case 'crash':
      crashing.add(order.name);
      return undefined;
    case 'plant':
      return plantEverywhere(order.text);
    case 'list executions':
      return service.stateMachines.executions().map(({ name }) => name);
    case 'end':
      return end();
    default:
      return messages;
  }
}

serveOrders(obey, end);

const { url, environment } = service;
announceReady({ url, environment, ...(await demoAccount(service.context, dataDir)) });
