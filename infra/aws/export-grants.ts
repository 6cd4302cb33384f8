/** Entries of the permission table for exports of accounts. */
import type { FunctionName } from '../hosting.ts';
import type { FunctionGrants } from './function-grants.ts';

export const exportGrants = {
  getExport: { table: { get: ['export'], update: ['session'] } },
  requestExport: {
    table: {
      get: ['export'],
      put: ['export', 'guesses'],
      check: ['account', 'session'],
      update: ['guesses', 'session'],
    },
    identity: ['checkPasswords', 'lookUpUsers'],
  },
  openExport: {
    table: { get: ['export'], put: ['guesses'], check: ['session'], update: ['export', 'guesses', 'session'] },
    inputs: ['lendExports'],
    identity: ['checkPasswords', 'lookUpUsers'],
  },
  // Reads all rows of an account that are exported according to the register of personal data, and changes none.
  makeExports: {
    table: {
      list: [
        'avatars',
        'conversations',
        'dueExports',
        'files',
        'identities',
        'orders',
        'posts',
        'sessions',
        'tasks',
        'tokens',
        'unlistedPosts',
      ],
      get: ['account', 'export'],
      getMany: ['avatar', 'file', 'identity', 'inbox', 'order', 'product', 'session', 'task', 'token'],
      query: ['connection', 'inbox', 'influencer', 'invoice', 'ledger', 'listedProduct', 'subscription'],
      update: ['export'],
    },
    results: ['read', 'readKept'],
    inputs: ['readUploads', 'makeExports'],
  },
} as const satisfies Partial<Record<FunctionName, FunctionGrants>>;
