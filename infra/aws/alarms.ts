/** What wakes somebody: each alarm says what it means for users, and what to do first. */
import { Duration } from 'aws-cdk-lib';
import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  MathExpression,
  Metric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import { longestTimeLimitMs, overdueMs } from '../../shared/domain/task.ts';
import { serviceMetric } from './metrics.ts';
import type { Stage } from './stages.ts';

export interface AlarmSubjects {
  readonly apiName: string;
  readonly deadLettersName: string;
}

export interface AlarmDefinition {
  readonly metric: IMetric;
  /** It goes off above this. */
  readonly threshold: number;
  /** How many periods of five minutes in a row. */
  readonly periods?: number;
  /** What it means that nothing is measured; nothing, by default. */
  readonly missing?: TreatMissingData;
  /** Whether a deployment that is under way is taken back. */
  readonly blamesNewCode?: true;
  /** What users notice. */
  readonly impact: string;
  /** Where to begin: a heading of docs/operations.md. */
  readonly runbook: string;
}

const sumOf = (namespace: string, metricName: string, dimensionsMap: Record<string, string>, statistic = 'Sum') =>
  new Metric({ namespace, metricName, dimensionsMap, statistic, period: Duration.minutes(5) });

/** Five minutes more than the sweeper leaves to any task. */
const oldestAllowedSeconds = (longestTimeLimitMs + overdueMs) / 1000 + 300;

type Definitions = Readonly<Record<string, AlarmDefinition>>;

/** What must never happen. */
const brokenPromises = (stage: Stage, { deadLettersName }: AlarmSubjects): Definitions => ({
  LedgerDrift: {
    metric: serviceMetric(stage, 'LedgerDrift'),
    threshold: 0,
    impact: 'The balance of an account is not the sum of its ledger: somebody has been charged wrongly.',
    runbook: 'Credits do not add up',
  },
  SlotDrift: {
    metric: serviceMetric(stage, 'SlotDrift'),
    threshold: 0,
    impact: 'An account has fewer simultaneous tasks than it should, or more.',
    runbook: 'Credits do not add up',
  },
  OldestOpenTask: {
    metric: serviceMetric(stage, 'OldestOpenTaskAge'),
    threshold: oldestAllowedSeconds,
    periods: 2,
    // It is told each minute: silence means that the sweeper does not run.
    missing: TreatMissingData.BREACHING,
    impact: 'A task is open for longer than any may be, or nobody looks after open tasks any more.',
    runbook: 'Heal a stuck task',
  },
  DeadLetters: {
    metric: sumOf('AWS/SQS', 'ApproximateNumberOfMessagesVisible', { QueueName: deadLettersName }, 'Maximum'),
    threshold: 0,
    blamesNewCode: true,
    impact: 'Webhooks are not attempted, because our own code fails at them.',
    runbook: 'Redrive dead letters',
  },
});

/** What happens now and then, and must not become the rule. */
const poorService = (stage: Stage, { apiName }: AlarmSubjects): Definitions => ({
  FailingTasks: {
    metric: new MathExpression({
      expression: 'IF(failed + completed >= 20, 100 * failed / (failed + completed), 0)',
      usingMetrics: {
        failed: serviceMetric(stage, 'TasksFailed'),
        completed: serviceMetric(stage, 'TasksCompleted'),
      },
      period: Duration.minutes(5),
      label: 'Tasks that failed, per cent',
    }),
    threshold: 20,
    periods: 3,
    impact: 'More than a fifth of all tasks fail: users get refunds in place of results.',
    runbook: 'Tasks fail',
  },
  ServerErrors: {
    metric: sumOf('AWS/ApiGateway', '5XXError', { ApiName: apiName }),
    threshold: 10,
    periods: 1,
    blamesNewCode: true,
    impact: 'Requests are answered with 500: clients try again, and some give up.',
    runbook: 'Follow one request',
  },
  ExhaustedWebhooks: {
    metric: serviceMetric(stage, 'WebhooksExhausted'),
    threshold: 50,
    periods: 3,
    impact: 'Many back ends do not get their webhooks: a receiver of many tasks is down, or we can not reach out.',
    runbook: 'Webhooks do not arrive',
  },
});

/** Emulators know no alarm on what is computed of several metrics. */
const isKnown = ({ metric }: AlarmDefinition, { emulatorUrl }: Stage): boolean =>
  !emulatorUrl || !(metric instanceof MathExpression);

const alarmsOf = (stage: Stage, subjects: AlarmSubjects): [name: string, AlarmDefinition][] =>
  Object.entries({ ...brokenPromises(stage, subjects), ...poorService(stage, subjects) }).filter(([, definition]) =>
    isKnown(definition, stage),
  );

export class Alarms extends Construct {
  /** Those that go off within minutes when new code is no good. */
  readonly ofNewCode: readonly Alarm[];

  constructor(scope: Construct, id: string, stage: Stage, subjects: AlarmSubjects) {
    super(scope, id);
    const topic = new Topic(this, 'Topic', { displayName: `Generation Service, ${stage.name}`, enforceSSL: true });
    topic.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [topic.topicArn],
      }),
    );
    if (stage.alarmEmail) topic.addSubscription(new EmailSubscription(stage.alarmEmail));
    const made = alarmsOf(stage, subjects).map(([name, definition]) => {
      const alarm = this.#raise(name, definition);
      alarm.addAlarmAction(new SnsAction(topic));
      return { alarm, definition };
    });
    this.ofNewCode = made.filter(({ definition }) => definition.blamesNewCode).map(({ alarm }) => alarm);
  }

  #raise(name: string, { metric, threshold, periods = 1, missing, impact, runbook }: AlarmDefinition): Alarm {
    return new Alarm(this, name, {
      metric,
      threshold,
      evaluationPeriods: periods,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      treatMissingData: missing ?? TreatMissingData.NOT_BREACHING,
      alarmDescription: `${impact} Runbook: docs/operations.md, "${runbook}".`,
    });
  }
}
