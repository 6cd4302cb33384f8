/** What a function may be allowed to do with which items of the table. */

/** The kinds of items by partition; a task's partition also contains its engine jobs and deliveries. */
export type Entity =
  | 'account'
  | 'activeTokens'
  | 'audit'
  | 'avatar'
  | 'avatarOrigin'
  | 'case'
  | 'catalog'
  | 'circuit'
  | 'file'
  | 'guesses'
  | 'idempotency'
  | 'identity'
  | 'influencer'
  | 'invitation'
  | 'invoice'
  | 'ledger'
  | 'listedProduct'
  | 'login'
  | 'order'
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
  | 'orders'
  | 'ordersByState'
  | 'pendingOrders'
  | 'openCases'
  | 'openSubscriptions'
  | 'sessions'
  | 'tasks'
  | 'tasksByState'
  | 'narrowedTasks'
  | 'openTasks'
  | 'tokens'
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
}
