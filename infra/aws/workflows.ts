/** All workflows of a stage: one state machine per definition, and permissions to use them. */
import { Duration } from 'aws-cdk-lib';
import { type Alarm, MathExpression, type Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { IRole, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { type WorkflowName, workflowNames } from '../../shared/contracts/workflow.ts';
import { pascalCase } from './pascal-case.ts';
import type { Permission } from './permission.ts';
import { type Report, Workflow, type WorkflowProps } from './state-machines.ts';

export class Workflows extends Construct {
  readonly #machines: ReadonlyMap<WorkflowName, Workflow>;

  constructor(scope: Construct, id: string, props: Omit<WorkflowProps, 'name'>) {
    super(scope, id);
    this.#machines = new Map(
      workflowNames.map((name) => [name, new Workflow(this, pascalCase(name), { ...props, name })]),
    );
  }

  /** The value of the setting that contains the ARNs of workflows. */
  startArns(names: readonly WorkflowName[] = workflowNames): string {
    return names.map((name) => `${name}=${this.#named(name).startArn}`).join(',');
  }

  /** Executions that ended without success, by outcome. */
  get failures(): readonly Metric[] {
    return [...this.#machines.values()].flatMap(({ failures }) => failures);
  }

  /** Executions whose start or transitions were throttled in five minutes. */
  get throttled(): MathExpression {
    const metrics = [...this.#machines.values()].map(({ throttled }, at) => [`m${at}`, throttled] as const);
    return new MathExpression({
      expression: metrics.map(([name]) => `FILL(${name}, 0)`).join(' + '),
      usingMetrics: Object.fromEntries(metrics),
      period: Duration.minutes(5),
      label: 'Throttled executions',
    });
  }

  /** Lets a function start executions of the given workflows. */
  allowStart(names: readonly WorkflowName[]): Permission {
    const permissions = names.map((name) => this.#named(name).allowStart());
    return {
      statements: permissions.flatMap(({ statements = [] }) => statements),
      acknowledgements: permissions.flatMap(({ acknowledgements = [] }) => acknowledgements),
      settings: { stateMachineArns: this.startArns(names) },
    };
  }

  /** Permission to report to waiting executions. */
  reporting(report: Report): PolicyStatement[] {
    return [...this.#machines.values()].map((machine) => machine.reporting(report));
  }

  /** Lets steps report to waiting executions. */
  allowSteps(report: Report, roles: IRole[]): void {
    for (const machine of this.#machines.values()) machine.allowSteps(report, roles);
  }

  /** Calls a function when an execution ends without success. */
  onFailure(consumer: IFunction): void {
    for (const machine of this.#machines.values()) machine.onFailure(consumer);
  }

  /** Rolls back gradually deployed definitions while one of the alarms is in ALARM state. */
  rollBackOn(alarms: readonly Alarm[]): void {
    for (const machine of this.#machines.values()) machine.rollBackOn(alarms);
  }

  #named(name: WorkflowName): Workflow {
    const machine = this.#machines.get(name);
    if (!machine) throw new Error(`there is no workflow ${name}`);
    return machine;
  }
}
