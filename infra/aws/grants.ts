/**
 * The permission table: exactly what each function may do. A function's role has the permissions of its line, and its
 * environment contains the resources that it may use.
 *
 * Only `eraseClosedAccounts` may delete what accounts own. Other functions may delete nothing but the copy of a video
 * that clips are cut from, the files of deleted tasks, archives of exports, and copies of data of social networks. Ledger
 * rows can be put and read, but no line can grant updates; that a put does not replace an existing row
 * is ensured by the condition in `appendLedgerRow`, since IAM cannot express it. Only `createToken` and
 * `deliverWebhook` derive webhook tokens, and only the latter signs webhooks.
 */
import type { FunctionName } from '../hosting.ts';
import { closureGrants } from './closure-grants.ts';
import { exportGrants } from './export-grants.ts';
import type { FunctionGrants } from './function-grants.ts';
import { generationGrants, opensInputs } from './generation-grants.ts';
import { inboxGrants } from './inbox-grants.ts';
import { operateGrants } from './operate-grants.ts';
import { ownerGrants } from './owner-grants.ts';
import { paymentGrants } from './payment-grants.ts';
import type { TableGrants } from './table-grants.ts';
import { endsTasks, erasesTasks } from './task-end-grants.ts';

/** Creates a Studio resource; its idempotency key is claimed before its files are stored. */
const studio = {
  table: {
    get: ['account', 'idempotency'],
    getMany: ['file'],
    query: ['catalog'],
    put: ['idempotency'],
    check: ['account'],
    update: ['token', 'session', 'file', 'idempotency'],
  },
  results: ['keep', 'readKept'],
  inputs: ['readUploads'],
  knows: ['apiUrl', 'urlPolicy'],
} as const satisfies FunctionGrants;

/** Ends a task as one that counts: its ledger says how many tasks the account created today. */
const endsCountedTasks = {
  ...endsTasks,
  table: { ...endsTasks.table, query: [...endsTasks.table.query, 'ledger'] },
} as const satisfies FunctionGrants;

/** A step of the clips workflow, which reads a task and updates its jobs. */
const stepOfClips = { get: ['task'], update: ['task'] } as const satisfies TableGrants;

/** Opens uploaded videos, which are never kept: among uploads, only images are. */
const opensVideos = {
  table: { ...stepOfClips, ...opensInputs.table },
  knows: opensInputs.knows,
} as const satisfies FunctionGrants;

export const grants: Readonly<Record<FunctionName, FunctionGrants>> = {
  // Grants of functions that serve requests of the API
  listPlans: { table: { query: ['catalog'], update: ['session'] } },
  listVoices: { table: { query: ['catalog'], update: ['session'] }, knows: ['engines', 'resultsUrl'] },
  findProvenance: { table: { get: ['publishedFile'] } },
  getHealth: { table: { get: ['catalog'] }, results: ['look'], webhookQueue: ['look'], knows: ['version'] },
  getProfile: { table: { get: ['account'], query: ['catalog'], update: ['token', 'session'] } },
  listCreditHistory: {
    // The credits of test tokens are topped up before they are shown.
    table: {
      get: ['account'],
      query: ['ledger'],
      put: ['testLedger'],
      update: ['testAccount', 'token', 'session'],
    },
  },
  getUsage: { table: { getMany: ['usage'], query: ['ledger'], put: ['usage'], update: ['token', 'session'] } },
  createCreditOrder: {
    table: {
      // The account is accessed because its row contains the open orders.
      get: ['account', 'order', 'idempotency'],
      query: ['catalog'],
      put: ['order', 'idempotency'],
      update: ['account', 'token', 'session', 'idempotency'],
    },
    secrets: ['payments'],
    knows: ['apiUrl'],
  },
  listOrders: { table: { list: ['orders', 'ordersByState'], getMany: ['order'], update: ['token', 'session'] } },
  createSubscription: {
    table: {
      // The account is accessed because its row contains the open orders.
      get: ['account', 'coupon', 'order', 'idempotency'],
      query: ['catalog'],
      put: ['coupon', 'order', 'subscription', 'idempotency'],
      update: ['account', 'coupon', 'token', 'session', 'idempotency'],
    },
    secrets: ['subscriptions'],
  },
  getSubscription: {
    table: { get: ['account', 'subscription'], query: ['subscription'], update: ['token', 'session'] },
  },
  getOrder: { table: { get: ['order'], update: ['token', 'session'] } },
  listTasks: {
    table: {
      list: ['tasks', 'tasksByState', 'narrowedTasks'],
      get: ['account'],
      getMany: ['task'],
      update: ['token', 'session'],
    },
    knows: ['resultsRetention', 'resultsUrl'],
  },
  getTask: {
    table: { query: ['task'], update: ['token', 'session'] },
    knows: ['resultsRetention', 'resultsUrl'],
  },
  cancelTask: {
    ...endsCountedTasks,
    table: {
      ...endsCountedTasks.table,
      get: ['account', 'task'],
      update: ['token', 'session', ...endsTasks.table.update],
    },
    knows: [...endsTasks.knows, 'resultsRetention', 'resultsUrl'],
  },
  deleteTask: {
    ...endsCountedTasks,
    ...erasesTasks,
    table: {
      ...endsCountedTasks.table,
      put: ['ledger', 'task'],
      update: ['token', 'session', ...endsTasks.table.update],
    },
  },
  listTaskEvents: { table: { query: ['task'], update: ['token', 'session'] } },
  redeliverWebhook: { table: { query: ['task'], update: ['token', 'session', 'task'] }, webhookQueue: ['send'] },
  getStudioCatalog: { table: { query: ['catalog'], update: ['token', 'session'] } },
  ...generationGrants,
  createStudioProduct: {
    ...studio,
    table: {
      ...studio.table,
      put: ['product', 'listedProduct', 'idempotency'],
      update: [...studio.table.update, 'dayCounts', 'figures'],
    },
    models: ['write'],
    secrets: ['engines'],
    knows: ['apiUrl', 'engines', 'urlPolicy'],
  },
  listStudioProducts: {
    table: { query: ['listedProduct'], getMany: ['product'], update: ['token', 'session'] },
    knows: ['resultsUrl'],
  },
  createStudioAvatar: {
    ...studio,
    table: { ...studio.table, update: [...studio.table.update, 'avatar', 'avatarOrigin', 'dayCounts'] },
    knows: [...studio.knows, 'likenessConsent'],
  },
  createFile: {
    table: {
      get: ['account', 'idempotency'],
      put: ['file', 'idempotency'],
      check: ['account'],
      update: ['token', 'session', 'uploads', 'idempotency'],
    },
    inputs: ['takeUploads'],
    knows: ['apiUrl'],
  },
  completeFile: {
    table: { getMany: ['file'], update: ['token', 'session'] },
    inputs: ['takeUploads', 'readUploads'],
    knows: ['apiUrl'],
  },
  listWebhookKeys: { webhookKeys: ['readPublicKeys'] },
  getOpenapi: { knows: ['apiUrl', 'version'] },
  getDocs: { knows: ['apiUrl', 'version'] },
  getVerify: {},
  getClients: { knows: ['apiUrl', 'version'] },

  // Grants of functions that serve requests of the dashboard
  getSession: { table: { get: ['account'], check: ['account'], update: ['session'] }, knows: ['apiUrl'] },
  listSessions: { table: { list: ['sessions'], getMany: ['session'], update: ['session'] } },
  revokeSession: { table: { list: ['sessions'], update: ['session'] } },
  logOut: { table: { update: ['session'] }, identity: ['visit'] },
  ...ownerGrants,
  ...exportGrants,
  ...operateGrants,
  ...inboxGrants,
  ...paymentGrants,
  startLogin: { table: { put: ['login'] }, identity: ['visit'], knows: ['dashboardUrl'] },
  startConfirmation: {
    table: { put: ['login'], update: ['session'] },
    identity: ['visit'],
    knows: ['confirmationPrompt'],
  },
  completeLogin: {
    table: {
      get: ['account', 'identity', 'invitation', 'signUp'],
      query: ['catalog'],
      // The oldest sessions end once there are too many.
      list: ['sessions'],
      put: ['account', 'identity', 'ledger', 'session', 'signUp'],
      check: ['account'],
      // The credits that a new account is given are counted.
      update: ['figures', 'invitation', 'login', 'session'],
    },
    identity: ['visit', 'redeemCodes', 'lookUpUsers'],
    knows: ['signUp'],
  },
  returnHome: { knows: ['dashboardUrl'] },

  // Grants of functions that serve requests of external parties
  receiveEngineCallback: {
    table: { get: ['task'], update: ['task'] },
    workflow: ['succeed'],
    secrets: ['engines', 'callbackAddresses'],
    knows: ['engines', 'urlPolicy'],
  },

  // Grants of the steps of the clips workflow
  planCopy: { ...opensVideos, inputs: ['put', 'readWork', 'readUploads'] },
  copyPart: { ...opensVideos, inputs: ['put', 'readUploads'] },
  completeCopy: { table: stepOfClips, inputs: ['put', 'readWork'] },
  askClipEngine: {
    // Adds the engine's charge to the figures if the task has ended during the call, because no later step does.
    table: { ...stepOfClips, query: ['task'], update: [...stepOfClips.update, 'figures'] },
    workflow: ['succeed', 'fail'],
    inputs: ['lend', 'readWork'],
    conversion: ['make'],
    secrets: ['engines', 'callbackAddresses'],
    knows: ['apiUrl', 'engines', 'urlPolicy'],
  },
  rankClips: {
    // Adds what the language model charges to the figures if the task has ended during the call.
    table: { ...stepOfClips, query: ['catalog'], update: [...stepOfClips.update, 'figures'] },
    inputs: ['put', 'readWork'],
    models: ['write'],
    secrets: ['engines'],
    knows: ['engines', 'urlPolicy'],
  },
  reportClips: {
    table: { ...stepOfClips, query: ['task'] },
    workflow: ['succeed'],
    inputs: ['readWork', 'deleteWork'],
  },

  // Steps of the workflow of every task
  askEngine: {
    // Reads voice ids from the catalog. Adds the engine's charge to the figures if the task has ended during the call,
    // because no later step does.
    table: { get: ['task'], getMany: ['file'], query: ['catalog'], update: ['figures', 'task'] },
    workflow: ['succeed', 'fail'],
    starts: ['cut-clips'],
    inputs: ['put', 'lend', 'readUploads'],
    results: ['readKept'],
    models: ['generate'],
    secrets: ['engines', 'callbackAddresses'],
    knows: ['apiUrl', 'engines', 'urlPolicy'],
  },
  finalize: {
    ...endsCountedTasks,
    // Influencers and digests of published files are written only when a task is completed.
    table: {
      ...endsCountedTasks.table,
      put: ['ledger', 'influencer'],
      update: [...endsTasks.table.update, 'publishedFile'],
    },
    results: ['put'],
    inputs: ['readWork', 'deleteWork'],
    conversion: ['stop', 'read'],
    contentKey: ['sign'],
    knows: [...endsTasks.knows, 'publishedRetention', 'version'],
  },

  // Functions invoked by queues, events and schedules
  deliverWebhook: {
    table: { get: ['task'], put: ['task'], update: ['task', 'slots'] },
    webhookQueue: ['receive', 'send'],
    webhookKeys: ['deriveTokens', 'sign'],
    knows: ['resultsUrl', 'urlPolicy'],
  },
  eraseClosedAccounts: closureGrants,
  settleExecution: endsTasks,
  sweepTasks: {
    ...endsTasks,
    ...erasesTasks,
    table: {
      ...endsTasks.table,
      list: ['openTasks', 'retainedTasks'],
      getMany: ['case', 'task'],
      put: ['ledger', 'task'],
    },
    starts: ['generate'],
  },
  auditLedger: {
    table: {
      list: ['accounts', 'tasksByState'],
      get: ['account', 'audit', 'dayCounts', 'figures'],
      getMany: ['task'],
      query: ['audit', 'figures', 'ledger', 'task'],
      put: ['audit'],
    },
    contentKey: ['check'],
  },
};

export const functionNames = Object.keys(grants) as FunctionName[];
