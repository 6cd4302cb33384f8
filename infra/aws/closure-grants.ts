/**
 * The line of the permission table for closed accounts: settles what they have running, and deletes what they own. It
 * can neither read nor delete ledgers.
 */
import type { FunctionGrants } from './function-grants.ts';
import { endsTasks, erasesTasks } from './task-end-grants.ts';

export const closureGrants = {
  ...endsTasks,
  ...erasesTasks,
  table: {
    list: ['avatars', 'closures', 'files', 'identities', 'sessions', 'tasks', 'tokens'],
    get: ['account', 'activeTokens', 'case', 'connection', 'coupon', 'order', 'subscription', 'task'],
    getMany: ['account', 'avatar', 'case', 'file', 'identity', 'product', 'token'],
    query: [
      'case',
      'circuit',
      'connection',
      'consent',
      'influencer',
      'invoice',
      'listedProduct',
      'subscription',
      'task',
    ],
    put: ['activeTokens', 'case', 'connection', 'invoice', 'ledger', 'task'],
    check: ['case'],
    update: [
      'account',
      'activeTokens',
      'case',
      'circuit',
      'coupon',
      'figures',
      'invoice',
      'order',
      'session',
      'spending',
      'subscription',
      'task',
      'token',
    ],
    delete: [
      'activeTokens',
      'avatar',
      'avatarOrigin',
      'consent',
      'export',
      'file',
      'identity',
      'influencer',
      'invitation',
      'listedProduct',
      'page',
      'product',
      'session',
      'token',
      'tokenHandle',
    ],
  },
  inboxQueue: ['send'],
  inputs: [...erasesTasks.inputs, 'eraseUploads', 'eraseExports', 'bury'],
  results: [...erasesTasks.results, 'eraseKept'],
  secrets: [...endsTasks.secrets, 'payments', 'subscriptions'],
  credentials: ['open'],
  identity: ['deleteUsers'],
  knows: [...endsTasks.knows, 'dashboardUrl', 'socialNetworks'],
} as const satisfies FunctionGrants;
