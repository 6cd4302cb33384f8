/** What the service tells operators about itself: the names that dashboards and alarms go by, and their units. */
import type { Metrics } from '../platform/metrics.ts';

export const metricUnits = {
  /** Tasks created, and what they cost. By `operation`. */
  TasksStarted: 'Count',
  CreditsDebited: 'Count',
  /** Tasks ended with results. By `operation`. */
  TasksCompleted: 'Count',
  /** Tasks that their account gave up. By `operation`. */
  TasksCanceled: 'Count',
  /** Tasks ended without results, and what was given back for these and the canceled. By `operation` and error `code`. */
  TasksFailed: 'Count',
  CreditsRefunded: 'Count',
  /** Attempts at webhooks. By `outcome`: delivered or failed. */
  WebhookAttempts: 'Count',
  /** Webhooks given up after their last attempt. */
  WebhooksExhausted: 'Count',
  /** How long ago the oldest task was created that is not terminal; 0 when there is none. Told by each sweep. */
  OldestOpenTaskAge: 'Seconds',
  /** What the audit found: slots without an open task or the other way round, and credits between balance and ledger. */
  SlotDrift: 'Count',
  LedgerDrift: 'Count',
  /** Accounts that an audit could not read; 0 when it has looked at all. Told by each audit that comes to its end. */
  AccountsUnaudited: 'Count',
  /** Times that an engine failed task after task, so that new ones are kept from it for a while. By `engine`. */
  CircuitsOpened: 'Count',
  /** Requests refused because a token had used up its minute. By `operation`. */
  RateLimitRefusals: 'Count',
} as const satisfies Readonly<Record<string, 'Count' | 'Seconds'>>;

export type MetricName = keyof typeof metricUnits;

export type MetricDimension = 'operation' | 'code' | 'outcome' | 'engine';

/** All values under the dimensions that are given, and as totals. */
export type ServiceMetrics = Metrics<MetricName, MetricDimension>;
