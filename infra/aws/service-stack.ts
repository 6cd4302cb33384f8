/** What does the work, and can be replaced at any time: functions, API, workflow, schedules and alarms. */
import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { routes } from '../../shared/contracts/hosting.ts';
import { Alarms } from './alarms.ts';
import { Api } from './api.ts';
import type { Bundles } from './bundles.ts';
import type { DataStack } from './data-stack.ts';
import { Firewall } from './firewall.ts';
import { OperationsDashboard } from './operations-dashboard.ts';
import type { Parts } from './permissions.ts';
import { Schedules } from './schedules.ts';
import { EngineKeys } from './secrets.ts';
import { functionNames, ServiceFunctions } from './service-functions.ts';
import type { Stage } from './stages.ts';
import { isWorkflowStep, Workflow } from './state-machines.ts';

export interface ServiceStackProps extends StackProps {
  readonly stage: Stage;
  readonly data: DataStack;
  readonly bundles: Bundles;
}

export class ServiceStack extends Stack {
  constructor(scope: Construct, id: string, { stage, data, bundles, ...props }: ServiceStackProps) {
    super(scope, id, props);
    const api = new Api(this, 'Api', stage);
    const parts = { stage, data, api, engineKeys: new EngineKeys(this, 'EngineKeys', stage) };
    const functions = new ServiceFunctions(this, 'Functions', bundles, stage);
    // The workflow names its steps, and the other functions name the workflow.
    functions.make(functionNames.filter(isWorkflowStep), parts);
    const workflow = new Workflow(this, 'Workflow', { stage, functions });
    functions.make(
      functionNames.filter((name) => !isWorkflowStep(name)),
      { ...parts, workflow },
    );
    workflow.allowSuccess(functions.roles(({ workflow: uses }) => uses?.includes('succeed')));
    workflow.allowFailure(functions.roles(({ workflow: uses }) => uses?.includes('fail')));
    workflow.onFailure(functions.live('settleExecution'));
    data.webhookQueue.feed(functions.live('deliverWebhook'));
    new Schedules(this, 'Schedules', functions);
    for (const route of routes) api.route(route, functions.live(route.functionName));
    if (stage.firewall) new Firewall(this, 'Firewall', api.stageArn);
    const subjects = { apiName: api.name, deadLettersName: data.webhookQueue.deadLettersName };
    functions.rollBackOn(new Alarms(this, 'Alarms', stage, subjects).ofNewCode);
    new OperationsDashboard(this, 'Operations', stage);
    this.#tell({ ...parts, workflow });
  }

  /** What operators and their tools have to know: settings by their names, where there is one. */
  #tell({ api, data, engineKeys, workflow }: Parts & { readonly workflow: Workflow }): void {
    const outputs = {
      ApiUrl: api.url,
      ApiId: api.id,
      ResultsUrl: data.results.url,
      TableName: data.table.name,
      ResultsBucket: data.results.name,
      WebhookQueueUrl: data.webhookQueue.url,
      WebhookDeadLettersUrl: data.webhookQueue.deadLettersUrl,
      WebhookTokenKey: data.webhookKeys.tokenKeyArn,
      WebhookSigningKeys: data.webhookKeys.signingKeyArns.join(','),
      StateMachineArn: workflow.startArn,
      ...engineKeys.outputs,
    };
    for (const [name, value] of Object.entries(outputs)) new CfnOutput(this, name, { value });
  }
}
