/** The lines of the permission table for the piloto inbox: connections of pages, and what social networks report of them. */
import { pilotoGrants } from './piloto-grants.ts';

export interface InboxUses {
  /** Work on connected pages, and their events that could not be applied at once. */
  readonly inboxQueue?: readonly ('send' | 'receive')[];
  /** The key that seals the tokens of connected pages. */
  readonly credentials?: readonly ('seal' | 'open')[];
}

/** What bringing messages and comments into the copy needs. */
const copies = {
  get: ['inbox'],
  getMany: ['inbox'],
  query: ['inbox'],
  put: ['inbox'],
  delete: ['inbox'],
} as const;

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
    knows: ['socialNetworks'],
  },
  scheduleInboxSyncs: {
    table: { get: ['connection'], list: ['dueConnections'] },
    inboxQueue: ['send'],
  },
} as const;
