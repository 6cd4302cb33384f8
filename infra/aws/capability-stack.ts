/**
 * A stack for one capability: the functions of a folder of `functions/`, with their workflows, schedules and alarms.
 */
import { Stack, type StackProps } from 'aws-cdk-lib';
import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { type FunctionName, queueNames, queues } from '../hosting.ts';
import { alarmsOnErrors } from './alarm-definitions.ts';
import { Alarms } from './alarms.ts';
import type { BaseStack } from './base-stack.ts';
import type { Bundles } from './bundles.ts';
import type { Dashboard } from './dashboard/dashboard.ts';
import type { DataStack } from './data-stack.ts';
import type { Parts } from './permissions.ts';
import { Schedules } from './schedules.ts';
import { ProviderKeys } from './secrets.ts';
import { ServiceFunctions } from './service-functions.ts';
import type { Stage } from './stages.ts';
import { isWorkflowStep } from './state-machines.ts';
import { Workflows } from './workflows.ts';

export interface CapabilityStackProps extends StackProps {
  readonly stage: Stage;
  readonly data: DataStack;
  readonly base: BaseStack;
  readonly dashboard?: Dashboard;
  readonly bundles: Bundles;
  readonly names: readonly FunctionName[];
  /** The capability stacks that are deployed before this one. */
  readonly earlier: readonly CapabilityStack[];
}

export class CapabilityStack extends Stack {
  readonly names: readonly FunctionName[];
  readonly functions: ServiceFunctions;
  /** The stage's workflows, which exist in the stack of their steps and in all later ones. */
  readonly workflows: Workflows | undefined;
  readonly alarms: Alarms;

  constructor(scope: Construct, id: string, props: CapabilityStackProps) {
    const { stage, data, base, dashboard, bundles, names, earlier, ...stackProps } = props;
    super(scope, id, stackProps);
    this.names = names;
    this.functions = new ServiceFunctions(this, 'Functions', bundles, stage);
    const providerKeys = new ProviderKeys(this, 'ProviderKeys', stage);
    const parts = { stage, data, base, ...(dashboard && { dashboard }), providerKeys };
    const steps = names.filter(isWorkflowStep);
    // Steps come first: workflows refer to their steps, and other functions refer to workflows.
    this.functions.make(steps, parts);
    const known = earlier.find(({ workflows }) => workflows)?.workflows;
    this.workflows = steps.length > 0 ? this.#runSteps(stage) : known;
    this.#makeOthers(parts);
    const errors = alarmsOnErrors(stage, names, (name) => this.functions.metric(name, 'Errors'));
    this.alarms = new Alarms(this, 'Alarms', base.alarmTopic, errors);
    this.#rollBackOn([base.alarms, ...earlier.map(({ alarms }) => alarms), this.alarms]);
  }

  #runSteps(stage: Stage): Workflows {
    const workflows = new Workflows(this, 'Workflows', { stage, step: (name) => this.functions.live(name) });
    for (const report of ['succeed', 'fail'] as const) {
      workflows.allowSteps(
        report,
        this.functions.roles(({ workflow }) => workflow?.includes(report)),
      );
    }
    return workflows;
  }

  #makeOthers(parts: Parts): void {
    const { functions, names, workflows } = this;
    functions.make(
      names.filter((name) => !isWorkflowStep(name)),
      { ...parts, ...(workflows && { workflows }) },
    );
    if (names.includes('settleExecution')) workflows?.onFailure(functions.live('settleExecution'));
    for (const name of queueNames) {
      const { consumer } = queues[name];
      if (names.includes(consumer)) parts.data.queues[name].feed(functions.live(consumer));
    }
    new Schedules(this, 'Schedules', functions, names);
  }

  /**
   * Steps and workflows are rolled back only by alarms for steps, because other functions with alarms depend on the
   * workflows and are deployed later.
   */
  #rollBackOn(all: readonly Alarms[]): void {
    const ofFunctions: readonly Alarm[] = all.flatMap((alarms) => alarms.ofFunctions);
    this.functions.rollBackOn((name) => (isWorkflowStep(name) ? this.alarms.ofWorkflow : ofFunctions));
    if (this.names.some(isWorkflowStep)) this.workflows?.rollBackOn(this.alarms.ofWorkflow);
  }
}
