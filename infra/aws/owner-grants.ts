/** Entries of the permission table for the dashboard's operations on tokens, webhooks and pages. */
import type { FunctionName } from '../hosting.ts';
import type { FunctionGrants } from './function-grants.ts';

/**
 * Connects a page: claims it for the account, and removes the social network's user who connected it to the account
 * before.
 */
const connecting = {
  table: {
    get: ['account', 'connection', 'page'],
    put: ['connection', 'page'],
    check: ['account', 'session'],
    delete: ['page'],
  },
  inboxQueue: ['send'],
  secrets: ['social'],
  knows: ['socialNetworks'],
} as const satisfies FunctionGrants;

export const ownerGrants = {
  listTokens: {
    table: {
      get: ['activeTokens', 'testAccount'],
      list: ['tokens'],
      getMany: ['spending', 'token'],
      update: ['session'],
    },
  },
  createToken: {
    table: {
      get: ['account', 'activeTokens'],
      list: ['tokens'],
      getMany: ['token'],
      // The first test token creates the test account.
      put: ['activeTokens', 'guesses', 'testAccount', 'testLedger', 'token', 'tokenHandle'],
      check: ['account', 'session'],
      update: ['activeTokens', 'guesses', 'session'],
    },
    webhookKeys: ['deriveTokens'],
    identity: ['checkPasswords', 'lookUpUsers'],
  },
  fillTestCredits: {
    // The first request for the credits of test tokens creates the test account.
    table: { get: ['testAccount'], put: ['testAccount', 'testLedger'], update: ['session', 'testAccount'] },
  },
  setTokenCap: {
    table: {
      get: ['activeTokens'],
      list: ['tokens'],
      getMany: ['token'],
      put: ['activeTokens', 'guesses'],
      check: ['session'],
      update: ['guesses', 'session', 'token'],
    },
    identity: ['checkPasswords', 'lookUpUsers'],
  },
  revokeToken: {
    table: {
      get: ['activeTokens'],
      list: ['tokens'],
      getMany: ['token'],
      put: ['activeTokens'],
      update: ['activeTokens', 'session', 'token'],
    },
  },
  closeAccount: {
    // Revokes the tokens, and ends the other sessions.
    table: {
      get: ['account', 'activeTokens'],
      list: ['sessions', 'tokens'],
      getMany: ['token'],
      put: ['activeTokens', 'guesses'],
      update: ['account', 'activeTokens', 'guesses', 'session', 'token'],
    },
    identity: ['checkPasswords', 'lookUpUsers'],
  },
  getRetention: { table: { get: ['account'], update: ['session'] } },
  setRetention: { table: { update: ['account', 'session'] } },
  reopenAccount: { table: { get: ['account'], update: ['account', 'session'] } },
  listDeliveries: {
    table: { list: ['deliveries'], getMany: ['task'], update: ['session'] },
    knows: ['resultsUrl'],
  },
  listConnections: {
    table: { get: ['account'], query: ['connection', 'consent'], update: ['session'] },
    knows: ['socialApps'],
  },
  startConnection: { table: { get: ['account'], update: ['consent', 'session'] }, knows: ['socialNetworks'] },
  completeConnection: {
    ...connecting,
    table: { ...connecting.table, update: ['consent', 'session'] },
    credentials: ['seal'],
  },
  chooseConnection: {
    ...connecting,
    table: {
      ...connecting.table,
      get: [...connecting.table.get, 'consent'],
      query: ['catalog'],
      update: ['consent', 'session'],
    },
    credentials: ['open', 'seal'],
  },
  removeConnection: {
    table: { get: ['connection'], put: ['connection'], delete: ['page'], update: ['session'] },
    inboxQueue: ['send'],
    credentials: ['open'],
    knows: ['socialNetworks'],
  },
} as const satisfies Partial<Record<FunctionName, FunctionGrants>>;
