/** What an alarm is: a metric and its threshold, its impact on users, and where to begin. */
import type { IMetric } from 'aws-cdk-lib/aws-cloudwatch';

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
  /** Where to begin: a heading of docs/alarms.md. */
  readonly runbook: string;
}

/** By the names of the alarms. */
export type AlarmDefinitions = Readonly<Record<string, AlarmDefinition>>;
