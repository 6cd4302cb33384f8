/**
 * Entries of the permission table for acts of operators and their log. An act is stored by a put, and read if it is
 * sent again; no entry grants updates of the log.
 */
import type { FunctionName } from '../hosting.ts';
import type { FunctionGrants } from './function-grants.ts';
import { appliesPayments, appliesReports } from './payment-grants.ts';
import { endsTasks } from './task-end-grants.ts';

/** Performs and records acts. */
const acts = {
  get: ['act', 'actKey'],
  put: ['act', 'actKey'],
  update: ['operatorSession'],
} as const;

/** Adds credits to an account, up to the daily limit of one operator. */
const gives = { put: ['ledger'], update: ['account', 'figures', 'grantRequest', 'granted'] } as const;

export const actGrants = {
  listActForms: { table: { update: ['operatorSession'] } },
  listActs: { table: { query: ['act'], update: ['operatorSession'] } },
  getAct: { table: { get: ['act'], update: ['operatorSession'] } },
  listGrantRequests: { table: { query: ['grantRequest'], update: ['operatorSession'] } },
  performAccountAct: {
    table: {
      get: [...acts.get, 'account', 'activeTokens', 'grantRequest'],
      getMany: ['token'],
      list: ['sessions', 'tokens'],
      check: ['account'],
      put: [...acts.put, ...gives.put, 'activeTokens', 'grantRequest', 'session'],
      update: [...acts.update, ...gives.update, 'activeTokens', 'session', 'token'],
    },
  },
  performPaymentAct: {
    table: {
      get: [...acts.get, ...appliesPayments.table.get, 'coupon', 'subscription'],
      query: appliesReports.table.query,
      put: [...acts.put, ...appliesReports.table.put],
      update: [...acts.update, ...appliesReports.table.update],
    },
    secrets: ['payments', 'subscriptions'],
  },
  performTaskAct: {
    ...endsTasks,
    table: {
      ...endsTasks.table,
      get: acts.get,
      put: [...acts.put, ...endsTasks.table.put],
      update: [...acts.update, ...endsTasks.table.update],
    },
  },
  performQueueAct: { table: acts, queues: ['redrive'] },
  performConnectionAct: {
    table: {
      get: [...acts.get, 'connection'],
      put: [...acts.put, 'connection'],
      delete: ['page'],
      update: acts.update,
    },
    inboxQueue: ['send'],
    credentials: ['open'],
    knows: ['socialNetworks'],
  },
  performAdminAct: {
    table: {
      get: [...acts.get, 'account', 'catalog', 'grantRequest'],
      // An undone change is found in the history of its row.
      query: ['act', 'catalog'],
      getMany: ['operatorSession'],
      list: ['operatorSessions'],
      put: [...acts.put, ...gives.put, 'account', 'invitation'],
      update: [...acts.update, ...gives.update, 'catalog', 'session'],
    },
    knows: ['engines'],
  },
} as const satisfies Partial<Record<FunctionName, FunctionGrants>>;
