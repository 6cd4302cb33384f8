/** What does the work, and can be replaced at any time: functions, API, workflow, schedules and alarms. */
import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import { Function as Lambda } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { type FunctionName, routes } from '../hosting.ts';
import { Alarms } from './alarms.ts';
import { Api } from './api.ts';
import type { Bundles } from './bundles.ts';
import type { DataStack } from './data-stack.ts';
import { Firewall } from './firewall.ts';
import { functionNames } from './grants.ts';
import { OperationsDashboard } from './operations-dashboard.ts';
import type { Parts } from './permissions.ts';
import { Schedules } from './schedules.ts';
import { EngineKeys } from './secrets.ts';
import { ServiceFunctions } from './service-functions.ts';
import type { Stage } from './stages.ts';
import { isWorkflowStep } from './state-machines.ts';
import { Workflows } from './workflows.ts';

export interface ServiceStackProps extends StackProps {
  readonly stage: Stage;
  readonly data: DataStack;
  readonly bundles: Bundles;
}

const capitalized = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

type Deployed = Parts & { readonly workflows: Workflows };

export class ServiceStack extends Stack {
  constructor(scope: Construct, id: string, { stage, data, bundles, ...props }: ServiceStackProps) {
    super(scope, id, props);
    const api = new Api(this, 'Api', stage);
    const parts = { stage, data, api, engineKeys: new EngineKeys(this, 'EngineKeys', stage) };
    const functions = new ServiceFunctions(this, 'Functions', bundles, stage);
    // Workflows name their steps, and the other functions name workflows.
    functions.make(functionNames.filter(isWorkflowStep), parts);
    const workflows = new Workflows(this, 'Workflows', { stage, step: (name) => functions.live(name) });
    functions.make(
      functionNames.filter((name) => !isWorkflowStep(name)),
      { ...parts, workflows },
    );
    workflows.allowSuccess(functions.roles(({ workflow }) => workflow?.includes('succeed')));
    workflows.allowFailure(functions.roles(({ workflow }) => workflow?.includes('fail')));
    workflows.onFailure(functions.live('settleExecution'));
    data.webhookQueue.feed(functions.live('deliverWebhook'));
    new Schedules(this, 'Schedules', functions);
    for (const route of routes) api.route(route, functions.live(route.functionName));
    if (stage.firewall) new Firewall(this, 'Firewall', api.stageArn);
    this.#watch({ ...parts, workflows, functions });
    this.#tell({ ...parts, workflows });
  }

  #watch({ stage, data, api, workflows, functions }: Deployed & { readonly functions: ServiceFunctions }): void {
    const { serverErrors } = api;
    const { deadLetters, oldestMessageAge } = data.webhookQueue;
    const errorsOf = (name: FunctionName) => functions.metric(name, 'Errors');
    const alarms = new Alarms(this, 'Alarms', stage, {
      serverErrors,
      throttles: Lambda.metricAllThrottles({ statistic: 'Sum' }),
      throttledExecutions: workflows.throttled,
      deadLetters,
      errorsOf,
    });
    // The sweeper starts the workflow, so the workflow's steps cannot wait for an alarm on the sweeper's errors.
    functions.rollBackOn((name) => (isWorkflowStep(name) ? alarms.ofWorkflow : alarms.ofFunctions));
    workflows.rollBackOn(alarms.ofWorkflow);
    new OperationsDashboard(this, 'Operations', stage, {
      'Answers from 500 on': [api.answersFrom500, serverErrors],
      'Executions without success': workflows.failures,
      'Errors of functions': functionNames.map(errorsOf),
      'Throttles of functions': functionNames.map((name) => functions.metric(name, 'Throttles')),
      'Age of the oldest webhook in the queue, seconds': [oldestMessageAge],
      'Dead letters': [deadLetters],
    });
  }

  /** What operators and their tools have to know: settings by their names, where there is one. */
  #tell({ api, data, engineKeys, stage, workflows }: Deployed): void {
    const outputs = {
      ApiUrl: api.url,
      ApiId: api.id,
      // Where the DNS record of the domain has to lead to.
      ...(api.domain && {
        DomainTarget: api.domain.domainNameAliasDomainName,
        DomainHostedZoneId: api.domain.domainNameAliasHostedZoneId,
      }),
      ResultsUrl: data.results.url,
      TableName: data.table.name,
      ResultsBucket: data.results.name,
      InputsBucket: data.inputs.name,
      WebhookQueueUrl: data.webhookQueue.url,
      WebhookDeadLettersUrl: data.webhookQueue.deadLettersUrl,
      WebhookTokenKey: data.webhookKeys.tokenKeyArn,
      WebhookSigningKeys: data.webhookKeys.signingKeys,
      StateMachineArns: workflows.startArns(),
      Engines: Object.keys(stage.engines).join(','),
      ...Object.fromEntries(Object.entries(engineKeys.settings).map(([name, value]) => [capitalized(name), value])),
      ...engineKeys.outputs,
    };
    for (const [name, value] of Object.entries(outputs)) new CfnOutput(this, name, { value });
  }
}
