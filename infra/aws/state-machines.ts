/** A workflow as a state machine, with the same definition that the local host runs. */
import { Aws, Lazy, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import type { Alarm, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { Rule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { type IRole, Policy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import {
  CfnStateMachineAlias,
  CfnStateMachineVersion,
  DefinitionBody,
  LogLevel,
  StateMachine,
  StateMachineType,
} from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import type { WorkflowName } from '../../shared/contracts/workflow.ts';
import { type FunctionName, stateMachineDefinitions } from '../hosting.ts';
import type { FunctionGrants } from './function-grants.ts';
import { functionNames, grants } from './grants.ts';
import { pascalCase } from './pascal-case.ts';
import type { Permission } from './permission.ts';
import type { Stage } from './stages.ts';
import { isTraced, untraced } from './traces.ts';

const partitionPlaceholder = 'partition';

/** The functions that a definition refers to. */
const stepsOf = (definition: string): ReadonlySet<string> => {
  const placeholders = [...definition.matchAll(/\$\{(\w+)\}/g)].map(([, name = '']) => name);
  return new Set(placeholders.filter((name) => name !== partitionPlaceholder));
};

const steps = new Set(Object.values(stateMachineDefinitions).flatMap((definition) => [...stepsOf(definition)]));

/** Whether a function is a step of any workflow. */
export const isWorkflowStep = (name: FunctionName): boolean => steps.has(name);

/**
 * The workflows that steps start. They have fixed names, because a step cannot refer to a workflow that refers to the
 * step.
 */
const startedBySteps = new Set(functionNames.filter(isWorkflowStep).flatMap((name) => grants[name].starts ?? []));

const machineName = (workflow: WorkflowName, { name }: Stage): string =>
  `GenerationService-${name}-${pascalCase(workflow)}`;

/** Permission to start executions. It includes describing them, because the name may already be taken. */
const starting = (machineArn: string, executions: string): PolicyStatement[] => [
  new PolicyStatement({ actions: ['states:StartExecution'], resources: [machineArn] }),
  new PolicyStatement({ actions: ['states:DescribeExecution'], resources: [executions] }),
];

const namedAfterTasks = (executions: string) => ({
  id: `AwsSolutions-IAM5[Resource::${executions}]`,
  reason: 'Executions are named after tasks, which are not known yet.',
});

/** Lets a step start executions of workflows, always with their latest definition. */
export function startingByStep(stage: Stage, workflows: readonly WorkflowName[]): Permission {
  const arnOf = (kind: string, workflow: WorkflowName) =>
    `arn:${Aws.PARTITION}:states:${Aws.REGION}:${Aws.ACCOUNT_ID}:${kind}:${machineName(workflow, stage)}`;
  const shown = 'arn:<AWS::Partition>:states:<AWS::Region>:<AWS::AccountId>:execution';
  return {
    statements: workflows.flatMap((name) => starting(arnOf('stateMachine', name), `${arnOf('execution', name)}:*`)),
    acknowledgements: workflows.map((name) => namedAfterTasks(`${shown}:${machineName(name, stage)}:*`)),
    settings: { stateMachineArns: workflows.map((name) => `${name}=${arnOf('stateMachine', name)}`).join(',') },
  };
}

export type Report = NonNullable<FunctionGrants['workflow']>[number];

const reportActions: Readonly<Record<Report, string>> = {
  succeed: 'states:SendTaskSuccess',
  fail: 'states:SendTaskFailure',
};

export interface WorkflowProps {
  readonly name: WorkflowName;
  readonly stage: Stage;
  /** Returns the functions that the definition refers to. */
  readonly step: (name: FunctionName) => IFunction;
}

export class Workflow extends Construct {
  readonly #machine: StateMachine;
  /** The alias that starts executions; an execution keeps the version to which the alias pointed. */
  readonly #alias: CfnStateMachineAlias | undefined;
  readonly #alarms: Alarm[] = [];

  constructor(scope: Construct, id: string, { name: workflow, stage, step }: WorkflowProps) {
    super(scope, id);
    const definition = stateMachineDefinitions[workflow];
    const named = stepsOf(definition);
    const steps = functionNames
      .filter((name) => named.has(name))
      .map((name) => [name, step(name).functionArn] as const);
    const addresses: Record<string, string> = Object.fromEntries(steps);
    const missing = [...named].find((name) => !Object.hasOwn(addresses, name));
    if (missing) throw new Error(`the definition of ${workflow} names ${missing}, which is no function`);
    this.#machine = new StateMachine(this, 'StateMachine', {
      ...(startedBySteps.has(workflow) && { stateMachineName: machineName(workflow, stage) }),
      stateMachineType: StateMachineType.STANDARD,
      definitionBody: DefinitionBody.fromString(definition),
      definitionSubstitutions: { ...addresses, [partitionPlaceholder]: Aws.PARTITION },
      logs: { destination: this.#log(stage), level: LogLevel.ERROR, includeExecutionData: false },
      tracingEnabled: isTraced(stage),
    });
    const invoking = { actions: ['lambda:InvokeFunction'], resources: steps.map(([, arn]) => arn) };
    this.#machine.addToRolePolicy(new PolicyStatement(invoking));
    this.#alias = stage.emulatorUrl ? undefined : this.#publish(stage);
    this.#acknowledge(stage);
  }

  get startArn(): string {
    return this.#alias?.attrArn ?? this.#machine.stateMachineArn;
  }

  /** Executions that ended without success, by outcome. */
  get failures(): readonly Metric[] {
    return [this.#machine.metricFailed(), this.#machine.metricTimedOut(), this.#machine.metricAborted()];
  }

  get throttled(): Metric {
    return this.#machine.metricThrottled({ statistic: 'Sum' });
  }

  /** Permission for functions in other stacks. */
  allowStart(): Permission {
    const { stateMachineArn, stateMachineName } = this.#machine;
    const name = Stack.of(this).exportValue(stateMachineName);
    const exported: { 'Fn::ImportValue': string } = Stack.of(this).resolve(name);
    const executions = `arn:${Aws.PARTITION}:states:${Aws.REGION}:${Aws.ACCOUNT_ID}:execution:${name}:*`;
    const found = `arn:<AWS::Partition>:states:<AWS::Region>:<AWS::AccountId>:execution:${exported['Fn::ImportValue']}:*`;
    return { statements: starting(stateMachineArn, executions), acknowledgements: [namedAfterTasks(found)] };
  }

  /** Permission to report a job's outcome to a waiting execution, or to make the execution retry. */
  reporting(report: Report): PolicyStatement {
    return new PolicyStatement({ actions: [reportActions[report]], resources: [this.#machine.stateMachineArn] });
  }

  /**
   * The permission is in a separate policy: in the role of a step, it would make role and state machine depend on each
   * other.
   */
  allowSteps(report: Report, roles: IRole[]): void {
    new Policy(this, report, { roles, statements: [this.reporting(report)] });
  }

  /** Calls a function when an execution ends without success. */
  onFailure(consumer: IFunction): void {
    const rule = new Rule(this, 'Failed', {
      eventPattern: {
        source: ['aws.states'],
        detailType: ['Step Functions Execution Status Change'],
        detail: { status: ['FAILED', 'TIMED_OUT', 'ABORTED'], stateMachineArn: [this.#machine.stateMachineArn] },
      },
      targets: [new LambdaFunction(consumer)],
    });
    Validations.of(rule).acknowledge({
      id: 'Serverless-EventBusDLQ',
      reason: 'The sweeper makes up for a lost event: it ends the task at its deadline.',
    });
  }

  /** Rolls back a gradually deployed definition while one of the alarms is in ALARM state. */
  rollBackOn(alarms: readonly Alarm[]): void {
    this.#alarms.push(...alarms);
  }

  #log({ isProduction, logRetentionDays }: Stage): LogGroup {
    const removalPolicy = isProduction ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY;
    return new LogGroup(this, 'Log', { retention: logRetentionDays, removalPolicy });
  }

  /** Publishes a version whenever a deployment changes the definition, and the alias that points to it. */
  #publish({ deployment }: Stage): CfnStateMachineAlias {
    const { stateMachineArn, stateMachineRevisionId } = this.#machine;
    const version = new CfnStateMachineVersion(this, 'Version', { stateMachineArn, stateMachineRevisionId });
    const alarms = Lazy.list({ produce: () => this.#alarms.map(({ alarmName }) => alarmName) });
    const canary = { type: 'CANARY', percentage: 10, interval: 5, alarms };
    return new CfnStateMachineAlias(this, 'Live', {
      name: 'live',
      deploymentPreference: {
        stateMachineVersionArn: version.attrArn,
        ...(deployment === 'canary' ? canary : { type: 'ALL_AT_ONCE' }),
      },
    });
  }

  #acknowledge(stage: Stage): void {
    Validations.of(this.#machine).acknowledge(
      {
        id: 'AwsSolutions-SF1',
        reason:
          'Every execution’s history is kept for 90 days; a log of all events would cost as much as the rest of a task.',
      },
      ...(isTraced(stage) ? [] : untraced(['AwsSolutions-SF2', 'Serverless-StepFunctionStateMachineXray'])),
      {
        id: 'AwsSolutions-IAM5[Resource::*]',
        reason: 'Log delivery and traces need actions for which CloudWatch Logs and X-Ray have no resources.',
      },
    );
  }
}
