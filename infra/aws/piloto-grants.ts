/** Entries of the permission table for the operations of the inbox. */
import type { FunctionName } from '../hosting.ts';
import type { FunctionGrants } from './function-grants.ts';
import type { TableGrants } from './table-grants.ts';

/** Every operation first checks whether the account may use the inbox and which pages it has connected. */
const query = ['catalog', 'connection'] as const;
const update = ['token', 'session'] as const;

const listing = { get: ['account', 'inbox'], getMany: ['inbox'], query, update } as const satisfies TableGrants;
const reading = {
  get: ['account', 'inbox'],
  getMany: ['inbox'],
  query: [...query, 'inbox'],
  update,
} as const satisfies TableGrants;

/** Writes to the social network, and records a connection that the network has revoked. */
const acting = { credentials: ['open'], knows: ['socialNetworks'] } as const satisfies FunctionGrants;

/** Moderates a comment at the social network and then in the copy. */
const moderating = {
  ...acting,
  table: { get: ['account', 'inbox'], getMany: ['inbox'], query, put: ['connection', 'inbox'], update },
} as const satisfies FunctionGrants;

/** Sends something once: the idempotency key is claimed before the social network is called. */
const sending = {
  ...acting,
  table: {
    get: ['account', 'inbox', 'idempotency'],
    getMany: ['inbox'],
    query: [...query, 'inbox'],
    put: ['connection', 'inbox', 'idempotency'],
    update: [...update, 'idempotency'],
  },
} as const satisfies FunctionGrants;

export const pilotoGrants = {
  listConversations: { table: { ...listing, list: ['conversations', 'unreadConversations'] } },
  listMessages: { table: reading },
  sendMessage: sending,
  markConversationRead: {
    ...acting,
    table: { get: ['account', 'inbox'], query, put: ['connection', 'inbox'], update },
  },
  listCommentedPosts: { table: { ...listing, list: ['posts'] } },
  listComments: { table: reading },
  replyToComment: { ...sending, table: { ...sending.table, query } },
  hideComment: moderating,
  unhideComment: moderating,
  likeComment: moderating,
  unlikeComment: moderating,
} as const satisfies Partial<Record<FunctionName, FunctionGrants>>;
