/** The soaked service in a process of its own, so that its memory and sockets can be measured. */
import { startService } from '../../../infra/local/host.ts';
import { systemClock } from '../../../shared/platform/clock.ts';
import { randomIds } from '../../../shared/platform/ids.ts';
import { settingVariables } from '../../../shared/platform/settings.ts';
import { createContext } from '../../../shared/runtime/context.ts';
import { closedCircuits } from '../../support/closed-circuits.ts';
import { announceReady, exitWith, serveOrders, startOf } from '../process/serve-orders.ts';
import type { Look, Order, Start } from './service-orders.ts';

const { awsUrl, dataDir, engine, pace } = startOf() as Start;

const service = await startService({
  port: 0,
  dataDir,
  // What is kept in files does not grow in memory.
  inMemory: false,
  urlPolicy: 'local',
  engineCompletion: 'callback',
  engine: { latencyMs: 0, failure: 'none' },
  pace,
  onDatabaseExit: exitWith,
});

/** From now on the functions go to AWS by way of the faults, as the clients that a new context makes read it here. */
function goByFaults(): void {
  const parts = ['DYNAMODB', 'S3', 'SFN', 'SQS'].map((part) => [`AWS_ENDPOINT_URL_${part}`, awsUrl] as const);
  const queueUrl = new URL(service.environment[settingVariables.webhookQueueUrl] ?? '');
  const environment = {
    ...service.environment,
    ...Object.fromEntries(parts),
    [settingVariables.webhookQueueUrl]: `${awsUrl}${queueUrl.pathname}`,
    [settingVariables.offlineEngineUrl]: engine.url,
    [settingVariables.offlineEngineKey]: engine.key,
  };
  // Its engine fails on purpose, more often than one that would be left in peace.
  service.bind({
    ...createContext(environment, { clock: systemClock, ids: randomIds(systemClock) }),
    circuits: closedCircuits,
  });
}

function look(): Look {
  globalThis.gc?.();
  const { heapUsed, rss } = process.memoryUsage();
  const resources: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) resources[kind] = (resources[kind] ?? 0) + 1;
  const all = service.stateMachines.executions();
  const running = all.filter(({ status }) => status === 'RUNNING').length;
  return { heapUsed, rss, resources, executions: { running, ended: all.length - running } };
}

async function obey(order: Order): Promise<unknown> {
  return order.do === 'measure' ? look() : service.invoke(order.name, order.event);
}

serveOrders(obey, () => void service.close().finally(() => process.exit(0)));
goByFaults();
announceReady({ url: service.url, environment: service.environment });
