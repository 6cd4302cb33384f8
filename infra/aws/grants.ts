/**
 * The permission table: what each function may do, and nothing else. A function's role has exactly what its line says,
 * and its environment names exactly the parts that it may speak to.
 *
 * Nobody deletes anything. Ledger rows are put and read: no line can say that they are updated, and that a put changes
 * none that is there is the condition of `appendLedgerRow`, for IAM cannot tell the two apart. Webhook tokens are
 * derived, and webhooks signed, by `deliverWebhook` alone.
 */
import type { WorkflowName } from '../../shared/contracts/workflow.ts';
import type { FunctionName } from '../hosting.ts';

/** The kinds of items, by their partitions: a task's holds its engine jobs and its deliveries too. */
export type Entity =
  | 'account'
  | 'audit'
  | 'catalog'
  | 'circuit'
  | 'idempotency'
  | 'influencer'
  | 'ledger'
  | 'slots'
  | 'task'
  | 'token';

/** What the indexes list: all accounts; an account's tasks, all, by state, or by any other combination of filters; the tasks that somebody must look at. */
export type IndexedList = 'accounts' | 'tasks' | 'tasksByState' | 'narrowedTasks' | 'openTasks';

export interface TableGrants {
  readonly get?: readonly Entity[];
  /** Many items by their keys, in one request. */
  readonly getMany?: readonly Entity[];
  /** All items of a partition. */
  readonly query?: readonly Entity[];
  readonly list?: readonly IndexedList[];
  readonly put?: readonly Entity[];
  readonly update?: readonly Exclude<Entity, 'ledger'>[];
}

export interface Grants {
  readonly table?: TableGrants;
  /** `look` asks whether the bucket is there, and sees no object. */
  readonly results?: readonly ('look' | 'put')[];
  /** Copies of what tasks are made from: kept for a day, and given to engines at addresses that expire. */
  readonly inputs?: readonly ('put' | 'lend')[];
  readonly webhookQueue?: readonly ('look' | 'send' | 'receive')[];
  /** The workflows whose executions it starts. */
  readonly starts?: readonly WorkflowName[];
  /** Reports to an execution that waits: how its job ended, or that it must try again. */
  readonly workflow?: readonly ('succeed' | 'fail')[];
  readonly webhookKeys?: readonly ('deriveTokens' | 'sign' | 'readPublicKeys')[];
  /** The secrets that it reads: the engines' keys, and the key that makes callback addresses secret. */
  readonly secrets?: readonly ('engines' | 'callbackAddresses')[];
  /** Whether it may have models of Bedrock make something, on stages that have that engine. */
  readonly models?: readonly 'invoke'[];
  /** What it has to know beside where its parts are; who speaks to engines knows which of them the stage has. */
  readonly knows?: readonly ('apiUrl' | 'engines' | 'resultsUrl' | 'urlPolicy' | 'version')[];
}

/** Updating the token authenticates a request and counts it: whoever has it answers authenticated requests. */
const generation: Grants = {
  table: {
    get: ['account', 'idempotency'],
    query: ['catalog', 'circuit'],
    put: ['task', 'ledger', 'idempotency'],
    update: ['token', 'account'],
  },
  starts: ['generate'],
  knows: ['engines', 'urlPolicy'],
};

/** What the terminal transaction and its consequences take, in whichever function ends a task. */
const endsTasks = {
  table: {
    get: ['task'],
    query: ['task'],
    put: ['ledger'],
    update: ['task', 'account'],
  },
  webhookQueue: ['send'],
  workflow: ['succeed'],
  secrets: ['engines'],
  knows: ['engines', 'urlPolicy'],
} as const satisfies Grants;

/** A cancellation says nothing about the engine; every other end may. */
const endsAndJudges = {
  ...endsTasks,
  table: { ...endsTasks.table, query: ['circuit', 'task'], update: [...endsTasks.table.update, 'circuit'] },
} as const satisfies Grants;

export const grants: Readonly<Record<FunctionName, Grants>> = {
  // Requests
  listPlans: { table: { query: ['catalog'] } },
  getHealth: { table: { get: ['catalog'] }, results: ['look'], webhookQueue: ['look'], knows: ['version'] },
  getProfile: { table: { get: ['account'], query: ['catalog'], update: ['token'] } },
  listCreditHistory: { table: { get: ['account'], query: ['ledger'], update: ['token'] } },
  listTasks: {
    table: {
      list: ['tasks', 'tasksByState', 'narrowedTasks'],
      get: ['account'],
      getMany: ['task'],
      update: ['token'],
    },
    knows: ['resultsUrl'],
  },
  getTask: { table: { query: ['task'], update: ['token'] }, knows: ['resultsUrl'] },
  cancelTask: {
    ...endsTasks,
    table: { ...endsTasks.table, update: ['token', ...endsTasks.table.update] },
    knows: [...endsTasks.knows, 'resultsUrl'],
  },
  generateImage: generation,
  editImage: generation,
  replaceCharacter: generation,
  removeBackground: generation,
  upscaleImage: generation,
  generateInfluencer: generation,
  enhanceSkin: generation,
  generateVoice: generation,
  listWebhookKeys: { webhookKeys: ['readPublicKeys'] },
  getOpenapi: { knows: ['apiUrl', 'version'] },
  getReference: { knows: ['apiUrl', 'version'] },
  receiveEngineCallback: {
    table: { get: ['task'], update: ['task'] },
    workflow: ['succeed'],
    secrets: ['engines', 'callbackAddresses'],
    knows: ['engines', 'urlPolicy'],
  },

  // Steps of the workflow
  askEngine: {
    table: { get: ['task'], update: ['task'] },
    workflow: ['succeed', 'fail'],
    inputs: ['put', 'lend'],
    models: ['invoke'],
    secrets: ['engines', 'callbackAddresses'],
    knows: ['apiUrl', 'engines', 'urlPolicy'],
  },
  finalize: {
    ...endsAndJudges,
    // What only a completed task leaves behind.
    table: { ...endsAndJudges.table, put: ['ledger', 'influencer'] },
    results: ['put'],
  },

  // Called by the queue, by events and by time
  deliverWebhook: {
    table: { get: ['task'], put: ['task'], update: ['task', 'slots'] },
    webhookQueue: ['receive', 'send'],
    webhookKeys: ['deriveTokens', 'sign'],
    knows: ['resultsUrl', 'urlPolicy'],
  },
  settleExecution: endsAndJudges,
  sweepTasks: {
    ...endsAndJudges,
    table: { ...endsAndJudges.table, list: ['openTasks'], getMany: ['task'] },
    starts: ['generate'],
  },
  auditLedger: {
    table: {
      list: ['accounts', 'tasksByState'],
      get: ['account', 'audit'],
      getMany: ['task'],
      query: ['ledger'],
      put: ['audit'],
    },
  },
};

export const functionNames = Object.keys(grants) as FunctionName[];
