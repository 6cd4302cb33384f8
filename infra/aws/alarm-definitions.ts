/** The alarms: the metric and threshold of each, its impact on users, and where to begin. */
import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, type Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { longestTimeLimitSeconds } from '../../shared/contracts/generate.ts';
import { overdueMs } from '../../shared/domain/tasks/task.ts';
import type { FunctionName, WorkerName } from '../hosting.ts';
import { serviceMetric } from './metrics.ts';
import type { Stage } from './stages.ts';

/** Subjects of the alarms on a whole stage. */
export interface AlarmSubjects {
  /** Invocations throttled by Lambda in five minutes, of all functions of the account. */
  readonly throttles: IMetric;
  /** Executions whose start or transitions Step Functions throttled in five minutes. */
  readonly throttledExecutions: IMetric;
  /** The number of dead letters: of webhooks, of payment events, and of the piloto inbox. */
  readonly deadLetters: IMetric;
  readonly paymentDeadLetters: IMetric;
  readonly inboxDeadLetters: IMetric;
}

export interface AlarmDefinition {
  readonly metric: IMetric;
  /** It goes off above this. */
  readonly threshold: number;
  /** How many periods of the metric in a row. */
  readonly periods?: number;
  /**
   * Whether something is measured all the time, so that silence is a fault. Before the first measurement the alarm has no
   * data, which notifies nobody; treating missing data as breaching would raise it with every new stage.
   */
  readonly isContinuous?: boolean;
  /** What a deployment in progress rolls back while the alarm is on. */
  readonly rollsBack?: 'functions' | 'functions and workflow';
  /** What users notice. */
  readonly impact: string;
  /** Where to begin: a heading of docs/operations.md. */
  readonly runbook: string;
}

/** By the names of the alarms. */
export type AlarmDefinitions = Readonly<Record<string, AlarmDefinition>>;

/** Failed invocations of a function in five minutes. */
type ErrorsOf = (name: FunctionName) => IMetric;

/** Five minutes more than the sweeper leaves to any task. */
const oldestAllowedSeconds = longestTimeLimitSeconds + overdueMs / 1000 + 300;

/** A metric that is recorded only on events counts as 0 in between: an expression over missing data has no value. */
const filled = (name: string): string => `FILL(${name}, 0)`;

function sumOfErrors(names: readonly WorkerName[], errorsOf: ErrorsOf): MathExpression {
  return new MathExpression({
    expression: names.map(filled).join(' + '),
    usingMetrics: Object.fromEntries(names.map((name) => [name, errorsOf(name)])),
    period: Duration.minutes(5),
    label: 'Errors',
  });
}

/** Alarms on violated guarantees. */
const violatedGuarantees = (stage: Stage, { deadLetters }: AlarmSubjects): AlarmDefinitions => ({
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
  AccountsUnaudited: {
    metric: serviceMetric(stage, 'AccountsUnaudited').with({ period: Duration.hours(1) }),
    threshold: 0,
    periods: 3,
    // Every audit records it: silence means that no audit completes.
    isContinuous: true,
    impact:
      'For hours the balances have not all been compared with their ledgers: a wrong charge would not be noticed.',
    runbook: 'Credits do not add up',
  },
  OldestOpenTask: {
    metric: serviceMetric(stage, 'OldestOpenTaskAge'),
    threshold: oldestAllowedSeconds,
    periods: 2,
    // Recorded every minute: silence means that the sweeper does not run.
    isContinuous: true,
    impact: 'A task has been open for longer than its time limit, or the sweeper does not run.',
    runbook: 'Heal a stuck task',
  },
  DeadLetters: {
    metric: deadLetters,
    // It rolls nothing back: a dead letter appears too late for a canary, and stays until an operator redrives it.
    threshold: 0,
    impact: 'Webhooks are not attempted, because our own code fails to process them.',
    runbook: 'Redrive dead letters',
  },
});

/** Alarms on payments. They roll nothing back: a gateway that is down must not keep code from being deployed. */
const payments = (stage: Stage, { paymentDeadLetters }: AlarmSubjects): AlarmDefinitions => ({
  PaymentDeadLetters: {
    metric: paymentDeadLetters,
    threshold: 0,
    impact: 'Events of payments could not be processed for an hour: credits depend on the reconciliation alone.',
    runbook: 'Redrive dead letters',
  },
  BillingCases: {
    metric: serviceMetric(stage, 'OpenBillingCases'),
    threshold: 0,
    impact: 'Money was paid or returned in a way that needs a decision: until then, somebody has paid for nothing.',
    runbook: 'A payment needs a decision',
  },
  ReconciliationFailures: {
    metric: serviceMetric(stage, 'ReconciliationFailures'),
    threshold: 0,
    periods: 6,
    impact:
      'A payment cannot be read or applied, or payments cannot be searched: it may never be credited or refunded.',
    runbook: 'Payments are not credited',
  },
  OverdueOrders: {
    metric: serviceMetric(stage, 'OldestOverdueOrderAge'),
    threshold: 3600,
    periods: 3,
    // Every reconciliation records it: silence means that none completes.
    isContinuous: true,
    impact: 'Orders are not compared with the payment gateway: buyers may wait for credits that they have paid.',
    runbook: 'Payments are not credited',
  },
  RejectedPaymentEvents: {
    metric: serviceMetric(stage, 'PaymentEventsRejected'),
    threshold: 20,
    periods: 3,
    impact: 'Events of a payment gateway are not believed: what was paid is credited minutes late.',
    runbook: 'Payment events are rejected',
  },
});

/** Alarms on subscriptions, which roll nothing back either. */
const subscriptions = (stage: Stage): AlarmDefinitions => ({
  OverdueSubscriptions: {
    metric: serviceMetric(stage, 'OldestOverdueSubscriptionAge'),
    threshold: 3600,
    periods: 3,
    // Every reconciliation records it: silence means that none completes.
    isContinuous: true,
    impact:
      'Subscriptions, or the search for those that have changed, are not compared with the gateway in time: paid months may be missing, or unpaid ones be used.',
    runbook: 'Payments are not credited',
  },
  FailingRenewals: {
    metric: serviceMetric(stage, 'SubscriptionsPastDue').with({ period: Duration.hours(1) }),
    threshold: 20,
    impact: 'Many renewals are not paid: those customers lose their plan after three days, and get no credits.',
    runbook: 'Renewals fail',
  },
});

/** Alarms on connected pages, which roll nothing back: a network that is down must not keep code from being deployed. */
const inbox = (stage: Stage, { inboxDeadLetters }: AlarmSubjects): AlarmDefinitions => ({
  InboxDeadLetters: {
    metric: inboxDeadLetters,
    threshold: 0,
    impact: 'Events of connected pages could not be applied: inboxes depend on their synchronization alone.',
    runbook: 'Redrive dead letters',
  },
  OverdueInboxes: {
    metric: serviceMetric(stage, 'OldestOverdueInboxAge'),
    threshold: 900,
    periods: 3,
    // Recorded every minute: silence means that the schedule does not run.
    isContinuous: true,
    impact:
      'Inboxes are not compared with their networks: lost messages stay lost, and disconnected pages are not erased.',
    runbook: 'Inboxes are behind',
  },
  FailingInboxes: {
    metric: serviceMetric(stage, 'InboxSyncFailures'),
    threshold: 50,
    periods: 3,
    impact: 'A social network is down or throttles the service: inboxes are behind.',
    runbook: 'Inboxes are behind',
  },
  RevokedConnections: {
    metric: serviceMetric(stage, 'ConnectionsRevoked').with({ period: Duration.hours(1) }),
    threshold: 5,
    impact: 'Many pages must be connected again: until then, nobody can answer there.',
    runbook: 'Connections are revoked',
  },
  EndingTokens: {
    metric: serviceMetric(stage, 'TokensEndingSoon').with({ period: Duration.hours(1) }),
    threshold: 0,
    impact: 'The token of a connected page could not be renewed: within a week, nobody can answer there.',
    runbook: 'Tokens end soon',
  },
  RejectedSocialEvents: {
    metric: serviceMetric(stage, 'SocialEventsRejected'),
    threshold: 20,
    periods: 3,
    impact: 'Events of a social network are not believed: messages appear minutes late.',
    runbook: 'Inboxes are behind',
  },
});

/** Alarms on what happens occasionally and must not become frequent. */
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
  ExhaustedWebhooks: {
    metric: serviceMetric(stage, 'WebhooksExhausted'),
    threshold: 50,
    periods: 3,
    impact: 'Many webhooks are not delivered: a receiver of many tasks is down, or our outbound connections fail.',
    runbook: 'Webhooks do not arrive',
  },
});

/** Rolls back functions while requests fail because of them. */
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
  /** The functions whose errors it adds up, all of one stack. */
  readonly workers: readonly WorkerName[];
}

/** Alarms that reveal bad code within the minutes in which it gets a tenth of the calls. */
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
    // A single task whose result cannot be fetched causes five.
    threshold: 20,
    rollsBack: 'functions and workflow',
    impact: 'Steps of the workflow fail: tasks end late, or fail and are refunded.',
    runbook: 'Tasks fail',
  },
  SettlementErrors: {
    workers: ['settleExecution'],
    // An event is handled three times before it is abandoned.
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
  UpkeepErrors: {
    workers: ['sweepTasks', 'auditLedger'],
    threshold: 2,
    rollsBack: 'functions',
    impact: 'The sweeper or the audit fails: stuck tasks stay open, or wrong charges are not noticed.',
    runbook: 'Heal a stuck task',
  },
};

/** The alarms on the errors of some functions, all of one stack. @throws {Error} */
export function alarmsOnErrors(stage: Stage, names: readonly FunctionName[], errorsOf: ErrorsOf): AlarmDefinitions {
  const raised = Object.entries(workerAlarms).flatMap(([name, { workers, ...definition }]) => {
    const own = workers.filter((worker) => names.includes(worker));
    if (own.length === 0) return [];
    if (own.length < workers.length) throw new Error(`The functions of the alarm ${name} are in several stacks.`);
    return [[name, { ...definition, metric: sumOfErrors(workers, errorsOf) }] as const];
  });
  return supportedBy(stage, Object.fromEntries(raised));
}

/** Emulators do not support alarms on metric math. */
const supportedBy = ({ emulatorUrl }: Stage, definitions: AlarmDefinitions): AlarmDefinitions =>
  Object.fromEntries(
    Object.entries(definitions).filter(([, { metric }]) => !emulatorUrl || !(metric instanceof MathExpression)),
  );

/** The alarms on a stage as a whole. */
export const stageAlarms = (stage: Stage, subjects: AlarmSubjects): AlarmDefinitions =>
  supportedBy(stage, {
    ...violatedGuarantees(stage, subjects),
    ...payments(stage, subjects),
    ...subscriptions(stage),
    ...inbox(stage, subjects),
    ...poorService(stage, subjects),
  });
