/** The service of one run: the real functions with a separate table, and with a clock that a test advances. */
import { createHash, createHmac } from 'node:crypto';
import { createTable } from '../../../infra/local/database/create-table.ts';
import { bindFunctions, localFunctions } from '../../../infra/local/functions.ts';
import { type Invoke, lambdaHost } from '../../../infra/local/lambda-host.ts';
import { scopes } from '../../../shared/contracts/scopes.ts';
import { createAccount } from '../../../shared/domain/accounts/create-account.ts';
import { callbackAddress } from '../../../shared/domain/engine-jobs/callback-address.ts';
import { mainJob } from '../../../shared/domain/engine-jobs/engine-job.ts';
import { isTestAccount, liveAccountOf } from '../../../shared/domain/test-account.ts';
import { issueToken } from '../../../shared/domain/tokens/issue-token.ts';
import { type Engines, engines } from '../../../shared/engines/engines.ts';
import type { Clock } from '../../../shared/platform/clock.ts';
import type { Ids } from '../../../shared/platform/ids.ts';
import { settingVariables } from '../../../shared/platform/settings.ts';
import { webhookSecretsOf } from '../../../shared/platform/webhook-secrets.ts';
import { createFullContext, type FullContext } from '../../../shared/runtime/full-context.ts';
import { closedCircuits } from '../../support/closed-circuits.ts';
import { storedKeys } from '../../support/stored-keys.ts';
import { type TestService, testService } from '../../support/test-service.ts';
import { respondWith, type WebhookResponse } from '../../support/webhook-receiver.ts';
import { type Faults, faultPlan } from '../faults/fault-plan.ts';
import { type Snapshot, snapshotReader } from '../oracle/snapshot.ts';
import { type AwsEndpoint, awsEndpoint } from './aws-endpoint.ts';
import { type ScriptedQueue, scriptedQueue } from './scripted-queue.ts';
import { type ScriptedWorkflow, scriptedWorkflow } from './scripted-workflow.ts';

const engineKey = 'model-engine-key';

/** Resources that all runs share: processes and sockets, but nothing in which a run could leave data for the next. */
export interface Bench {
  readonly host: TestService;
  /** The URLs of the faulty parts for the functions. */
  readonly endpoints: Readonly<Record<string, string>>;
  readonly aws: AwsEndpoint;
  readonly read: (tableName: string) => Promise<Snapshot>;
  readonly databaseUrl: string;
  readonly tally: Tally;
  close(): Promise<void>;
}

/** The coverage of the run so far. */
export interface Tally {
  runs: number;
  steps: number;
  /** By kind of fault, how often it struck each operation. */
  readonly faults: Map<string, number>;
  /** The numbers of events: responses, ends of tasks, webhook attempts, interrupted races. */
  readonly events: Map<string, number>;
}

export const countEvent = (counts: Map<string, number>, name: string, times = 1): void => {
  counts.set(name, (counts.get(name) ?? 0) + times);
};

export interface World {
  readonly host: TestService;
  readonly context: FullContext;
  readonly clock: Clock & { advance(milliseconds: number): void };
  readonly faults: Faults;
  readonly workflow: ScriptedWorkflow;
  readonly queue: ScriptedQueue;
  /** The bodies of all webhook attempts for a task, oldest first. */
  readonly posts: ReadonlyMap<string, readonly string[]>;
  readonly callbackUrl: string;
  readonly invoke: Invoke;
  /** Sets the back ends' responses to webhooks from now on. */
  setReceiverResponse(response: WebhookResponse): void;
  snapshot(): Promise<Snapshot>;
  /** The keys of everything that is stored in the buckets for a task. */
  filesOf(taskId: string): Promise<string[]>;
  newAccount(credits: number): Promise<string>;
  /** Adds or removes credits, before any fault. */
  adjust(accountId: string, amount: number): Promise<void>;
  /** Creates a token; a test token, if the account is a test account. */
  newToken(accountId: string): Promise<string>;
  /** Sends an engine's report about a task; a `forged` one has a sender without the engine's key. */
  callBack(taskId: string, report: object, forged?: boolean): Promise<number>;
  readonly tally: Tally;
}

/** Functions that only the model may call do nothing when the service's schedules call them. */
const idle = { definition: () => async () => ({}), timeoutSeconds: 1 };
const passive = { ...localFunctions, sweepTasks: idle, auditLedger: idle };

/** Faults can strike between the functions and all parts of AWS. */
export async function startBench(): Promise<Bench> {
  const host = await testService({ functions: passive, marksResults: true });
  const { AWS_ENDPOINT_URL_DYNAMODB: databaseUrl, AWS_ENDPOINT_URL_S3: storageUrl } = host.service.environment;
  if (!databaseUrl || !storageUrl) throw new Error('the service has no database or bucket of its own');
  const aws = await awsEndpoint({ databaseUrl, storageUrl });
  return {
    host,
    endpoints: Object.fromEntries(
      ['DYNAMODB', 'S3', 'SFN', 'SQS'].map((service) => [`AWS_ENDPOINT_URL_${service}`, aws.url]),
    ),
    aws,
    databaseUrl,
    read: snapshotReader(databaseUrl),
    tally: { runs: 0, steps: 0, faults: new Map(), events: new Map() },
    async close() {
      await host.close();
      await aws.close();
    },
  };
}

/**
 * Ids that are the same in every run except for the number of the run, with which they begin: the ids of a run sort
 * after those of earlier runs.
 */
function countedIds(run: number): Ids {
  let count = 0;
  const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0');
  return {
    next() {
      count += 1;
      return `${hex(run, 8)}-0000-7000-8000-${hex(count, 12)}`;
    },
    secret(bytes) {
      count += 1;
      return createHash('sha512')
        .update(`${run}:${count}`)
        .digest('hex')
        .slice(0, bytes * 2);
    },
  };
}

/** The clock is far in the future, so that the database, which uses the real time, never expires anything. */
const beginning = Date.UTC(2040, 0, 1);

function standingClock() {
  let now = beginning;
  return {
    now: () => now,
    advance(milliseconds: number) {
      now += milliseconds;
    },
  };
}

function setReceiverResponse({ host, tally }: Bench, webhookResponse: WebhookResponse): void {
  host.receiver.respond((response) => {
    countEvent(tally.events, `post ${webhookResponse}`);
    respondWith(response, webhookResponse);
  });
}

/** An engine's report as it would arrive; a `forged` one has a sender without the engine's key. */
function signedReport({ clock, settings }: FullContext, taskId: string, report: object, forged = false) {
  const body = JSON.stringify(report);
  const seconds = String(Math.floor(clock.now() / 1000));
  const signature = createHmac('sha256', forged ? 'another-key' : engineKey).update(`${seconds}.${body}`);
  return {
    engine: 'offline',
    address: callbackAddress(settings.engineCallbackKey, 'offline', { taskId, name: mainJob }),
    headers: {
      'content-type': 'application/json',
      'x-engine-timestamp': seconds,
      'x-engine-signature': signature.digest('hex'),
    },
    body,
  };
}

async function callBack(context: FullContext, taskId: string, report: object, forged: boolean): Promise<number> {
  const { engine, address, headers, body } = signedReport(context, taskId, report, forged);
  const url = `${context.settings.apiUrl}/inbound/engines/${engine}/${address}`;
  const response = await fetch(url, { method: 'POST', headers, body });
  await response.body?.cancel();
  return response.status;
}

export interface WorldOptions {
  readonly engineCompletion: 'callback' | 'polling';
}

function contextOf(bench: Bench, tableName: string, clock: Clock, { engineCompletion }: WorldOptions): FullContext {
  const environment = {
    ...bench.host.service.environment,
    ...bench.endpoints,
    [settingVariables.tableName]: tableName,
    [settingVariables.webhookQueueUrl]: `${bench.aws.url}/000000000000/webhooks`,
    [settingVariables.offlineEngineUrl]: bench.host.engine.url,
    [settingVariables.offlineEngineKey]: engineKey,
    [settingVariables.offlineEngineCompletion]: engineCompletion,
  };
  const made = createFullContext(environment, { clock, ids: countedIds(bench.tally.runs) });
  // Circuits stay closed, because the model does not include them; another model covers them. The tasks of test tokens
  // are made by the same engine, whose behavior the model controls.
  const all = engines(made);
  const named: Engines['named'] = (name) => all.named(name === 'test' ? 'offline' : name);
  return Object.assign({ ...made, circuits: closedCircuits }, { engines: { named } });
}

export async function startWorld(bench: Bench, options: WorldOptions): Promise<World> {
  bench.tally.runs += 1;
  const tableName = `model-${bench.tally.runs}`;
  await createTable(bench.databaseUrl, tableName);
  const clock = standingClock();
  bench.host.receiver.forget();
  setReceiverResponse(bench, 204);
  const [faults, workflow, queue] = [faultPlan(), scriptedWorkflow(), scriptedQueue(clock)];
  bench.aws.serve({ faults, workflow, queue });
  const context = contextOf(bench, tableName, clock, options);
  bench.host.service.bind(context);
  const webhookSecrets = webhookSecretsOf(context);
  // The engine charges for every job that it has accepted, however it ends, so that the model checks the costs of each
  // way to end.
  const price = { per: 'character', micros: 7, charged: ['rejected', 'failed', 'canceled', 'lost'] };
  await context.catalog.change('engine-prices', { 'offline/engine': price });

  return {
    host: bench.host,
    context,
    clock,
    faults,
    workflow,
    queue,
    posts: bench.host.receiver.posts,
    callbackUrl: bench.host.receiver.url,
    invoke: lambdaHost(bindFunctions(context)),
    setReceiverResponse: (response) => setReceiverResponse(bench, response),
    snapshot: () => bench.read(tableName),
    filesOf: (taskId) => storedKeys(bench.host.service.environment.AWS_ENDPOINT_URL_S3, taskId),
    async newAccount(credits) {
      const { accountId } = await createAccount(context, {
        email: 'model@example.com',
        name: 'Model',
        credits,
        planId: 'pro',
      });
      return accountId;
    },
    async adjust(accountId, amount) {
      const row = { id: context.ids.next(), accountId, amount, reason: 'adjustment', at: clock.now() } as const;
      await context.accounts.post(row);
    },
    async newToken(accountId) {
      const mode = isTestAccount(accountId) ? 'test' : 'live';
      const request = { accountId: liveAccountOf(accountId), mode, name: 'model', scopes } as const;
      return (await issueToken({ ...context, webhookSecrets }, request)).token;
    },
    callBack: (taskId, report, forged = false) => callBack(context, taskId, report, forged),
    tally: bench.tally,
  };
}
