/** The facts that every host of the functions shares, on AWS and locally: their routes, time limits, schedules and queues. */
import { readFileSync } from 'node:fs';
import { connectionRoutes } from '../shared/contracts/connecting.ts';
import { type DashboardOperationId, dashboardContracts } from '../shared/contracts/dashboard.ts';
import { documentRoutes } from '../shared/contracts/documents.ts';
import { inboundRoutes } from '../shared/contracts/inbound.ts';
import { loginRoutes } from '../shared/contracts/login.ts';
import { type OperationContract, sessionPathOf } from '../shared/contracts/operation.ts';
import { type OperationId, registry } from '../shared/contracts/registry.ts';
import { type WorkflowName, workflowNames } from '../shared/contracts/workflow.ts';

export type RequestFunctionName =
  | OperationId
  | DashboardOperationId
  | keyof typeof loginRoutes
  | keyof typeof connectionRoutes
  | keyof typeof inboundRoutes
  | keyof typeof documentRoutes;

export interface Route {
  readonly method: string;
  /** With parameters in braces: `/api/v1/tasks/{taskId}`. */
  readonly path: string;
  readonly functionName: RequestFunctionName;
}

const ownRoutes = {
  ...registry,
  ...dashboardContracts,
  ...loginRoutes,
  ...connectionRoutes,
  ...inboundRoutes,
  ...documentRoutes,
};

const operations: readonly OperationContract[] = Object.values(registry);

/** Each function that serves HTTP has one route, and a second one for sessions if the dashboard has its operation too. */
export const routes: readonly Route[] = [
  ...Object.entries(ownRoutes).map(([functionName, { method, path }]) => ({
    method,
    path,
    functionName: functionName as RequestFunctionName,
  })),
  ...operations
    .filter(({ dashboard }) => dashboard)
    .map((contract) => ({
      method: contract.method,
      path: sessionPathOf(contract),
      functionName: contract.operationId as OperationId,
    })),
];

/** For functions that serve HTTP: below the gateway's own limit of 29 s. */
export const requestTimeoutSeconds = 28;

/** For functions that copy whole files: more memory is more of a processor, and more bytes a second. */
const moreMemoryMb: Readonly<Partial<Record<string, number>>> = { finalize: 1024 };

export const memoryMbOf = (functionName: string): number => moreMemoryMb[functionName] ?? 512;

/** What the firewall lets through of one address, callbacks apart. Clients are back ends: many tokens can be one's. */
export const addressLimit = { requests: 30_000, seconds: 300 } as const;

/**
 * What it lets through of one address to the routes of log-ins, to the identity provider's pages, and of what makes it
 * send messages: whole offices share one.
 */
export const loginLimit = { requests: 300, pages: 1000, messages: 20, seconds: 300 } as const;

/** The functions that no request calls, and how long each may take. */
export const workerTimeoutSeconds = {
  // Steps end before their states' own time limits do.
  askEngine: 50,
  finalize: 290,
  planCopy: 50,
  // A server without ranges sends the whole video to one invocation.
  copyPart: 840,
  completeCopy: 110,
  askClipEngine: 50,
  rankClips: 290,
  reportClips: 50,
  // The receiver has ten seconds of it, and the claim and the record of a slow table the rest.
  deliverWebhook: 20,
  settleExecution: 300,
  sweepTasks: 300,
  auditLedger: 300,
  reconcileOrders: 300,
  reconcileSubscriptions: 300,
  processPaymentEvent: 50,
  processInboxMessage: 50,
  scheduleInboxSyncs: 50,
} as const;

export type WorkerName = keyof typeof workerTimeoutSeconds;

export type FunctionName = RequestFunctionName | WorkerName;

/** The definition of each workflow, in which the names of functions stand for their addresses. */
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

/** EventBridge knows no shorter interval than a minute. */
export const schedules: readonly Schedule[] = [
  { functionName: 'sweepTasks', everySeconds: 60 },
  { functionName: 'reconcileOrders', everySeconds: 300 },
  { functionName: 'reconcileSubscriptions', everySeconds: 300 },
  { functionName: 'auditLedger', everySeconds: 3600 },
  { functionName: 'scheduleInboxSyncs', everySeconds: 60 },
];

/** How long copies of inputs are kept. */
export const inputsRetentionDays = 1;

export interface HostedQueue {
  readonly consumer: WorkerName;
  /** How long a message waits before it is received for the first time, unless its sender says otherwise. */
  readonly delaySeconds: number;
  readonly visibilityTimeoutSeconds: number;
  /** How often a message is received before it goes to the dead letters. */
  readonly maxReceiveCount: number;
  /** How many messages are processed at once. */
  readonly concurrency: number;
}

/** Each has a queue of dead letters of its own. */
export const queues = {
  webhooks: {
    consumer: 'deliverWebhook',
    delaySeconds: 0,
    // Six times the consumer's time limit, as AWS advises.
    visibilityTimeoutSeconds: 6 * workerTimeoutSeconds.deliverWebhook,
    maxReceiveCount: 5,
    // docs/scale.md explains how many silent receivers leave.
    concurrency: 50,
  },
  // Together an hour: longer than most outages of a gateway, and than an order waits to be stored.
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
    // What is lost after that is found by the next synchronization.
    maxReceiveCount: 5,
    concurrency: 10,
  },
} as const satisfies Readonly<Record<string, HostedQueue>>;

export type QueueName = keyof typeof queues;

export const queueNames = Object.keys(queues) as QueueName[];

export const deadLettersKeptSeconds = 14 * 24 * 3600;
