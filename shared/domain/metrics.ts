/** The names and units of the service's metrics, which dashboards and alarms use. */
import type { Metrics } from '../platform/metrics.ts';
import { isTestAccount } from './test-account.ts';

export const metricUnits = {
  /** Tasks created, and their cost. By `operation`. */
  TasksStarted: 'Count',
  CreditsDebited: 'Count',
  /** Tasks that ended with results. By `operation`. */
  TasksCompleted: 'Count',
  /** Tasks canceled by their account. By `operation`. */
  TasksCanceled: 'Count',
  /**
   * Tasks that ended without results, and the credits refunded for failed and canceled tasks. By `operation` and
   * `code`.
   */
  TasksFailed: 'Count',
  CreditsRefunded: 'Count',
  /**
   * By how many millionths of a dollar what engines charge for tasks that ended exceeds what their credits are worth;
   * negative for a profit. By `operation`.
   */
  CostAboveSales: 'Count',
  /** Jobs for which a provider stated a charge that the price in the catalog does not explain. By `engine`. */
  UnexpectedCharges: 'Count',
  /** Results discarded because they were longer than what was paid for. By `operation`. */
  ResultsTooLong: 'Count',
  /** Results that could not be marked with how they were made, at each attempt of their step. */
  ResultsUnmarked: 'Count',
  /** Results that were marked without the time stamp that the stage is configured to have. */
  ResultsUnstamped: 'Count',
  /** Audits that found that the certificate of the key that marks results expires within 30 days. */
  ContentCertificateEnding: 'Count',
  /** Results that were marked while they were copied, because they are too large for the memory. */
  LargeResultsMarked: 'Count',
  /** Attempts to deliver webhooks. By `outcome`: delivered or failed. */
  WebhookAttempts: 'Count',
  /**
   * Delivery attempts deferred because all slots of the account or the receiver were in use. By `reason`: full or slow.
   */
  WebhooksDeferred: 'Count',
  /** Webhooks abandoned after their last attempt. */
  WebhooksExhausted: 'Count',
  /** The age of the oldest open task; 0 if there is none. Reported by each sweep. */
  OldestOpenTaskAge: 'Seconds',
  /** Differences found by the audit: between slots and open tasks, and between balances and ledgers. */
  SlotDrift: 'Count',
  LedgerDrift: 'Count',
  /** Figures of a day that differ from the ledger, the tasks and their jobs, found by the audit. */
  FigureDrift: 'Count',
  /** Accounts whose figures of a day the audit could not recount. */
  FiguresUnaudited: 'Count',
  /** Corrections of balances and slots by operators, counted when the next audit finds their records. */
  DriftsCorrected: 'Count',
  /** Accounts that an audit could not read; reported by each completed audit. */
  AccountsUnaudited: 'Count',
  /**
   * How long the closed account that has waited longest has been due for its settlement or erasure; 0 if none is.
   * Reported by each run.
   */
  OldestOverdueClosureAge: 'Seconds',
  /** Rows left out of lists because they could not be read or presented. By `reason`: the kind of row. */
  RowsLeftOut: 'Count',
  /** Media files reported as unreadable because of an error in their reader. */
  MediaReaderFailures: 'Count',
  /** Look-ups of linked videos that a video site was asked for, and those that it did not answer. */
  VideoLookups: 'Count',
  VideoLookupFailures: 'Count',
  /** Circuits opened for an account because consecutive tasks failed on a route. By `engine`. */
  CircuitsOpened: 'Count',
  /** Orders paid and credited, and orders refunded. */
  OrdersPaid: 'Count',
  OrdersRefunded: 'Count',
  /**
   * Payments that need an operator's decision: newly found, and all open. Each reconciliation reports the open ones.
   */
  BillingCases: 'Count',
  OpenBillingCases: 'Count',
  /** Payment events without a valid signature. */
  PaymentEventsRejected: 'Count',
  /** Genuine payment events of types that are processed, in a form that this release does not know. */
  PaymentEventsUnreadable: 'Count',
  /** The age of the oldest overdue order; 0 if there is none. */
  OldestOverdueOrderAge: 'Seconds',
  /** Subscriptions that started, those that ended, and those whose renewal was not paid. */
  SubscriptionsStarted: 'Count',
  SubscriptionsPastDue: 'Count',
  SubscriptionsEnded: 'Count',
  /** How long the longest-waiting subscription has been due for reconciliation; 0 if none is. */
  OldestOverdueSubscriptionAge: 'Seconds',
  /**
   * Items that could not be reconciled with their gateway, including those that wait for a retry, and searches that
   * failed.
   */
  ReconciliationFailures: 'Count',
  /** Events of social networks with an invalid signature, and events about pages that are not connected. */
  SocialEventsRejected: 'Count',
  SocialEventsIgnored: 'Count',
  /** Connections whose token the social network no longer accepts. */
  ConnectionsRevoked: 'Count',
  /** Connections whose token expires within a week or cannot be renewed; counted each time they are processed. */
  TokensExpiringSoon: 'Count',
  /** Synchronizations that failed for other reasons and are retried. */
  InboxSyncFailures: 'Count',
  /**
   * How long the connection that has waited longest has been due, or how far beyond six hours a synchronization has
   * taken; 0 if neither applies. Reported every minute.
   */
  OldestOverdueInboxAge: 'Seconds',
  /** Requests rejected by the rate limit. By `operation`. */
  RateLimitRejections: 'Count',
} as const satisfies Readonly<Record<string, 'Count' | 'Seconds'>>;

export type MetricName = keyof typeof metricUnits;

export type MetricDimension = 'operation' | 'code' | 'outcome' | 'engine' | 'reason';

/** Values are recorded under the given dimensions, and as totals. */
export type ServiceMetrics = Metrics<MetricName, MetricDimension>;

const unrecorded: ServiceMetrics = { record: () => undefined };

/** The metrics of what happens for an account. Nothing is recorded for test accounts. */
export const metricsFor = (metrics: ServiceMetrics, accountId: string | undefined): ServiceMetrics =>
  accountId !== undefined && isTestAccount(accountId) ? unrecorded : metrics;
