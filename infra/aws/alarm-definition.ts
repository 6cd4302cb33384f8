/** An alarm: its metric and threshold, its impact on users, and where to start investigating. */
import type { IMetric } from 'aws-cdk-lib/aws-cloudwatch';

/** The metrics of the alarms for a whole stage. */
export interface AlarmSubjects {
  /** Invocations throttled by Lambda in five minutes, across all functions of the account. */
  readonly throttles: IMetric;
  /** Executions whose start or transitions Step Functions throttled in five minutes. */
  readonly throttledExecutions: IMetric;
  /** The numbers of dead letters in the queues for webhooks, payment events and the inbox. */
  readonly deadLetters: IMetric;
  readonly paymentDeadLetters: IMetric;
  readonly inboxDeadLetters: IMetric;
}

export interface AlarmDefinition {
  readonly metric: IMetric;
  /** The alarm goes into ALARM state when the metric is above this value. */
  readonly threshold: number;
  /** How many consecutive periods must be above the threshold. */
  readonly periods?: number;
  /**
   * Whether the metric is recorded continuously, so that missing data indicates a fault. Before the first measurement,
   * the alarm has no data and notifies no one; treating missing data as breaching would raise it on every new stage.
   */
  readonly isContinuous?: boolean;
  /** What a running deployment rolls back while the alarm is in ALARM state. */
  readonly rollsBack?: 'functions' | 'functions and workflow';
  /** What users notice while the alarm is in ALARM state. */
  readonly impact: string;
  /** The runbook: a heading in docs/alarms.md. */
  readonly runbook: string;
}

/** Alarm definitions by name. */
export type AlarmDefinitions = Readonly<Record<string, AlarmDefinition>>;
