/** What a function may be allowed to do with which items of the table. */

/**
 * Kinds of items by partition. The partition of a task also contains its engine jobs and deliveries; one of the inbox
 * contains a conversation and its messages, or a post and its comments.
 */
export type Entity =
  | 'account'
  | 'act'
  | 'actKey'
  | 'activeTokens'
  | 'audit'
  | 'avatar'
  | 'avatarOrigin'
  | 'case'
  | 'catalog'
  | 'circuit'
  | 'connection'
  | 'coupon'
  | 'consent'
  | 'dayCounts'
  | 'erasure'
  | 'export'
  | 'figures'
  | 'file'
  | 'granted'
  | 'grantRequest'
  | 'guesses'
  | 'idempotency'
  | 'identity'
  | 'inbox'
  | 'influencer'
  | 'invitation'
  | 'invoice'
  | 'ledger'
  | 'linkedVideo'
  | 'listedProduct'
  | 'login'
  | 'operatorSession'
  | 'order'
  | 'page'
  | 'paymentEvent'
  | 'product'
  | 'publishedFile'
  | 'reconciliation'
  | 'session'
  | 'signUp'
  | 'slots'
  | 'spending'
  | 'subscription'
  | 'task'
  | 'testAccount'
  | 'testLedger'
  | 'token'
  | 'tokenHandle'
  | 'uploads'
  | 'usage';

/** Lists in the indexes: accounts, an account's tasks by each combination of filters, and tasks that are due. */
export type IndexedList =
  | 'accounts'
  | 'avatars'
  | 'closures'
  | 'conversations'
  | 'dueConnections'
  | 'dueExports'
  | 'files'
  | 'identities'
  | 'operatorSessions'
  | 'orders'
  | 'ordersByState'
  | 'pendingOrders'
  | 'openCases'
  | 'openSubscriptions'
  | 'posts'
  | 'unlistedPosts'
  | 'sessions'
  | 'tasks'
  | 'tasksByState'
  | 'narrowedTasks'
  | 'typedTasks'
  | 'openTasks'
  | 'failedTasks'
  | 'failedWebhooks'
  | 'retainedTasks'
  | 'tokens'
  | 'unreadConversations'
  | 'deliveries'
  | 'handles'
  | 'names';

export interface TableGrants {
  readonly get?: readonly Entity[];
  /** Reads many items by key in one request. */
  readonly getMany?: readonly Entity[];
  /** Reads all items of a partition. */
  readonly query?: readonly Entity[];
  readonly list?: readonly IndexedList[];
  readonly put?: readonly Entity[];
  /** Checks conditions on items that a transaction does not write. */
  readonly check?: readonly Entity[];
  readonly update?: readonly Exclude<Entity, 'act' | 'ledger' | 'testLedger'>[];
  /** Permission to delete items: copies of data of social networks, connections of pages, and rows of erased accounts. */
  readonly delete?: readonly (
    | 'activeTokens'
    | 'avatar'
    | 'avatarOrigin'
    | 'connection'
    | 'consent'
    | 'export'
    | 'file'
    | 'identity'
    | 'inbox'
    | 'influencer'
    | 'invitation'
    | 'listedProduct'
    | 'page'
    | 'product'
    | 'session'
    | 'token'
    | 'tokenHandle'
  )[];
}
