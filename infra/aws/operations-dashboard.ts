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

/** The metrics by which each function is monitored: its duration, its load, its errors and its memory. */
const signals = [
  ['Latency: 99 % of calls take at most, ms', 'Duration', 'p99'],
  ['Traffic: calls', 'Invocations', 'Sum'],
  ['Errors: failed calls', 'Errors', 'Sum'],
  ['Saturation: concurrent calls', 'ConcurrentExecutions', 'Maximum'],
] as const;

/** A metric of Lambda, split by the functions of the stage. */
const byFunction = ({ name }: Stage, metricName: string, statistic: string): IMetric =>
  new MathExpression({
    expression: `SEARCH('{AWS/Lambda,FunctionName} MetricName="${metricName}" "GenerationService-${name}"', '${statistic}')`,
    usingMetrics: {},
    label: '',
  });

type Graph = (title: string, ...left: readonly IMetric[]) => GraphWidget;
type Total = (name: MetricName) => IMetric;

const tasks = (stage: Stage, graph: Graph, total: Total) => [
  [
    graph('Tasks started', by(stage, 'TasksStarted', 'operation')),
    graph('Tasks completed', by(stage, 'TasksCompleted', 'operation'), total('LargeResultsMarked')),
    graph('Tasks failed', by(stage, 'TasksFailed', 'operation', 'code'), total('TasksCanceled')),
  ],
  [
    graph('Credits', total('CreditsDebited'), total('CreditsRefunded')),
    graph(
      'Cost above sales, millionths of a dollar',
      by(stage, 'CostAboveSales', 'operation'),
      total('UnexpectedCharges'),
    ),
    graph(
      'Webhook attempts',
      by(stage, 'WebhookAttempts', 'outcome'),
      total('WebhooksDeferred'),
      total('WebhooksExhausted'),
    ),
    graph('Rejected by the rate limit', by(stage, 'RateLimitRejections', 'operation')),
  ],
];

const billing = (graph: Graph, total: Total) => [
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
];

/** Adds a graph for each of the given AWS metrics to the dashboard, by title. */
export class OperationsDashboard extends Construct {
  constructor(scope: Construct, id: string, stage: Stage, parts: Readonly<Record<string, readonly IMetric[]>>) {
    super(scope, id);
    const graph: Graph = (title, ...left) => new GraphWidget({ title, left: [...left], width });
    const total: Total = (name) => serviceMetric(stage, name);
    new Dashboard(this, 'Dashboard', {
      widgets: [
        signals.map(([title, name, statistic]) => graph(title, byFunction(stage, name, statistic))),
        ...tasks(stage, graph, total),
        [
          graph(
            'Age of the oldest open task and overdue closure, seconds',
            total('OldestOpenTaskAge'),
            total('OldestOverdueClosureAge'),
          ),
          graph('Engines shut off', by(stage, 'CircuitsOpened', 'engine'), total('ResultsTooLong')),
          graph('Look-ups of linked videos', total('VideoLookups'), total('VideoLookupFailures')),
          new SingleValueWidget({ title: 'Must be 0', metrics: mustBeZero.map(total), width }),
        ],
        billing(graph, total),
        inboxes.map((metrics) => graph('Inboxes', ...metrics.map(total))),
        Object.entries(parts).map(([title, metrics]) => graph(title, ...metrics)),
      ],
    });
  }
}
