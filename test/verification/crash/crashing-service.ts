/** The service as a process that a test kills: on kept data, and all that it says to other parts passes by the test. */
import { wrapFunctions } from '../../../infra/local/functions.ts';
import { type Service, startService } from '../../../infra/local/host.ts';
import type { LambdaHandler } from '../../../infra/local/lambda-host.ts';
import { systemClock } from '../../../shared/platform/clock.ts';
import { randomIds } from '../../../shared/platform/ids.ts';
import { settingVariables } from '../../../shared/platform/settings.ts';
import { type Context, createContext } from '../../../shared/runtime/context.ts';
import { announceReady, exitWith, serveOrders, startOf } from '../process/serve-orders.ts';
import type { Call, Start } from './process-run.ts';

const order = startOf() as Start;
const clock = { now: () => systemClock.now() + order.aheadMs };

/** The functions speak to the service's parts by way of the test. */
function byWayOfTheTest(environment: Readonly<Record<string, string>>): Context {
  const { AWS_ENDPOINT_URL_SQS: queues = '', [settingVariables.webhookQueueUrl]: queueUrl = '' } = environment;
  const { AWS_ENDPOINT_URL_SQS: tapped = '' } = order.environment;
  const changes = { ...order.environment, [settingVariables.webhookQueueUrl]: queueUrl.replace(queues, tapped) };
  return createContext({ ...environment, ...changes }, { clock, ids: randomIds(clock) });
}

async function pass(name: string, moment: 'before' | 'after', value: unknown): Promise<void> {
  const body = JSON.stringify(value ?? null);
  const response = await fetch(`${order.functionsUrl}/${name}/${moment}`, { method: 'POST', body });
  await response.body?.cancel();
}

/** The sweep of a start looks at everything, that of a schedule at what is due; the latter is all that AWS has. */
const eventFor = (name: string, event: unknown): unknown =>
  name === 'sweepTasks' && order.sweeps === 'due' ? {} : event;

const watched =
  (name: string, handler: LambdaHandler): LambdaHandler =>
  async (event, context) => {
    await pass(name, 'before', event);
    if (name === 'sweepTasks' && order.sweeps === 'nothing') return {};
    const result = await handler(eventFor(name, event) as never, context);
    await pass(name, 'after', result);
    return result;
  };

const start = (): Promise<Service> =>
  startService({
    port: 0,
    dataDir: order.dataDir,
    inMemory: false,
    urlPolicy: 'local',
    engineCompletion: order.engineCompletion,
    engine: { latencyMs: 0, failure: 'none' },
    clock,
    pace: order.pace,
    functions: wrapFunctions(watched),
    contextFrom: byWayOfTheTest,
    onDatabaseExit: exitWith,
  });

async function main(): Promise<void> {
  const service = await start();
  // When the test dies, so does its service, and takes its database along.
  serveOrders(
    ({ name, event }: Call) => service.invoke(name, event),
    () => process.exit(0),
  );
  announceReady(true);
}

main().catch((error: Error) => exitWith(error.stack ?? error.message));
