/** The service in this process, with its data in a folder: its output is recorded, and a test redirects and disturbs it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { steps } from '../../../functions/index.ts';
import { wrapFunctions } from '../../../infra/local/functions.ts';
import { startService } from '../../../infra/local/host.ts';
import type { LambdaHandler } from '../../../infra/local/lambda-host.ts';
import { systemClock } from '../../../shared/platform/clock.ts';
import { randomIds } from '../../../shared/platform/ids.ts';
import { settingVariables } from '../../../shared/platform/settings.ts';
import { createFullContext, type FullContext } from '../../../shared/runtime/full-context.ts';
import { closedCircuits } from '../../support/closed-circuits.ts';
import { recordedOutput } from '../../support/recorded-output.ts';
import { plantedText } from './planted-text.ts';

export type ObservedService = Awaited<ReturnType<typeof observedService>>;

type Environment = Readonly<Record<string, string>>;

/** Everything is logged, metrics too, although only AWS evaluates them. */
const observed = { POWERTOOLS_LOG_LEVEL: 'TRACE', [settingVariables.metricsDisabled]: 'false' };

/** Retries are fast, but states do not time out on a busy machine. */
const pace = 0.1;

const brokenCircuits = {
  ...closedCircuits,
  recordFailure: () => Promise.reject(new Error('the circuit cannot be written')),
};

export async function observedService() {
  const output = recordedOutput();
  const dataDir = mkdtempSync(join(tmpdir(), 'observed-service-'));
  let aheadMs = 0;
  const clock = { now: () => systemClock.now() + aheadMs };
  const ids = randomIds(clock);
  const crashing = new Set<string>();
  const messages: unknown[] = [];
  let context: FullContext;
  const planted = plantedText(() => context);

  /** A context whose clients use other URLs; the queue's URL changes with that of its service. */
  function redirected(own: Environment, changes: Environment = {}): FullContext {
    // The operator’s tool silences the loggers of its process.
    Object.assign(process.env, observed);
    const { AWS_ENDPOINT_URL_SQS: queues } = changes;
    const { pathname } = new URL(own[settingVariables.webhookQueueUrl] ?? '');
    const queue = queues && { [settingVariables.webhookQueueUrl]: `${queues}${pathname}` };
    const made = createFullContext({ ...own, ...observed, ...queue, ...changes }, { clock, ids });
    return { ...made, circuits: brokenCircuits };
  }

  const wrapped =
    (name: string, handler: LambdaHandler): LambdaHandler =>
    async (event, lambda) => {
      if (name === 'deliverWebhook') messages.push(event);
      // The history of a state machine is excluded, because it contains the errors of its steps on purpose.
      if (crashing.delete(name)) throw new Error(`crashed ${name in steps ? '' : `over ${JSON.stringify(event)}`}`);
      return (await planted.responseOf(name, event, lambda)) ?? handler(event, lambda);
    };

  const service = await startService({
    port: 0,
    dataDir,
    inMemory: false,
    urlPolicy: 'local',
    engineCompletion: 'callback',
    engine: { latencyMs: 0, failure: 'none' },
    clock,
    pace,
    functions: wrapFunctions(wrapped),
    contextFrom: redirected,
    onDatabaseExit(reason) {
      throw new Error(reason);
    },
  });
  const { environment, invoke, stateMachines, url } = service;
  ({ context } = service);

  return {
    url,
    environment,
    dataDir,
    output,
    invoke,
    /** The events of deliveries so far. */
    messages,
    executions: () => stateMachines.executions().map(({ name }) => name),
    /** Replaces URLs in the functions' environment. */
    redirect(changes: Environment): void {
      context = redirected(environment, changes);
      service.bind(context);
    },
    advance(milliseconds: number): void {
      aheadMs += milliseconds;
    },
    /** The next call of a function throws; unless it is a workflow step, the error quotes the event. */
    crash: (name: string): void => void crashing.add(name),
    plant: (text: string) => planted.plant(text),
    async close(): Promise<void> {
      await service.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
