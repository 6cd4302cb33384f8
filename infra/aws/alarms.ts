/** Alarms that notify operators; each description states the impact on users and where to start. */
import { Alarm, ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { Construct } from 'constructs';
import type { AlarmDefinition, AlarmDefinitions } from './alarm-definition.ts';
import type { AlarmTopic } from './alarm-topic.ts';

export class Alarms extends Construct {
  /** Alarms that go into ALARM state within minutes after faulty functions are deployed. */
  readonly ofFunctions: readonly Alarm[];
  /** The alarms that also roll back a new workflow and its steps. */
  readonly ofWorkflow: readonly Alarm[];

  constructor(scope: Construct, id: string, { topic }: AlarmTopic, definitions: AlarmDefinitions) {
    super(scope, id);
    const action = new SnsAction(topic);
    const raised = Object.entries(definitions).map(([name, definition]) => {
      const alarm = this.#raise(name, definition);
      alarm.addAlarmAction(action);
      if (definition.isContinuous) alarm.addInsufficientDataAction(action);
      return { alarm, rollsBack: definition.rollsBack };
    });
    this.ofFunctions = raised.filter(({ rollsBack }) => rollsBack !== undefined).map(({ alarm }) => alarm);
    this.ofWorkflow = raised
      .filter(({ rollsBack }) => rollsBack === 'functions and workflow')
      .map(({ alarm }) => alarm);
  }

  #raise(name: string, { metric, threshold, periods = 1, isContinuous, impact, runbook }: AlarmDefinition): Alarm {
    return new Alarm(this, name, {
      metric,
      threshold,
      evaluationPeriods: periods,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      treatMissingData: isContinuous ? TreatMissingData.MISSING : TreatMissingData.NOT_BREACHING,
      alarmDescription: `${impact} Runbook: docs/alarms.md, "${runbook}".`,
    });
  }
}
