/** What a function may be allowed to do with which items of the table. */

/** The kinds of items by partition; a task's partition also contains its engine jobs and deliveries,
 * and one of the inbox a conversation with its messages, or a post with its comments. */
export type Entity =
  | 'account'
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
  | 'erasure'
  | 'file'
  | 'guesses'
  | 'idempotency'
  | 'identity'
  | 'inbox'
  | 'influencer'
  | 'invitation'
  | 'invoice'
  | 'ledger'
  | 'listedProduct'
  | 'login'
  | 'order'
  | 'page'
  | 'paymentEvent'
  | 'product'
  | 'reconciliation'
  | 'session'
  | 'signUp'
  | 'slots'
  | 'subscription'
  | 'task'
  | 'token'
  | 'usage';

/** What the indexes list: accounts, an account's tasks by the combination of filters, and the tasks that are due. */
export type IndexedList =
  | 'accounts'
  | 'conversations'
  | 'dueConnections'
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
  | 'openTasks'
  | 'tokens'
  | 'unreadConversations'
  | 'deliveries';

export interface TableGrants {
  readonly get?: readonly Entity[];
  /** Many items by their keys, in one request. */
  readonly getMany?: readonly Entity[];
  /** All items of a partition. */
  readonly query?: readonly Entity[];
  readonly list?: readonly IndexedList[];
  readonly put?: readonly Entity[];
  /** Conditions of transactions, on items that are not written. */
  readonly check?: readonly Entity[];
  readonly update?: readonly Exclude<Entity, 'ledger'>[];
  /** Only copies of what social networks have, and what connects pages. */
  readonly delete?: readonly ('connection' | 'inbox' | 'page')[];
}
