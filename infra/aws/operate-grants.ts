/** Entries of the permission table for the operators' pages. */
import type { FunctionName } from '../hosting.ts';
import { actGrants } from './act-grants.ts';
import type { FunctionGrants } from './function-grants.ts';

/** Reads whatever the search can find, and the accounts to which it belongs. */
const everything = [
  'account',
  'case',
  'connection',
  'invoice',
  'order',
  'page',
  'subscription',
  'task',
  'token',
  'tokenHandle',
] as const;

export const operateGrants = {
  startOperatorLogin: { table: { put: ['login'] }, operators: ['visit'], knows: ['dashboardUrl'] },
  completeOperatorLogin: {
    table: {
      list: ['operatorSessions'],
      put: ['operatorSession'],
      update: ['login', 'operatorSession', 'session'],
    },
    operators: ['visit', 'redeemCodes'],
  },
  returnToDesk: { knows: ['dashboardUrl'] },
  getOperator: { table: { update: ['operatorSession'] } },
  findAnything: {
    table: { list: ['handles', 'names'], getMany: everything, update: ['operatorSession'] },
  },
  listCustomers: { table: { list: ['accounts'], getMany: ['account'], update: ['operatorSession'] } },
  getCustomer: {
    table: {
      get: ['account', 'activeTokens', 'testAccount'],
      getMany: ['order', 'session', 'spending', 'task', 'token'],
      list: ['deliveries', 'orders', 'sessions', 'tasks', 'tokens'],
      query: ['connection', 'ledger', 'subscription'],
      update: ['operatorSession'],
    },
    knows: ['resultsRetention', 'resultsUrl'],
  },
  listOperatedTasks: {
    table: {
      get: ['account'],
      getMany: ['account', 'task'],
      list: ['failedTasks', 'failedWebhooks', 'openTasks', 'tasks', 'tasksByState', 'typedTasks'],
      update: ['operatorSession'],
    },
    knows: ['resultsRetention', 'resultsUrl'],
  },
  inspectTask: { table: { query: ['task'], update: ['operatorSession'] }, knows: ['resultsRetention', 'resultsUrl'] },
  getFigures: {
    table: { getMany: ['account'], query: ['audit', 'catalog', 'figures'], update: ['operatorSession'] },
    knows: ['engines'],
  },
  getAttention: {
    table: {
      getMany: ['task'],
      list: ['failedWebhooks', 'openCases', 'openTasks'],
      query: ['catalog', 'circuit'],
      update: ['operatorSession'],
    },
    knows: ['engines'],
  },
  listCases: {
    table: { getMany: ['account', 'case', 'order'], list: ['openCases'], query: ['case'], update: ['operatorSession'] },
  },
  listQueues: { table: { update: ['operatorSession'] }, queues: ['count'] },
  listDeadLetters: { table: { update: ['operatorSession'] }, queues: ['look'] },
  getCatalog: { table: { get: ['catalog'], update: ['operatorSession'] }, knows: ['engines'] },
  ...actGrants,
  listOperatorSessions: {
    table: { list: ['operatorSessions'], getMany: ['operatorSession'], update: ['operatorSession'] },
  },
  endOwnSession: { table: { list: ['operatorSessions'], update: ['operatorSession', 'session'] } },
  endOtherSessions: { table: { list: ['operatorSessions'], update: ['operatorSession', 'session'] } },
  endView: { table: { update: ['operatorSession', 'session'] } },
  logOutOperator: { table: { update: ['operatorSession', 'session'] }, operators: ['visit'] },
} as const satisfies Partial<Record<FunctionName, FunctionGrants>>;
