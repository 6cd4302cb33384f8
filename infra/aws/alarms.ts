/** What wakes somebody: each alarm says what it means for users, and what to do first. */
import { Stack, Validations } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription, UrlSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import { type AlarmDefinition, type AlarmSubjects, alarmDefinitions } from './alarm-definitions.ts';
import type { Stage } from './stages.ts';

export class Alarms extends Construct {
  /** Those that go off within minutes when new functions are no good. */
  readonly ofFunctions: readonly Alarm[];
  /** Those among them that a new workflow is taken back by, too. */
  readonly ofWorkflow: readonly Alarm[];

  constructor(scope: Construct, id: string, stage: Stage, subjects: AlarmSubjects) {
    super(scope, id);
    const action = new SnsAction(this.#topic(stage));
    const made = alarmDefinitions(stage, subjects).map(([name, definition]) => {
      const alarm = this.#raise(name, definition);
      alarm.addAlarmAction(action);
      return { alarm, takesBack: definition.takesBack };
    });
    this.ofFunctions = made.filter(({ takesBack }) => takesBack !== undefined).map(({ alarm }) => alarm);
    this.ofWorkflow = made.filter(({ takesBack }) => takesBack === 'functions and workflow').map(({ alarm }) => alarm);
  }

  /** CloudWatch may publish, on behalf of this account's alarms alone. */
  #topic({ alarmEmail, alarmUrl, name }: Stage): Topic {
    const topic = new Topic(this, 'Topic', { displayName: `Generation Service, ${name}`, enforceSSL: true });
    topic.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [topic.topicArn],
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
      }),
    );
    if (alarmEmail) topic.addSubscription(new EmailSubscription(alarmEmail));
    if (alarmUrl) topic.addSubscription(new UrlSubscription(alarmUrl));
    Validations.of(topic).acknowledge({
      id: 'Serverless-SNSRedrivePolicy',
      reason: 'Nobody would read undelivered notifications in a queue: the alarm itself stays on.',
    });
    return topic;
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
