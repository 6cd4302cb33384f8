/** What clients and operators use: the API's routes, the alarms for the whole stage, the dashboard and the outputs. */
import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import type { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { type IFunction, Function as Lambda } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { listOf } from '../../shared/platform/settings.ts';
import type { FunctionName } from '../hosting.ts';
import { stageAlarms } from './alarm-definitions.ts';
import { Alarms } from './alarms.ts';
import { Api } from './api.ts';
import type { BaseStack } from './base-stack.ts';
import type { CapabilityStack } from './capability-stack.ts';
import type { Dashboard } from './dashboard/dashboard.ts';
import type { DataStack } from './data-stack.ts';
import { Firewall } from './firewall.ts';
import { functionNames } from './grants.ts';
import { OperationsDashboard } from './operations-dashboard.ts';
import { SavedQueries } from './saved-queries.ts';
import { ProviderKeys } from './secrets.ts';
import type { ServiceFunctions } from './service-functions.ts';
import type { Stage } from './stages.ts';
import type { Workflows } from './workflows.ts';

export interface ServiceStackProps extends StackProps {
  readonly stage: Stage;
  readonly data: DataStack;
  readonly base: BaseStack;
  readonly dashboard?: Dashboard;
  readonly capabilities: readonly CapabilityStack[];
}

const capitalized = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

export class ServiceStack extends Stack {
  readonly #props: ServiceStackProps;

  constructor(scope: Construct, id: string, props: ServiceStackProps) {
    const { stage, data: _data, base, dashboard, capabilities: _capabilities, ...stackProps } = props;
    super(scope, id, stackProps);
    this.#props = props;
    const api = new Api(this, 'Api', { stage, base, live: (name) => this.#live(name) });
    if (stage.firewall) new Firewall(this, 'Firewall', api.stageArn, dashboard?.guarded);
    this.#watch();
    this.#output();
  }

  get #workflows(): Workflows {
    const workflows = this.#props.capabilities.find((capability) => capability.workflows)?.workflows;
    if (!workflows) throw new Error('No capability has the steps of the workflows.');
    return workflows;
  }

  #functionsWith(name: FunctionName): ServiceFunctions {
    const capability = this.#props.capabilities.find(({ names }) => names.includes(name));
    if (!capability) throw new Error(`The function ${name} belongs to no capability.`);
    return capability.functions;
  }

  #live(name: FunctionName): IFunction {
    return this.#functionsWith(name).live(name);
  }

  #metrics(what: 'Errors' | 'Throttles'): Metric[] {
    return functionNames.map((name) => this.#functionsWith(name).metric(name, what));
  }

  #watch(): void {
    const { stage, data, base } = this.#props;
    const { webhooks, paymentEvents, inbox } = data.queues;
    const alarms = stageAlarms(stage, {
      throttles: Lambda.metricAllThrottles({ statistic: 'Sum' }),
      throttledExecutions: this.#workflows.throttled,
      deadLetters: webhooks.deadLetters,
      paymentDeadLetters: paymentEvents.deadLetters,
      inboxDeadLetters: inbox.deadLetters,
    });
    new Alarms(this, 'Alarms', base.alarmTopic, alarms);
    // Emulators reject templates with saved queries.
    if (!stage.emulatorUrl) new SavedQueries(this, 'Queries', stage);
    new OperationsDashboard(this, 'Operations', stage, {
      'Responses from 500 on': [base.address.responsesFrom500, base.accessLog.serverErrors],
      'Executions without success': this.#workflows.failures,
      'Errors of functions': this.#metrics('Errors'),
      'Throttles of functions': this.#metrics('Throttles'),
      'Age of the oldest message in a queue, seconds': [
        webhooks.oldestMessageAge,
        paymentEvents.oldestMessageAge,
        inbox.oldestMessageAge,
      ],
      'Dead letters': [webhooks.deadLetters, paymentEvents.deadLetters, inbox.deadLetters],
    });
  }

  /** Outputs for operators and their tools; outputs that are settings have the settings' names. */
  #output(): void {
    const { stage, data, base, dashboard } = this.#props;
    const { id: ApiId, url: ApiUrl, domain } = base.address;
    const providerKeys = new ProviderKeys(this, 'ProviderKeys', stage);
    const outputs = {
      ApiUrl,
      ApiId,
      // The target for the DNS record of the domain.
      ...(domain && {
        DomainTarget: domain.domainNameAliasDomainName,
        DomainHostedZoneId: domain.domainNameAliasHostedZoneId,
      }),
      ResultsUrl: data.results.url,
      ResultsRetentionDays: String(stage.resultsRetentionDays),
      ...(data.results.domainTarget && { ResultsDomainTarget: data.results.domainTarget }),
      TableName: data.table.name,
      ResultsBucket: data.results.name,
      InputsBucket: data.inputs.name,
      WebhookQueueUrl: data.queues.webhooks.url,
      WebhookDeadLettersUrl: data.queues.webhooks.deadLettersUrl,
      PaymentQueueUrl: data.queues.paymentEvents.url,
      PaymentDeadLettersUrl: data.queues.paymentEvents.deadLettersUrl,
      InboxQueueUrl: data.queues.inbox.url,
      InboxDeadLettersUrl: data.queues.inbox.deadLettersUrl,
      CredentialsKey: data.credentialsKey.arn,
      ContentSigningKey: data.contentKey.arn,
      // The key that signs, by ARN and by name; then the labels of all keys, and their secrets in the same order.
      ContentCertificates: data.contentKey.certificates[0].secretArn,
      ContentCertificatesSecret: data.contentKey.certificates[0].secretName,
      ContentKeyLabels: listOf(stage.contentCredentials.keys),
      ContentCertificatesSecrets: listOf(data.contentKey.certificates.map(({ secretName }) => secretName)),
      ...(stage.contentCredentials.offBecause !== undefined && {
        ContentCredentialsOff: stage.contentCredentials.offBecause,
      }),
      WebhookTokenKey: data.webhookKeys.tokenKeyArn,
      WebhookSigningKeys: data.webhookKeys.signingKeys,
      StateMachineArns: this.#workflows.startArns(),
      AlarmTopicArn: base.alarmTopic.topic.topicArn,
      Engines: listOf(Object.keys(stage.engines)),
      ...Object.fromEntries(Object.entries(providerKeys.settings).map(([name, value]) => [capitalized(name), value])),
      ...providerKeys.outputs,
      ...dashboard?.outputs,
    };
    for (const [name, value] of Object.entries(outputs)) new CfnOutput(this, name, { value });
  }
}
