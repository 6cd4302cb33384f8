/** Alarms and the dashboard: every guarantee is monitored, and each alarm describes the problem and where to start. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { functionNames } from '../../../../infra/aws/grants.ts';
import { workerTimeoutSeconds } from '../../../../infra/hosting.ts';
import { workflowNames } from '../../../../shared/contracts/workflow.ts';
import { metricUnits } from '../../../../shared/domain/metrics.ts';
import { synthesize, textOf } from '../synthesized.ts';

const stages = ['local', 'dev', 'prod'] as const;
type StageName = (typeof stages)[number];

interface Alarm {
  readonly AlarmDescription: string;
  readonly AlarmActions?: readonly unknown[];
  readonly InsufficientDataActions?: readonly unknown[];
  readonly Namespace?: string;
  readonly MetricName?: string;
  readonly TreatMissingData: string;
  /** The metrics of an alarm on a metric math expression. */
  readonly Metrics?: readonly {
    readonly Id: string;
    readonly Expression?: string;
    readonly MetricStat?: { readonly Metric: { readonly Namespace: string; readonly Dimensions: unknown } };
  }[];
}

const synthesized = synthesize();

const alarmsOf = (stage: StageName) =>
  Object.values(synthesized.service(stage).ofType<Alarm>('AWS::CloudWatch::Alarm')).map(({ Properties }) => Properties);

describe.each(stages)('in the stage %s,', (stage) => {
  test('each alarm has an impact, an existing runbook section and a recipient', () => {
    const runbooks = readFileSync('docs/alarms.md', 'utf8');
    const alarms = alarmsOf(stage);
    expect(alarms.length).toBeGreaterThanOrEqual(6);
    for (const { AlarmActions = [], AlarmDescription } of alarms) {
      const [, impact = '', heading = ''] =
        /^(.{30,}\.) Runbook: docs\/alarms\.md, "(.+)"\.$/.exec(AlarmDescription) ?? [];
      expect(impact, AlarmDescription).not.toBe('');
      expect(runbooks).toMatch(new RegExp(`^#{2,3} ${heading}$`, 'm'));
      expect(AlarmActions).toHaveLength(1);
    }
  });

  test('alarms monitor the stage’s own metrics only', () => {
    const namespaces = alarmsOf(stage).flatMap(({ Namespace = [] }) => Namespace);
    // Concurrency is a quota of the whole account; all other metrics are the stage's own.
    const shared = ['AWS/SQS', 'AWS/Lambda'];
    expect(new Set(namespaces)).toEqual(new Set([`GenerationService/${stage}`, ...shared]));
    const computed = alarmsOf(stage).flatMap(({ Metrics = [] }) =>
      Metrics.flatMap(({ MetricStat = [] }) => MetricStat),
    );
    const own = computed.filter(({ Metric }) => Metric.Namespace === `GenerationService/${stage}`);
    const functions = computed.filter(({ Metric }) => Metric.Namespace === 'AWS/Lambda');
    const executions = computed.filter(({ Metric }) => Metric.Namespace === 'AWS/States');
    expect(own.length + functions.length + executions.length).toBe(computed.length);
    for (const { Metric } of functions) {
      expect(Metric.Dimensions).toEqual([
        { Name: 'FunctionName', Value: { Ref: expect.stringMatching(/^Functions/) } },
      ]);
    }
  });

  test('an alarm fires when the sweeper, the audit, the erasure or a reconciliation stops running, but not before its first run', () => {
    const continuous = alarmsOf(stage).filter(({ InsufficientDataActions }) => InsufficientDataActions);
    const silent = { TreatMissingData: 'missing' };
    expect(continuous).toMatchObject([
      { ...silent, MetricName: 'AccountsUnaudited', Period: 3600, EvaluationPeriods: 3, Threshold: 0 },
      { ...silent, MetricName: 'OldestOpenTaskAge', Period: 300, EvaluationPeriods: 2 },
      { ...silent, MetricName: 'OldestOverdueClosureAge', Period: 300, EvaluationPeriods: 3, Threshold: 21_600 },
      { ...silent, MetricName: 'OldestOverdueOrderAge', Period: 300, EvaluationPeriods: 3, Threshold: 3600 },
      { ...silent, MetricName: 'OldestOverdueSubscriptionAge', Period: 300, EvaluationPeriods: 3, Threshold: 3600 },
      { ...silent, MetricName: 'OldestOverdueInboxAge', Period: 300, EvaluationPeriods: 3, Threshold: 900 },
    ]);
    for (const one of continuous) expect(one.InsufficientDataActions).toEqual(one.AlarmActions);
    const others = alarmsOf(stage).filter((alarm) => !continuous.includes(alarm));
    expect(new Set(others.map(({ TreatMissingData }) => TreatMissingData))).toEqual(new Set(['notBreaching']));
  });

  test('every metric of the service is on the metrics dashboard', () => {
    const { Properties } = synthesized.service(stage).one('AWS::CloudWatch::Dashboard');
    const body = JSON.stringify(Properties);
    expect(Object.keys(metricUnits).filter((name) => !body.includes(name))).toEqual([]);
    expect(body).toContain(`GenerationService/${stage}`);
  });
});

const named = (name: string) => ({ Ref: expect.stringMatching(new RegExp(`^Alarms${name}\\w{8}$`)) });

/** An alarm of production, by the beginning of its logical id. */
const prodAlarm = (name: string) => {
  const all = Object.entries(synthesized.service('prod').ofType<Alarm>('AWS::CloudWatch::Alarm'));
  const found = all.find(([id]) => new RegExp(`^Alarms${name}\\w{8}$`).test(id));
  if (!found) throw new Error(`there is no alarm ${name}`);
  return found[1].Properties;
};

const expressionOf = (name: string) =>
  prodAlarm(name)
    .Metrics?.flatMap(({ Expression = [] }) => Expression)
    .join();

const steps = [
  'planCopy',
  'copyPart',
  'completeCopy',
  'askClipEngine',
  'rankClips',
  'reportClips',
  'askEngine',
  'finalize',
];

/**
 * Steps cannot depend on alarms for functions that start the workflow, and `settleExecution` cannot depend on alarms of
 * later stacks.
 */
function rollBackAlarms(deploymentGroup: string): readonly string[] {
  const [, name = ''] = /^FunctionsDeployments(\w+)\w{8}$/.exec(deploymentGroup) ?? [];
  if (steps.includes(name)) return ['WorkflowErrors'];
  const own = ['ServerErrors', 'WorkflowErrors', 'SettlementErrors'];
  return name === 'settleExecution' ? own : [...own, 'DeliveryErrors', 'UpkeepErrors'];
}

test('failing steps roll back a new step; failing requests, steps or background work roll back any other new function', () => {
  const groups = synthesized
    .service('prod')
    .ofType<{ AlarmConfiguration?: { Alarms: unknown[]; Enabled: boolean } }>('AWS::CodeDeploy::DeploymentGroup');
  expect(Object.keys(groups)).toHaveLength(functionNames.length);
  for (const [id, { Properties }] of Object.entries(groups)) {
    expect(Properties.AlarmConfiguration).toMatchObject({ Enabled: true });
    const expected = rollBackAlarms(id).map((name) => ({ Name: named(name) }));
    expect(Properties.AlarmConfiguration?.Alarms, id).toHaveLength(expected.length);
    expect(Properties.AlarmConfiguration?.Alarms, id).toEqual(expect.arrayContaining(expected));
  }
});

test('failing steps roll back a new workflow', () => {
  const aliases = Object.values(synthesized.service('prod').ofType('AWS::StepFunctions::StateMachineAlias'));
  expect(aliases).toHaveLength(workflowNames.length);
  const rolledBack = { DeploymentPreference: { Type: 'CANARY', Alarms: [named('WorkflowErrors')] } };
  for (const { Properties } of aliases) expect(Properties).toMatchObject(rolledBack);
});

test('some alarm covers the errors of each function that has no route', () => {
  const expressions = {
    WorkflowErrors: steps.map((name) => `FILL(${name}, 0)`).join(' + '),
    SettlementErrors: 'FILL(settleExecution, 0)',
    DeliveryErrors: 'FILL(deliverWebhook, 0)',
    ReconciliationErrors: 'FILL(reconcileOrders, 0) + FILL(reconcileSubscriptions, 0) + FILL(processPaymentEvent, 0)',
    InboxErrors: 'FILL(processInboxMessage, 0) + FILL(scheduleInboxSyncs, 0)',
    ExportErrors: 'FILL(makeExports, 0)',
    UpkeepErrors: 'FILL(sweepTasks, 0) + FILL(auditLedger, 0) + FILL(eraseClosedAccounts, 0)',
  };
  const names = Object.keys(expressions);
  expect(Object.fromEntries(names.map((name) => [name, expressionOf(name)]))).toEqual(expressions);
  const watched = names.flatMap((name) => prodAlarm(name).Metrics?.map(({ Id }) => Id));
  expect(watched).toEqual(expect.arrayContaining(Object.keys(workerTimeoutSeconds)));
});

test('the alarm for the failure rate has a value even if no task completes or none fails', () => {
  expect(expressionOf('FailingTasks')).toBe(
    'IF(FILL(failed, 0) + FILL(completed, 0) >= 20, 100 * FILL(failed, 0) / (FILL(failed, 0) + FILL(completed, 0)), 0)',
  );
});

test('only responses with status 500 count as errors of the service in alarms', () => {
  const service = synthesized.service('prod');
  const { FilterPattern, LogGroupName, MetricTransformations } = service.one<{
    FilterPattern: string;
    LogGroupName: unknown;
    MetricTransformations: unknown;
  }>('AWS::Logs::MetricFilter').Properties;
  expect(FilterPattern).toBe('{ $.status = "500" }');
  const metric = { MetricNamespace: 'GenerationService/prod', MetricName: 'ServerErrors' };
  expect(MetricTransformations).toEqual([{ ...metric, MetricValue: '1' }]);
  expect(prodAlarm('ServerErrors')).toMatchObject({
    Namespace: 'GenerationService/prod',
    MetricName: 'ServerErrors',
    Statistic: 'Sum',
    Period: 60,
  });
  // The metric filter's log is the one that requests are written to, each with its status as a string.
  const { AccessLogSetting } = service.one<{ AccessLogSetting: { DestinationArn: unknown; Format: string } }>(
    'AWS::ApiGateway::Stage',
  ).Properties;
  expect(textOf(AccessLogSetting.DestinationArn)).toMatch(new RegExp(`:log-group:${textOf(LogGroupName)}$`));
  expect(JSON.parse(AccessLogSetting.Format)).toMatchObject({ status: '$context.status' });
});

test('only alarms of the stage’s own AWS account may publish notifications', () => {
  const { PolicyDocument } = synthesized
    .service('prod')
    .one<{ PolicyDocument: { Statement: object[] } }>('AWS::SNS::TopicPolicy').Properties;
  const publishing = PolicyDocument.Statement.filter((statement) => JSON.stringify(statement).includes('cloudwatch'));
  expect(publishing).toMatchObject([
    { Action: 'sns:Publish', Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } } },
  ]);
});

test('the metrics dashboard shows AWS metrics next to those of the service', () => {
  const body = JSON.stringify(synthesized.service('prod').one('AWS::CloudWatch::Dashboard').Properties);
  const parts = ['5XXError', 'Errors', 'Throttles', 'ExecutionsFailed', 'ApproximateAgeOfOldestMessage'];
  const missing = [...parts, 'ApproximateNumberOfMessagesVisible'].filter((name) => !body.includes(`\\"${name}\\"`));
  expect(missing).toEqual([]);
});
