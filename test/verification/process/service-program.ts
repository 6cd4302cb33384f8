/** The service as a process that a test starts, redirects, disturbs and measures. */
import { steps } from '../../../functions/index.ts';
import { wrapFunctions } from '../../../infra/local/functions.ts';
import { startService } from '../../../infra/local/host.ts';
import type { LambdaHandler } from '../../../infra/local/lambda-host.ts';
import { systemClock } from '../../../shared/platform/clock.ts';
import { randomIds } from '../../../shared/platform/ids.ts';
import { settingVariables } from '../../../shared/platform/settings.ts';
import { createFullContext, type FullContext } from '../../../shared/runtime/full-context.ts';
import { closedCircuits } from '../../support/closed-circuits.ts';
import { type Measurement, type Numbered, type Order, type Report, type Start, startVariable } from './orders.ts';
import { plantedText } from './planted-text.ts';

const start = JSON.parse(process.env[startVariable] ?? '') as Start;

let aheadMs = 0;
const clock = { now: () => systemClock.now() + aheadMs };
const ids = randomIds(clock);

const brokenCircuits = {
  ...closedCircuits,
  recordFailure: () => Promise.reject(new Error('the circuit cannot be written')),
};

/** A context whose clients use other URLs; the queue's URL changes with that of its service. */
function redirected(
  own: Readonly<Record<string, string>>,
  changes: Readonly<Record<string, string>> = {},
): FullContext {
  const { AWS_ENDPOINT_URL_SQS: queues } = changes;
  const queueUrl = new URL(own[settingVariables.webhookQueueUrl] ?? '');
  const queue = queues && { [settingVariables.webhookQueueUrl]: `${queues}${queueUrl.pathname}` };
  const context = createFullContext({ ...own, ...queue, ...changes }, { clock, ids });
  return start.hasBrokenCircuits ? { ...context, circuits: brokenCircuits } : context;
}

const crashing = new Set<string>();
const messages: unknown[] = [];
const planted = plantedText(() => context);

const observed =
  (name: string, handler: LambdaHandler): LambdaHandler =>
  async (event, lambda) => {
    if (name === 'deliverWebhook' && start.recordsMessages) messages.push(event);
    // The history of a state machine is excluded, because it contains the errors of its steps on purpose.
    if (crashing.delete(name)) throw new Error(`crashed ${name in steps ? '' : `over ${JSON.stringify(event)}`}`);
    return (await planted.responseOf(name, event, lambda)) ?? handler(event, lambda);
  };

const service = await startService({
  port: 0,
  dataDir: start.dataDir,
  inMemory: false,
  urlPolicy: 'local',
  engineCompletion: 'callback',
  engine: { latencyMs: 0, failure: 'none' },
  clock,
  ids,
  pace: start.pace,
  functions: wrapFunctions(observed),
  contextFrom: redirected,
  onDatabaseExit(reason) {
    process.stderr.write(`${reason}\n`);
    process.exit(1);
  },
});

let context = service.context;

function measure(): Measurement {
  globalThis.gc?.();
  const { heapUsed, rss } = process.memoryUsage();
  const all = service.stateMachines.executions();
  const running = all.filter(({ status }) => status === 'RUNNING').length;
  return { heapUsed, rss, executions: { running, ended: all.length - running } };
}

const end = (): void => void service.close().finally(() => process.exit(0));

async function obey(order: Order): Promise<unknown> {
  switch (order.do) {
    case 'invoke':
      return service.invoke(order.name, order.event);
    case 'redirect':
      context = redirected(service.environment, order.environment);
      return service.bind(context);
    case 'advance':
      aheadMs += order.milliseconds;
      return undefined;
    case 'crash':
      crashing.add(order.name);
      return undefined;
    case 'plant':
      return planted.plant(order.text);
    case 'measure':
      return measure();
    case 'list executions':
      return service.stateMachines.executions().map(({ name }) => name);
    case 'list messages':
      return messages;
    default:
      return end();
  }
}

const report = (message: Report): void => void process.send?.(message);

process.on('message', ({ id, order }: Numbered) => {
  obey(order).then(
    (result) => report({ id, result }),
    (error: Error) => report({ id, error: error.message }),
  );
});
// The service ends when the test that started it dies.
process.once('disconnect', end);
report({ ready: { url: service.url, environment: service.environment } });
