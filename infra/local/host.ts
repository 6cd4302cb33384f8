/**
 * The service in one process: functions, state machines, queues and schedules of the AWS design, with local
 * substitutes.
 */
import { mkdirSync, rmSync } from 'node:fs';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { listen } from '../../fakes/listen.ts';
import type { MercadoPagoFake } from '../../fakes/mercado-pago/mercado-pago-fake.ts';
import type { MetaFake } from '../../fakes/meta/meta-fake.ts';
import type { StripeFake } from '../../fakes/stripe/stripe-fake.ts';
import { documentRoutes } from '../../shared/contracts/documents.ts';
import { inboundRoutes, socialEventsPath } from '../../shared/contracts/inbound.ts';
import { resultsRetentionDays, unusedFilesRetentionDays } from '../../shared/contracts/limits.ts';
import { workflowNames } from '../../shared/contracts/workflow.ts';
import { shorterKeptDays, uploadsFolder } from '../../shared/domain/files/file.ts';
import { indexes, ownerOfSession, ownerOfToken } from '../../shared/domain/index-keys.ts';
import { tokenKey } from '../../shared/domain/keys.ts';
import { type Clock, systemClock } from '../../shared/platform/clock.ts';
import type { Key, Table } from '../../shared/platform/dynamo-table.ts';
import { type Ids, randomIds } from '../../shared/platform/ids.ts';
import type { Settings } from '../../shared/platform/settings.ts';
import { createFullContext, type FullContext } from '../../shared/runtime/full-context.ts';
import {
  exportsRetentionDays,
  inputsRetentionDays,
  queueNames,
  queues,
  schedules,
  stateMachineDefinitions,
} from '../hosting.ts';
import { buildAhead, onceDone, reported } from './built-folder.ts';
import { builtOnRequest } from './built-on-request.ts';
import { buildClients } from './clients/build-clients.ts';
import { buildDashboard, builtFolder } from './dashboard/build-dashboard.ts';
import { dashboardPage } from './dashboard/dashboard-page.ts';
import { createTable } from './database/create-table.ts';
import { buildDocs, buildVerify } from './docs/build-docs.ts';
import { bindFunctions, type LocalFunctions, localFunctions, localRoutes } from './functions.ts';
import { httpGateway } from './http-gateway/http-gateway.ts';
import type { IdentityProvider } from './identity/identity-provider.ts';
import { localKeys } from './keys.ts';
import { type Invoke, lambdaHost } from './lambda-host.ts';
import { startDraftOnThread } from './marking-thread.ts';
import { mediaThreads } from './media-thread.ts';
import { startObjectExpiry } from './object-expiry.ts';
import { type Parts, type PartsOptions, startParts } from './parts.ts';
import { startQueueConsumer } from './queue-consumer.ts';
import { requestLimit } from './request-limit.ts';
import { resultsPage } from './results-page.ts';
import { startSchedules } from './schedules.ts';
import { dashboardUrlOf, serviceEnvironment, tableName } from './service-environment.ts';
import { removeServiceFile, writeServiceFile } from './service-file.ts';
import type { Pace } from './state-machines/state-machine-definition.ts';
import { type StateMachines, startStateMachines } from './state-machines/state-machines.ts';
import { stepLimit } from './step-limit.ts';
import { uploadsPage } from './uploads/uploads-page.ts';

/** The options of a local service. `pace` of the state machines is for tests. */
export interface ServiceOptions extends Pick<PartsOptions, 'inMemory' | 'engine' | 'fake' | 'onDatabaseExit'>, Pace {
  /** The data directory; with `inMemory`, it contains only what the running service needs and is removed afterwards. */
  readonly dataDir: string;
  /** The port; 0 chooses a free one. */
  readonly port: number;
  readonly urlPolicy: Settings['urlPolicy'];
  /** Whether requests that use a person’s likeness must declare consent; by default, they need not. */
  readonly likenessConsent?: Settings['likenessConsent'];
  readonly engineCompletion: Settings['offlineEngineCompletion'];
  /** Whether to run a local identity provider, with which users can log in to the dashboard. */
  readonly hasIdentity?: boolean;
  /** For tests: the functions' clock and ids, and replacements for functions. */
  readonly clock?: Clock;
  readonly ids?: Ids;
  readonly functions?: LocalFunctions;
  /** For tests: creates the functions' context from the environment that the host has prepared. */
  readonly contextFrom?: (environment: Readonly<Record<string, string>>) => FullContext;
}

export interface Service {
  readonly url: string;
  readonly context: FullContext;
  readonly environment: Readonly<Record<string, string>>;
  readonly stateMachines: StateMachines;
  /** The sandboxes for PIX payments and for subscriptions. */
  readonly payments: MercadoPagoFake;
  readonly subscriptions: StripeFake;
  /** The sandbox of social networks. */
  readonly social: MetaFake;
  readonly identity: IdentityProvider | undefined;
  /** Calls any of the service's functions. */
  readonly invoke: Invoke;
  /** Builds the dashboard, the documentation and the clients in the background, so that no first request waits for them. */
  readonly buildPages: () => Promise<void>;
  /** Replaces the context with which functions are called. */
  readonly bind: (context: FullContext) => void;
  close(): Promise<void>;
}

function startWorkflow(
  invoke: Invoke,
  limited: ReturnType<typeof stepLimit>,
  { pace, timeoutPace }: Pace,
): Promise<StateMachines> {
  // The ARN of a local function ends in its name, and the partition is `aws`.
  const named = Object.entries(stateMachineDefinitions).map(([name, text]) => [
    name,
    text.replaceAll('${partition}', 'aws').replaceAll(/\$\{(\w+)\}/g, '$1'),
  ]);
  return startStateMachines({
    definitions: Object.fromEntries(named),
    invoke: (name, event) => limited(event as { taskId: string }, () => invoke(name, event)),
    onStatusChange: (event) => {
      const { status } = (event as { detail: { status: string } }).detail;
      if (status !== 'SUCCEEDED') invoke('settleExecution', event).catch(() => undefined);
    },
    pace,
    timeoutPace,
  });
}

/** The functions by name. Calls wait until the functions are bound to a context, which can be replaced later. */
function boundFunctions(functions: LocalFunctions) {
  const bound = Promise.withResolvers<void>();
  let current: Invoke | undefined;
  const bind = (context: FullContext): void => {
    current = lambdaHost(bindFunctions(context, functions));
    bound.resolve();
  };
  const invoke: Invoke = async (name, event) => {
    await bound.promise;
    return current?.(name, event);
  };
  return { bind, invoke };
}

interface Part {
  close(): Promise<void>;
}

/** Collects everything that was started, to stop it in reverse order. */
function startedParts() {
  const parts: Part[] = [];
  return {
    add(part: Part) {
      parts.push(part);
    },
    async close() {
      for (const part of parts.splice(0).toReversed()) await part.close();
    },
  };
}

/** The context, in which media files are measured and marked on other threads. */
const threadsIn = (media: ReturnType<typeof mediaThreads>, context: FullContext): FullContext => ({
  ...context,
  measuring: { ...context.measuring, start: media.startMeasuring, largeReads: media.largeReads },
  marking: { startDraft: startDraftOnThread },
});

/** Starts everything behind the gateway; each part is added to `started` once it is running. */
async function startBackEnd(
  options: ServiceOptions,
  url: string,
  { bind, invoke }: ReturnType<typeof boundFunctions>,
  started: ReturnType<typeof startedParts>,
) {
  const { dataDir, engineCompletion, clock = systemClock, ids = randomIds(clock) } = options;
  const keys = await localKeys(dataDir);
  const parts = await startParts({
    ...options,
    keys,
    subscriptionEventsUrl: `${url}${inboundRoutes.receiveSubscriptionEvent.path}`,
    socialEventsUrl: `${url}${socialEventsPath}`,
    identity: options.hasIdentity ? { siteUrl: dashboardUrlOf(url) } : undefined,
    now: () => clock.now(),
  });
  started.add(parts);
  await createTable(parts.database.url, tableName);
  const tasks = Promise.withResolvers<FullContext['tasks']>();
  const limited = stepLimit(async (taskId) => (await tasks.promise).find(taskId));
  const stateMachines = await startWorkflow(invoke, limited, options);
  started.add(stateMachines);

  const arns = workflowNames.map((name) => `${name}=${stateMachines.stateMachineArn(name)}`);
  const workflow = { url: stateMachines.url, stateMachineArns: arns.join(',') };
  const environment = serviceEnvironment({ url, keys, parts, workflow, chosen: options, engineCompletion });
  const { contextFrom = () => createFullContext(environment, { clock, ids }) } = options;
  const media = mediaThreads();
  started.add(media);
  const context = threadsIn(media, contextFrom(environment));
  bind(context);
  tasks.resolve(context.tasks);

  for (const name of queueNames) {
    const { consumer: functionName, concurrency } = queues[name];
    started.add(startQueueConsumer({ queueUrl: parts.queues.queueUrls[name], functionName, invoke, concurrency }));
  }
  started.add(startSchedules({ schedules, invoke }));
  const { url: storageUrl, resultsBucket, inputsBucket } = parts.queues;
  const rules = [
    { bucket: resultsBucket, prefix: 'results/', days: resultsRetentionDays },
    { bucket: inputsBucket, prefix: 'inputs/', days: inputsRetentionDays },
    { bucket: inputsBucket, prefix: 'uploads/', days: unusedFilesRetentionDays },
    ...shorterKeptDays().map((days) => ({ bucket: inputsBucket, prefix: uploadsFolder(days), days })),
    { bucket: inputsBucket, prefix: 'exports/', days: exportsRetentionDays },
  ];
  started.add(startObjectExpiry({ storageUrl, rules, clock: systemClock }));
  writeServiceFile(dataDir, { pid: process.pid, url, environment });
  started.add({ close: async () => removeServiceFile(dataDir) });
  const { identity, payments, subscriptions, social } = parts;
  return { context, environment, stateMachines, identity, payments, subscriptions, social, parts };
}

function makeDataDir(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(
      `The data directory ${dataDir} cannot be created (${code}): choose another directory with LOCAL_DATA_DIR.`,
      {
        cause: error,
      },
    );
  }
}

/** The account of a token or session. */
async function accountOf(table: Table, credential: Key): Promise<string | undefined> {
  const item = await table.get(credential);
  const ownerOf = credential.sk === tokenKey('').sk ? ownerOfToken : ownerOfSession;
  return item && ownerOf(item[indexes.byOwner.pk]);
}

const onceReported = (build: () => Promise<void>) => onceDone(reported(build));

/** The builds of all pages, each of which runs once. */
const pageBuilds = () => ({
  dashboard: onceReported(buildDashboard),
  docs: onceReported(buildDocs),
  clients: onceReported(buildClients),
  verify: onceReported(buildVerify),
});

const { getDocs: docs, getClients: clients, getVerify: verify } = documentRoutes;
/** The routes whose files are built when they are first requested. */
const documentsOf = { docs, clients, verify };

/** Starts the service, and resumes work that an earlier run on the same data left unfinished. */
export async function startService(options: ServiceOptions): Promise<Service> {
  makeDataDir(options.dataDir);
  const functions = boundFunctions(options.functions ?? localFunctions);
  const { bind, invoke } = functions;
  const ready = Promise.withResolvers<Parts & Pick<FullContext, 'table'>>();
  ready.promise.catch(() => undefined);
  const ids = randomIds(systemClock);
  let url = '';
  const builds = pageBuilds();
  const limited = requestLimit(async (credential) => accountOf((await ready.promise).table, credential));
  const gateway = httpGateway({
    routes: localRoutes,
    pages: [
      resultsPage(async () => `${(await ready.promise).queues.url}/${(await ready.promise).queues.resultsBucket}`),
      uploadsPage(async () => (await ready.promise).queues, systemClock),
      ...(['docs', 'clients', 'verify'] as const).map((name) => builtOnRequest(documentsOf[name], builds[name])),
      dashboardPage({
        folder: builtFolder,
        build: builds.dashboard,
        resultsOrigin: () => url,
        uploadOrigins: async () => [url, (await ready.promise).queues.url],
        elsewhere: (host) => (`http://${host}` === url ? dashboardUrlOf(url) : undefined),
      }),
    ],
    invoke: async (name, event) => {
      await ready.promise;
      return limited(event as APIGatewayProxyEvent, () => invoke(name, event));
    },
    nextRequestId: () => ids.next(),
  });
  // The port is opened first: if it is in use, nothing else needs to be undone.
  url = `http://127.0.0.1:${await listen(gateway, options.port)}`;
  const behind = startedParts();
  const close = async () => {
    gateway.close();
    gateway.closeAllConnections();
    await behind.close();
    if (options.inMemory) rmSync(options.dataDir, { recursive: true, force: true });
  };
  try {
    const { parts, ...running } = await startBackEnd(options, url, functions, behind);
    ready.resolve({ ...parts, table: running.context.table });
    await invoke('sweepTasks', { everything: true });
    return { url, ...running, bind, invoke, buildPages: () => buildAhead(Object.values(builds)), close };
  } catch (error) {
    ready.reject(error);
    await close();
    throw error;
  }
}
