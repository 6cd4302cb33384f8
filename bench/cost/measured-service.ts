/** The complete service with its resource usage metered, and substitutes for an engine, KMS and a receiver. */

import { type Client, client } from '../../client/client.ts';
import { wrapFunctions } from '../../infra/local/functions.ts';
import { type Service, startService } from '../../infra/local/host.ts';
import { scopes } from '../../shared/contracts/scopes.ts';
import { createAccount } from '../../shared/domain/accounts/create-account.ts';
import { plansRow } from '../../shared/domain/catalog/plans-row.ts';
import { issueToken } from '../../shared/domain/tokens/issue-token.ts';
import { settingVariables } from '../../shared/platform/settings.ts';
import { webhookSecretsOf } from '../../shared/platform/webhook-secrets.ts';
import { countTrips } from '../counted-service.ts';
import { temporaryDirectory } from '../temporary-directory.ts';
import type { TripCounter } from '../trip-counter.ts';
import { asksOf } from './asks.ts';
import { outsideMs, tripDelayMs } from './assumptions.ts';
import { engineResult, inputFiles } from './engine-results.ts';
import { type FunctionMeter, functionMeter } from './function-meter.ts';
import { kmsKeys, startLocalKms } from './local-kms.ts';
import { type LocalServer, startLocalServer } from './local-server.ts';
import { type PacedEngine, startPacedEngine } from './paced-engine.ts';
import { type RequestCounter, requestCounter } from './request-counter.ts';
import type { Scenario } from './task-record.ts';
import { inputNames } from './videos.ts';
import { startWebhookSink, type WebhookSink } from './webhook-sink.ts';

export interface MeasuredService {
  readonly service: Service;
  readonly engine: PacedEngine;
  readonly sink: WebhookSink;
  /** Serves the files that requests refer to. */
  readonly inputs: LocalServer;
  readonly meter: FunctionMeter;
  readonly requests: RequestCounter;
  readonly trips: TripCounter;
  /** A client with a new token, because each token has a rate limit. */
  newClient(): Promise<Client>;
  close(): Promise<void>;
}

/** Schedules are excluded, because their cost is monthly and independent of the number of tasks. */
const scheduled = ['sweepTasks', 'auditLedger'];
const idle = async () => ({});
const functions = wrapFunctions((name, handler) => (scheduled.includes(name) ? idle : handler));

/**
 * Shortens the state machine's waits, so that a job of minutes takes seconds; they stay far above what its functions
 * take. Without polls, no wait needs to be shortened.
 */
const paceOf = (scenario: Scenario): number => (asksOf(scenario) === 0 ? 1 : 0.05);

/** The service's functions with the engine and keys of the measurement. */
function countedTrips(
  { bind, context, environment }: Service,
  engineUrl: string,
  kmsUrl: string,
): Promise<TripCounter> {
  const measured = {
    ...environment,
    [settingVariables.offlineEngineUrl]: engineUrl,
    [settingVariables.webhookTokenKey]: kmsKeys.webhookTokenKey,
    [settingVariables.webhookSigningKeys]: kmsKeys.webhookSigningKeys,
    AWS_ENDPOINT_URL_KMS: kmsUrl,
    // Metrics are on, because they are lines in a function's log and are charged as such.
    [settingVariables.metricsDisabled]: 'false',
  };
  return countTrips({ bind, context, environment: measured }, tripDelayMs);
}

async function newClient({ context, url: baseUrl }: Service): Promise<Client> {
  const needs = { ...context, webhookSecrets: webhookSecretsOf(context) };
  const { plans } = await context.catalog.read(plansRow);
  const planId = plans.find(({ features }) => features.includes('studio'))?.id ?? '';
  const { accountId } = await createAccount(context, {
    email: 'cost@example.com',
    name: 'Cost',
    credits: 1000,
    planId,
  });
  const { token } = await issueToken(needs, { accountId, name: 'cost', scopes });
  return client({ baseUrl, token });
}

async function startInputs(): Promise<LocalServer> {
  const files = await inputFiles();
  return startLocalServer(({ url = '' }) => {
    const name = inputNames.find((candidate) => url === `/${candidate}`);
    return name ? { status: 200, contentType: 'application/octet-stream', body: files[name] } : { status: 404 };
  });
}

export async function startMeasuredService(scenario: Scenario): Promise<MeasuredService> {
  const meter = functionMeter(functions);
  const service = await startService({
    port: 0,
    dataDir: temporaryDirectory('cost'),
    inMemory: true,
    urlPolicy: 'local',
    engineCompletion: scenario.completion,
    engine: { latencyMs: 0, failure: 'none' },
    functions: meter.functions,
    pace: paceOf(scenario),
    onDatabaseExit: (reason) => {
      throw new Error(reason);
    },
  });
  const { context, environment } = service;
  const [engine, kms, sink, inputs] = await Promise.all([
    startPacedEngine({
      key: context.settings.offlineEngineKey,
      asks: asksOf(scenario),
      latencyMs: outsideMs,
      result: await engineResult(scenario.kind),
    }),
    startLocalKms(),
    startWebhookSink(outsideMs),
    startInputs(),
  ]);
  const trips = await countedTrips(service, engine.url, kms.url);
  const requests = requestCounter([environment.AWS_ENDPOINT_URL_SQS ?? '', kms.url]);
  return {
    service,
    engine,
    sink,
    inputs,
    meter,
    requests,
    trips,
    newClient: () => newClient(service),
    async close() {
      requests.close();
      await service.close();
      await Promise.all([engine.close(), kms.close(), sink.close(), inputs.close(), trips.close()]);
    },
  };
}
