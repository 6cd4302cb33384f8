/** Facts about functions that every host shares, on AWS and locally: routes, time limits, schedules and queues. */
import { readFileSync } from 'node:fs';
import { connectionRoutes } from '../shared/contracts/connecting.ts';
import { type DashboardOperationId, dashboardContracts } from '../shared/contracts/dashboard.ts';
import { documentRoutes } from '../shared/contracts/documents.ts';
import { inboundRoutes } from '../shared/contracts/inbound.ts';
import { loginRoutes } from '../shared/contracts/login.ts';
import { type OperateOperationId, operateContracts } from '../shared/contracts/operate.ts';
import { operatorLoginRoutes } from '../shared/contracts/operate-login.ts';
import { type OperationContract, sessionPathOf } from '../shared/contracts/operation.ts';
import { type OperationId, registry } from '../shared/contracts/registry.ts';
import { type WorkflowName, workflowNames } from '../shared/contracts/workflow.ts';

export type RequestFunctionName =
  | OperationId
  | DashboardOperationId
  | OperateOperationId
  | keyof typeof loginRoutes
  | keyof typeof operatorLoginRoutes
  | keyof typeof connectionRoutes
  | keyof typeof inboundRoutes
  | keyof typeof documentRoutes;

export interface Route {
  readonly method: string;
  /** The path, with parameters in braces: `/api/v1/tasks/{taskId}`. */
  readonly path: string;
  readonly functionName: RequestFunctionName;
}

const ownRoutes = {
  ...registry,
  ...dashboardContracts,
  ...operateContracts,
  ...loginRoutes,
  ...operatorLoginRoutes,
  ...connectionRoutes,
  ...inboundRoutes,
  ...documentRoutes,
};

const operations: readonly OperationContract[] = Object.values(registry);

/** The files below the first page of the documentation, the list of the clients' packages, and the page that checks files. */
const files = (['getDocs', 'getClients', 'getVerify'] as const).map((functionName): Route => {
  const { method, path } = documentRoutes[functionName];
  return { method, path: `${path}/{path+}`, functionName };
});

/** HEAD requests, which programs that check links or download files send first. */
const heads = (['getDocs', 'getClients', 'getOpenapi', 'getVerify'] as const).map((functionName): Route => {
  const { path } = documentRoutes[functionName];
  return { method: 'HEAD', path, functionName };
});

/** One route per function that serves HTTP, and a second one for sessions if the dashboard shares its operation. */
export const routes: readonly Route[] = [
  ...Object.entries(ownRoutes).map(([functionName, { method, path }]) => ({
    method,
    path,
    functionName: functionName as RequestFunctionName,
  })),
  ...files,
  ...heads,
  ...files.map((route) => ({ ...route, method: 'HEAD' })),
  ...operations
    .filter(({ dashboard }) => dashboard)
    .map((contract) => ({
      method: contract.method,
      path: sessionPathOf(contract),
      functionName: contract.operationId as OperationId,
    })),
];

/** The time limit of functions that serve HTTP; below the gateway's own limit of 29 s. */
export const requestTimeoutSeconds = 28;

/**
 * Memory of functions that copy whole files or measure several at once: more memory comes with more CPU and network
 * throughput.
 */
const moreMemoryMb: Readonly<Partial<Record<string, number>>> = {
  finalize: 1024,
  generateBatch: 1024,
  makeExports: 1024,
};

export const memoryMbOf = (functionName: string): number => moreMemoryMb[functionName] ?? 512;

/**
 * The firewall's limit per address, except for callbacks. It is high, because clients are back ends that may use many
 * tokens from one address.
 */
export const addressLimit = { requests: 30_000, seconds: 300 } as const;

/**
 * The firewall's limits per address for log-in routes, for the identity provider's pages, and for requests that send
 * messages. A whole office may share an address.
 */
export const loginLimit = { requests: 300, pages: 1000, messages: 20, seconds: 300 } as const;

/** The time limits of functions that no HTTP request calls. */
export const workerTimeoutSeconds = {
  // Steps have shorter limits than their states in the workflows.
  askEngine: 50,
  finalize: 290,
  planCopy: 50,
  // The time limit of a copy is long, because a single invocation copies the whole video if its server does not support
  // ranges.
  copyPart: 840,
  completeCopy: 110,
  askClipEngine: 50,
  rankClips: 290,
  reportClips: 50,
  // The time limit of a delivery: ten seconds for the receiver, and the rest for claiming and recording with a slow
  // table.
  deliverWebhook: 20,
  settleExecution: 300,
  sweepTasks: 300,
  auditLedger: 300,
  eraseClosedAccounts: 300,
  reconcileOrders: 300,
  reconcileSubscriptions: 300,
  processPaymentEvent: 50,
  processInboxMessage: 50,
  scheduleInboxSyncs: 50,
  // An archive may have many gigabytes.
  makeExports: 840,
} as const;

export type WorkerName = keyof typeof workerTimeoutSeconds;

export type FunctionName = RequestFunctionName | WorkerName;

/** The definition of each workflow, with function names as placeholders for their ARNs. */
export const stateMachineDefinitions = Object.fromEntries(
  workflowNames.map((name) => [
    name,
    readFileSync(new URL(`../state-machines/${name}.asl.json`, import.meta.url), 'utf8'),
  ]),
) as Readonly<Record<WorkflowName, string>>;

export interface Schedule {
  readonly functionName: WorkerName;
  readonly everySeconds: number;
}

/** EventBridge supports no interval shorter than a minute. */
export const schedules: readonly Schedule[] = [
  { functionName: 'sweepTasks', everySeconds: 60 },
  { functionName: 'reconcileOrders', everySeconds: 300 },
  { functionName: 'reconcileSubscriptions', everySeconds: 300 },
  { functionName: 'auditLedger', everySeconds: 3600 },
  { functionName: 'eraseClosedAccounts', everySeconds: 300 },
  { functionName: 'scheduleInboxSyncs', everySeconds: 60 },
  { functionName: 'makeExports', everySeconds: 60 },
];

/** How many days copies of inputs are kept. */
export const inputsRetentionDays = 1;

/** How many days archives of exports are kept, which are deleted before unless the function that does so fails. */
export const exportsRetentionDays = 1;

export interface HostedQueue {
  readonly consumer: WorkerName;
  /** How long a message is delayed before it is first received, unless its sender sets another delay. */
  readonly delaySeconds: number;
  readonly visibilityTimeoutSeconds: number;
  /** How often a message is received before it becomes a dead letter. */
  readonly maxReceiveCount: number;
  /** How many messages are processed concurrently. */
  readonly concurrency: number;
}

/** The queues, each of which has its own dead-letter queue. */
export const queues = {
  webhooks: {
    consumer: 'deliverWebhook',
    delaySeconds: 0,
    // The visibility timeout: six times the consumer's time limit, as AWS recommends.
    visibilityTimeoutSeconds: 6 * workerTimeoutSeconds.deliverWebhook,
    maxReceiveCount: 5,
    // See docs/scale.md for the effect of receivers that do not respond.
    concurrency: 50,
  },
  // How many times a payment event is received: about an hour of retries is longer than most outages of a gateway, and
  // longer than an order takes to be stored.
  paymentEvents: {
    consumer: 'processPaymentEvent',
    delaySeconds: 30,
    visibilityTimeoutSeconds: 6 * workerTimeoutSeconds.processPaymentEvent,
    maxReceiveCount: 12,
    concurrency: 5,
  },
  inbox: {
    consumer: 'processInboxMessage',
    delaySeconds: 0,
    visibilityTimeoutSeconds: 6 * workerTimeoutSeconds.processInboxMessage,
    // The inbox has few retries, because the next synchronization finds what was lost.
    maxReceiveCount: 5,
    concurrency: 10,
  },
} as const satisfies Readonly<Record<string, HostedQueue>>;

export type QueueName = keyof typeof queues;

export const queueNames = Object.keys(queues) as QueueName[];

export const deadLettersKeptSeconds = 14 * 24 * 3600;
