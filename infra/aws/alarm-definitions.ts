/** The alarms of a stage; those for figures, billing, closed accounts and the inbox have files of their own. */
import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, type Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { longestTimeLimitSeconds } from '../../shared/contracts/limits.ts';
import { overdueMs } from '../../shared/domain/tasks/task.ts';
import type { FunctionName, WorkerName } from '../hosting.ts';
import type { AlarmDefinition, AlarmDefinitions, AlarmSubjects } from './alarm-definition.ts';
import { billingAlarms } from './billing-alarms.ts';
import { closureAlarms } from './closure-alarms.ts';
import { figureAlarms } from './figure-alarms.ts';
import { inboxAlarms } from './inbox-alarms.ts';
import { serviceMetric } from './metrics.ts';
import type { Stage } from './stages.ts';

/** Failed invocations of a function in five minutes. */
type ErrorsOf = (name: FunctionName) => IMetric;

/** Five minutes more than the longest time after which the sweeper ends a task. */
const oldestAllowedSeconds = longestTimeLimitSeconds + overdueMs / 1000 + 300;

/**
 * Replaces gaps by 0: a metric that is recorded only on events has no value in between, so an expression over it would
 * have none either.
 */
const filled = (name: string): string => `FILL(${name}, 0)`;

function sumOfErrors(names: readonly WorkerName[], errorsOf: ErrorsOf): MathExpression {
  return new MathExpression({
    expression: names.map(filled).join(' + '),
    usingMetrics: Object.fromEntries(names.map((name) => [name, errorsOf(name)])),
    period: Duration.minutes(5),
    label: 'Errors',
  });
}

const violatedGuarantees = (stage: Stage, { deadLetters }: AlarmSubjects): AlarmDefinitions => ({
  LedgerDrift: {
    metric: serviceMetric(stage, 'LedgerDrift'),
    threshold: 0,
    impact: 'The balance of an account is not the sum of its ledger: an account was charged wrongly.',
    runbook: 'Credits do not add up',
  },
  SlotDrift: {
    metric: serviceMetric(stage, 'SlotDrift'),
    threshold: 0,
    impact: 'An account may have fewer open tasks at once than it should, or more.',
    runbook: 'Credits do not add up',
  },
  DriftsCorrected: {
    metric: serviceMetric(stage, 'DriftsCorrected'),
    threshold: 0,
    impact:
      'A balance was set to the sum of its ledger, or slots to the open tasks: what brought them out of step may go on.',
    runbook: 'Credits do not add up',
  },
  AccountsUnaudited: {
    metric: serviceMetric(stage, 'AccountsUnaudited').with({ period: Duration.hours(1) }),
    threshold: 0,
    periods: 3,
    // Every audit records this metric, so missing data means that no audit completes.
    isContinuous: true,
    impact: 'For hours, not all balances have been compared with their ledgers: a wrong charge would not be noticed.',
    runbook: 'Credits do not add up',
  },
  RowsLeftOut: {
    metric: serviceMetric(stage, 'RowsLeftOut'),
    threshold: 0,
    impact: 'A task, order, message or other row cannot be read: its owner does not find it in a list.',
    runbook: 'A list lacks a row',
  },
  OldestOpenTask: {
    metric: serviceMetric(stage, 'OldestOpenTaskAge'),
    threshold: oldestAllowedSeconds,
    periods: 2,
    // Every sweep records this metric, once a minute, so missing data means that the sweeper does not run.
    isContinuous: true,
    impact: 'A task has been open for longer than its time limit, or the sweeper does not run.',
    runbook: 'Heal a stuck task',
  },
  DeadLetters: {
    metric: deadLetters,
    // This alarm rolls nothing back: a dead letter appears too late for a canary, and remains until an operator
    // redrives it.
    threshold: 0,
    impact: 'Webhooks are not attempted, because our own code fails to process them.',
    runbook: 'Redrive dead letters',
  },
});

/** What YouTube grants the service on a day of the Pacific time zone: a look-up takes one of these. */
const lookupsOfDay = 10_000;

/** Alarms for the look-ups of linked videos, of which a video site grants the whole service only so many. */
const scarceLookups = (stage: Stage): AlarmDefinitions => ({
  ManyVideoLookups: {
    metric: serviceMetric(stage, 'VideoLookups').with({ period: Duration.days(1) }),
    threshold: 0.7 * lookupsOfDay,
    impact: 'Most of the look-ups that YouTube grants for a day are used: soon, links to its videos are rejected.',
    runbook: 'Links to videos are rejected',
  },
  FailingVideoLookups: {
    metric: serviceMetric(stage, 'VideoLookupFailures'),
    threshold: 5,
    impact: 'YouTube does not say how long videos are: links to them are rejected with 502.',
    runbook: 'Links to videos are rejected',
  },
});

/** Alarms for events that are acceptable occasionally but must not become frequent. */
const poorService = (stage: Stage, { throttles, throttledExecutions }: AlarmSubjects): AlarmDefinitions => ({
  Throttles: {
    metric: throttles,
    threshold: 50,
    periods: 2,
    impact: 'Functions are not invoked for lack of concurrency: requests get 503, and tasks and webhooks are late.',
    runbook: 'Calls are throttled',
  },
  ExecutionsThrottled: {
    metric: throttledExecutions,
    threshold: 50,
    periods: 2,
    impact: 'Step Functions throttles the workflow: tasks start or end late.',
    runbook: 'Calls are throttled',
  },
  FailingTasks: {
    metric: new MathExpression({
      expression: `IF(${filled('failed')} + ${filled('completed')} >= 20, 100 * ${filled('failed')} / (${filled('failed')} + ${filled('completed')}), 0)`,
      usingMetrics: {
        failed: serviceMetric(stage, 'TasksFailed'),
        completed: serviceMetric(stage, 'TasksCompleted'),
      },
      period: Duration.minutes(5),
      label: 'Failed tasks, per cent',
    }),
    threshold: 20,
    periods: 3,
    impact: 'More than a fifth of all tasks fail: users get refunds instead of results.',
    runbook: 'Tasks fail',
  },
  ResultsTooLong: {
    metric: serviceMetric(stage, 'ResultsTooLong'),
    threshold: 0,
    impact: 'Results longer than paid for are refunded, and limit accounts until "account lift-limits".',
    runbook: 'Tasks fail',
  },
  MediaReaderFailures: {
    metric: serviceMetric(stage, 'MediaReaderFailures'),
    threshold: 5,
    impact: 'An error in a reader of media files: files that may be in order are rejected as unreadable.',
    runbook: 'Files are rejected',
  },
  ExhaustedWebhooks: {
    metric: serviceMetric(stage, 'WebhooksExhausted'),
    threshold: 50,
    periods: 3,
    impact: 'Many webhooks are not delivered: a receiver of many tasks is down, or our outbound connections fail.',
    runbook: 'Webhooks do not arrive',
  },
});

/** The alarm for results without Content Credentials, whether or not the stage accepts them. */
const unmarkedResults = (stage: Stage): AlarmDefinitions => ({
  ResultsUnmarked: {
    metric: serviceMetric(stage, 'ResultsUnmarked'),
    threshold: 0,
    impact: 'Results cannot be marked as made with AI: their tasks fail and are refunded, or they are stored unmarked.',
    runbook: 'Results cannot be marked',
  },
  ResultsUnstamped: {
    metric: serviceMetric(stage, 'ResultsUnstamped'),
    threshold: 0,
    impact: 'The marks of results have no time stamp: they are valid only as long as the certificate of the key.',
    runbook: 'Results have no time stamp',
  },
  ContentCertificateEnding: {
    // Every audit records this metric, once an hour.
    metric: serviceMetric(stage, 'ContentCertificateEnding').with({ period: Duration.hours(1) }),
    threshold: 0,
    impact: 'The certificate of the key that marks results ends within 30 days; after that, no result can be marked.',
    runbook: 'The certificate for results ends',
  },
});

/** Alarms for failing requests, which roll back functions. */
export const requestAlarms = (serverErrors: Metric): AlarmDefinitions => ({
  ServerErrors: {
    metric: serverErrors.with({ period: Duration.minutes(1) }),
    threshold: 10,
    rollsBack: 'functions',
    impact: 'Requests get a 500 response: clients try again, and some give up.',
    runbook: 'Follow one request',
  },
});

interface WorkerAlarm extends Omit<AlarmDefinition, 'metric'> {
  /** The functions whose errors are summed, all in one stack. */
  readonly workers: readonly WorkerName[];
}

/** Alarms that reveal faulty code within minutes, while the new version gets a tenth of the calls. */
const workerAlarms: Readonly<Record<string, WorkerAlarm>> = {
  WorkflowErrors: {
    workers: [
      'planCopy',
      'copyPart',
      'completeCopy',
      'askClipEngine',
      'rankClips',
      'reportClips',
      'askEngine',
      'finalize',
    ],
    // A single task whose result cannot be downloaded causes five errors.
    threshold: 20,
    rollsBack: 'functions and workflow',
    impact: 'Steps of the workflow fail: tasks end late, or fail and are refunded.',
    runbook: 'Tasks fail',
  },
  SettlementErrors: {
    workers: ['settleExecution'],
    // An event is processed three times before it becomes a dead letter.
    threshold: 2,
    rollsBack: 'functions',
    impact: 'Executions that failed are not settled: their tasks stay open until the sweeper ends them.',
    runbook: 'Heal a stuck task',
  },
  DeliveryErrors: {
    workers: ['deliverWebhook'],
    threshold: 20,
    rollsBack: 'functions',
    impact: 'Our own code fails to process webhooks: they are late, or become dead letters.',
    runbook: 'Redrive dead letters',
  },
  ReconciliationErrors: {
    workers: ['reconcileOrders', 'reconcileSubscriptions', 'processPaymentEvent'],
    threshold: 2,
    impact: 'Payments cannot be compared with their gateways, or events fail: what was paid is credited late.',
    runbook: 'Payments are not credited',
  },
  InboxErrors: {
    workers: ['processInboxMessage', 'scheduleInboxSyncs'],
    threshold: 2,
    impact: 'Inboxes are not synchronized, or disconnected pages are not erased.',
    runbook: 'Inboxes are behind',
  },
  ExportErrors: {
    workers: ['makeExports'],
    threshold: 2,
    impact: 'Archives that owners requested are not made, or those whose time is over are not deleted.',
    runbook: 'Exports fail',
  },
  UpkeepErrors: {
    workers: ['sweepTasks', 'auditLedger', 'eraseClosedAccounts'],
    threshold: 2,
    rollsBack: 'functions',
    impact:
      'The sweeper, the audit or the erasure fails: stuck tasks stay open, wrong charges are not noticed, or closed accounts are kept.',
    runbook: 'Heal a stuck task',
  },
};

/** The alarms for errors of the given functions, all in one stack. @throws {Error} */
export function alarmsOnErrors(stage: Stage, names: readonly FunctionName[], errorsOf: ErrorsOf): AlarmDefinitions {
  const raised = Object.entries(workerAlarms).flatMap(([name, { workers, ...definition }]) => {
    const own = workers.filter((worker) => names.includes(worker));
    if (own.length === 0) return [];
    if (own.length < workers.length) throw new Error(`The functions of the alarm ${name} are in several stacks.`);
    return [[name, { ...definition, metric: sumOfErrors(workers, errorsOf) }] as const];
  });
  return supportedBy(stage, Object.fromEntries(raised));
}

/** Removes alarms on metric math, which emulators do not support. */
const supportedBy = ({ emulatorUrl }: Stage, definitions: AlarmDefinitions): AlarmDefinitions =>
  Object.fromEntries(
    Object.entries(definitions).filter(([, { metric }]) => !emulatorUrl || !(metric instanceof MathExpression)),
  );

/** The alarms for a stage as a whole. */
export const stageAlarms = (stage: Stage, subjects: AlarmSubjects): AlarmDefinitions =>
  supportedBy(stage, {
    ...figureAlarms(stage),
    ...violatedGuarantees(stage, subjects),
    ...closureAlarms(stage),
    ...billingAlarms(stage, subjects),
    ...inboxAlarms(stage, subjects),
    ...poorService(stage, subjects),
    ...scarceLookups(stage),
    ...unmarkedResults(stage),
  });
