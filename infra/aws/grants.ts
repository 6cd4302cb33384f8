/**
 * The permission table: what each function may do, and nothing else. A function's role has exactly what its line says,
 * and its environment names exactly the parts that it may speak to.
 *
 * Nobody deletes anything. Ledger rows are put and read, never changed: no line can say otherwise. Webhook tokens are
 * derived, and webhooks signed, by `deliverWebhook` alone.
 */
import type { FunctionName } from '../../shared/contracts/hosting.ts';

/** The kinds of items, by their partitions: a task's holds its callback row and its deliveries too. */
export type Entity = 'account' | 'catalog' | 'idempotency' | 'ledger' | 'task' | 'token';

/** What the indexes list: all accounts; an account's tasks, all or those of a status; the tasks that somebody must look at. */
export type IndexedList = 'accounts' | 'tasks' | 'tasksByStatus' | 'openTasks';

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
  readonly webhookQueue?: readonly ('look' | 'send' | 'receive')[];
  /** `succeed` and `fail` tell an execution that waits what became of its job. */
  readonly workflow?: readonly ('start' | 'succeed' | 'fail')[];
  readonly webhookKeys?: readonly ('deriveTokens' | 'sign' | 'readPublicKeys')[];
  /** The secrets that it reads: the engines' keys, and the key that makes callback addresses secret. */
  readonly secrets?: readonly ('engines' | 'callbackAddresses')[];
  /** What it has to know beside where its parts are. */
  readonly knows?: readonly ('apiUrl' | 'resultsUrl' | 'urlPolicy' | 'version')[];
}

/** Updating the token authenticates a request and counts it: whoever has it answers authenticated requests. */
const generation: Grants = {
  table: {
    get: ['account', 'idempotency'],
    query: ['catalog'],
    put: ['task', 'ledger', 'idempotency'],
    update: ['token', 'account'],
  },
  workflow: ['start'],
  knows: ['urlPolicy'],
};

export const grants: Readonly<Record<FunctionName, Grants>> = {
  // Requests
  listPlans: { table: { query: ['catalog'] } },
  getHealth: { table: { get: ['catalog'] }, results: ['look'], webhookQueue: ['look'], knows: ['version'] },
  getProfile: { table: { get: ['account'], query: ['catalog'], update: ['token'] } },
  listCreditHistory: { table: { get: ['account'], query: ['ledger'], update: ['token'] } },
  listTasks: {
    table: { list: ['tasks', 'tasksByStatus'], getMany: ['task'], update: ['token'] },
    knows: ['resultsUrl'],
  },
  getTask: { table: { query: ['task'], update: ['token'] }, knows: ['resultsUrl'] },
  cancelTask: {
    table: { get: ['task'], query: ['task'], put: ['ledger'], update: ['token', 'task', 'account'] },
    webhookQueue: ['send'],
    workflow: ['succeed'],
    secrets: ['engines'],
    knows: ['resultsUrl'],
  },
  generateVoice: generation,
  listWebhookKeys: { webhookKeys: ['readPublicKeys'] },
  receiveEngineCallback: {
    table: { get: ['task'], update: ['task'] },
    workflow: ['succeed'],
    secrets: ['engines', 'callbackAddresses'],
  },

  // Steps of the workflow
  askEngine: {
    table: { get: ['task'], update: ['task'] },
    workflow: ['succeed', 'fail'],
    secrets: ['engines', 'callbackAddresses'],
    knows: ['apiUrl'],
  },
  finalize: {
    table: { get: ['task'], put: ['ledger'], update: ['task', 'account'] },
    results: ['put'],
    webhookQueue: ['send'],
    secrets: ['engines'],
  },

  // Called by the queue, by events and by time
  deliverWebhook: {
    table: { get: ['task'], put: ['task'], update: ['task'] },
    webhookQueue: ['receive', 'send'],
    webhookKeys: ['deriveTokens', 'sign'],
    knows: ['resultsUrl', 'urlPolicy'],
  },
  settleExecution: {
    table: { get: ['task'], put: ['ledger'], update: ['task', 'account'] },
    webhookQueue: ['send'],
    workflow: ['succeed'],
    secrets: ['engines'],
  },
  sweepTasks: {
    table: {
      list: ['openTasks'],
      get: ['task'],
      getMany: ['task'],
      query: ['task'],
      put: ['ledger'],
      update: ['task', 'account'],
    },
    webhookQueue: ['send'],
    workflow: ['start', 'succeed'],
    secrets: ['engines'],
  },
  auditLedger: {
    table: { list: ['accounts', 'tasksByStatus'], get: ['account'], getMany: ['task'], query: ['ledger'] },
  },
};
