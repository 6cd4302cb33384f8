/** Entries of the permission table for functions that maintain connections and copies of inboxes. */
import type { FunctionName } from '../hosting.ts';
import type { FunctionGrants } from './function-grants.ts';
import { pilotoGrants } from './piloto-grants.ts';
import type { TableGrants } from './table-grants.ts';

/** Writes messages and comments to the stored copy. */
const copies = {
  get: ['inbox'],
  getMany: ['inbox'],
  query: ['inbox'],
  put: ['inbox'],
  delete: ['inbox'],
} as const satisfies TableGrants;

export const inboxGrants = {
  ...pilotoGrants,
  confirmSocialWebhook: { secrets: ['social'] },
  receiveSocialEvent: {
    table: { ...copies, get: ['connection', 'inbox', 'page'] },
    inboxQueue: ['send'],
    secrets: ['social'],
  },
  receiveSocialWithdrawal: {
    table: { get: ['connection'], query: ['page'], put: ['connection', 'erasure'], delete: ['page'] },
    inboxQueue: ['send'],
    credentials: ['open'],
    secrets: ['social'],
    knows: ['apiUrl', 'socialNetworks'],
  },
  getDataDeletion: { table: { get: ['connection', 'erasure'] } },
  processInboxMessage: {
    table: {
      ...copies,
      get: ['connection', 'inbox', 'page'],
      list: ['conversations', 'posts', 'unlistedPosts'],
      put: ['connection', 'inbox'],
      delete: ['connection', 'inbox'],
    },
    inboxQueue: ['receive', 'send'],
    credentials: ['open', 'seal'],
    // The end of a Facebook page's token is asked as the app.
    secrets: ['social'],
    knows: ['socialNetworks'],
  },
  scheduleInboxSyncs: {
    table: { get: ['connection'], list: ['dueConnections'] },
    inboxQueue: ['send'],
  },
} as const satisfies Partial<Record<FunctionName, FunctionGrants>>;
