/** The CloudWatch dashboard of a stage: requests, their outcomes, and metrics that must stay at 0. */
import { Dashboard, GraphWidget, type IMetric, MathExpression, SingleValueWidget } from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import type { MetricName } from '../../shared/domain/metrics.ts';
import { metricsNamespace, serviceMetric } from './metrics.ts';
import type { Stage } from './stages.ts';

const width = 8;

const mustBeZero = [
  'LedgerDrift',
  'SlotDrift',
  'FigureDrift',
  'FiguresUnaudited',
  'DriftsCorrected',
  'AccountsUnaudited',
  'RowsLeftOut',
  'MediaReaderFailures',
  'ResultsUnmarked',
  'ResultsUnstamped',
  'ContentCertificateEnding',
] as const satisfies readonly MetricName[];

/** A metric, split by all recorded values of some dimensions. */
const by = (stage: Stage, metricName: MetricName, ...dimensions: readonly string[]): IMetric =>
  new MathExpression({
    expression: `SEARCH('{"${metricsNamespace(stage)}","service",${dimensions.map((name) => `"${name}"`).join(',')}} MetricName="${metricName}"', 'Sum')`,
    usingMetrics: {},
    label: '',
  });

const changesOfSubscriptions = ['SubscriptionsStarted', 'SubscriptionsPastDue', 'SubscriptionsEnded'] as const;

const inboxes = [
  ['SocialEventsRejected', 'SocialEventsIgnored'],
  ['ConnectionsRevoked', 'TokensExpiringSoon', 'InboxSyncFailures'],
  ['OldestOverdueInboxAge'],
] as const satisfies readonly (readonly MetricName[])[];

/** Adds a graph for each of the given AWS metrics to the dashboard, by title. */
export class OperationsDashboard extends Construct {
  constructor(scope: Construct, id: string, stage: Stage, parts: Readonly<Record<string, readonly IMetric[]>>) {
    super(scope, id);
    const graph = (title: string, ...left: readonly IMetric[]) => new GraphWidget({ title, left: [...left], width });
    const total = (name: MetricName) => serviceMetric(stage, name);
    new Dashboard(this, 'Dashboard', {
      widgets: [
        [
          graph('Tasks started', by(stage, 'TasksStarted', 'operation')),
          graph('Tasks completed', by(stage, 'TasksCompleted', 'operation'), total('LargeResultsMarked')),
          graph('Tasks failed', by(stage, 'TasksFailed', 'operation', 'code'), total('TasksCanceled')),
        ],
        [
          graph('Credits', total('CreditsDebited'), total('CreditsRefunded')),
          graph(
            'Webhook attempts',
            by(stage, 'WebhookAttempts', 'outcome'),
            total('WebhooksDeferred'),
            total('WebhooksExhausted'),
          ),
          graph('Rejected by the rate limit', by(stage, 'RateLimitRejections', 'operation')),
        ],
        [
          graph('Age of the oldest open task, seconds', total('OldestOpenTaskAge')),
          graph('Engines shut off', by(stage, 'CircuitsOpened', 'engine'), total('ResultsTooLong')),
          new SingleValueWidget({ title: 'Must be 0', metrics: mustBeZero.map(total), width }),
        ],
        [
          graph('Orders', total('OrdersPaid'), total('OrdersRefunded')),
          graph(
            'Payments that need a decision',
            total('BillingCases'),
            total('OpenBillingCases'),
            total('PaymentEventsRejected'),
            total('PaymentEventsUnreadable'),
          ),
          graph(
            'Overdue orders and subscriptions: age in seconds, failures',
            total('OldestOverdueOrderAge'),
            total('OldestOverdueSubscriptionAge'),
            total('ReconciliationFailures'),
          ),
          graph('Subscriptions', ...changesOfSubscriptions.map(total)),
        ],
        inboxes.map((metrics) => graph('Inboxes', ...metrics.map(total))),
        Object.entries(parts).map(([title, metrics]) => graph(title, ...metrics)),
      ],
    });
  }
}
