/** The metrics that the service reports to its operators: the names that dashboards and alarms use, and their units. */
import type { Metrics } from '../platform/metrics.ts';

export const metricUnits = {
  /** Tasks created, and their cost. By `operation`. */
  TasksStarted: 'Count',
  CreditsDebited: 'Count',
  /** Tasks that ended with results. By `operation`. */
  TasksCompleted: 'Count',
  /** Tasks canceled by their account. By `operation`. */
  TasksCanceled: 'Count',
  /** Tasks that ended without results, and the credits refunded for them and for canceled ones. By `operation` and `code`. */
  TasksFailed: 'Count',
  CreditsRefunded: 'Count',
  /** Results that were longer than what was paid for; they are not kept. By `operation`. */
  ResultsTooLong: 'Count',
  /** Attempts to deliver webhooks. By `outcome`: delivered or failed. */
  WebhookAttempts: 'Count',
  /** Attempts put back because the slots of the account or the receiver were taken. By `reason`: full or slow. */
  WebhooksDeferred: 'Count',
  /** Webhooks abandoned after their last attempt. */
  WebhooksExhausted: 'Count',
  /** The age of the oldest open task; 0 when there is none. Reported by each sweep. */
  OldestOpenTaskAge: 'Seconds',
  /** Differences found by the audit: between slots and open tasks, and between balances and ledgers. */
  SlotDrift: 'Count',
  LedgerDrift: 'Count',
  /** Corrections of balances and slots by operators, as the next audit finds their records. */
  DriftsMended: 'Count',
  /** Accounts that an audit could not read; reported by each audit that was completed. */
  AccountsUnaudited: 'Count',
  /** Rows that lists left out because they could not be read or shown. By `reason`: the kind of row. */
  RowsLeftOut: 'Count',
  /** Circuits opened for an account because a route failed task after task. By `engine`. */
  CircuitsOpened: 'Count',
  /** Orders that were paid and credited, and orders whose payment was returned. */
  OrdersPaid: 'Count',
  OrdersRefunded: 'Count',
  /** Payments that an operator must decide about: those found, and all that are open. Each reconciliation reports the latter. */
  BillingCases: 'Count',
  OpenBillingCases: 'Count',
  /** Payment events without a valid signature. */
  PaymentEventsRejected: 'Count',
  /** The age of the oldest order that should no longer wait for its payment; 0 when there is none. */
  OldestOverdueOrderAge: 'Seconds',
  /** Subscriptions that began, those whose renewal was not paid, and those that ended. */
  SubscriptionsStarted: 'Count',
  SubscriptionsPastDue: 'Count',
  SubscriptionsEnded: 'Count',
  /** How long the subscription that waits longest has been due for a comparison with the gateway; 0 when there is none. */
  OldestOverdueSubscriptionAge: 'Seconds',
  /** What could not be compared with its gateway, what waits for another try included, and searches that failed. */
  ReconciliationFailures: 'Count',
  /** Events of social networks without a valid signature, and events about pages that are not connected. */
  SocialEventsRejected: 'Count',
  SocialEventsIgnored: 'Count',
  /** Connections whose token the network no longer accepts. */
  ConnectionsRevoked: 'Count',
  /** Connections whose token ends within a week, or whose token the network refuses to renew; each time they are worked on. */
  TokensEndingSoon: 'Count',
  /** Synchronizations that failed for other reasons, and go on later. */
  InboxSyncFailures: 'Count',
  /**
   * How long the work on connections that waits longest has been due, or the synchronization of one has taken beyond six
   * hours; 0 when there is none. Reported each minute.
   */
  OldestOverdueInboxAge: 'Seconds',
  /** Requests rejected by the rate limit. By `operation`. */
  RateLimitRejections: 'Count',
} as const satisfies Readonly<Record<string, 'Count' | 'Seconds'>>;

export type MetricName = keyof typeof metricUnits;

export type MetricDimension = 'operation' | 'code' | 'outcome' | 'engine' | 'reason';

/** Values are recorded under the given dimensions, and as totals. */
export type ServiceMetrics = Metrics<MetricName, MetricDimension>;
