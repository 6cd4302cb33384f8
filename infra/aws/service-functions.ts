/** The functions of one stack, each built from its bundle with the permissions of its line in the table. */
import { Validations } from 'aws-cdk-lib';
import type { Alarm, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { IRole } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { FunctionName } from '../hosting.ts';
import type { Bundles } from './bundles.ts';
import { CanaryDeployments } from './deployments.ts';
import type { FunctionGrants } from './function-grants.ts';
import { grants } from './grants.ts';
import { ServiceFunction } from './lambda-function.ts';
import { type Parts, permissionsOf } from './permissions.ts';
import type { Stage } from './stages.ts';
import { isTraced, untraced } from './traces.ts';

const reasons = {
  'Serverless-LambdaDLQ':
    'Requests and steps report failures to their caller, webhooks have their own dead-letter queue, and the next sweep makes up for missed events and schedules.',
};

export class ServiceFunctions extends Construct {
  readonly #made = new Map<FunctionName, ServiceFunction>();
  readonly #bundles: Bundles;
  readonly #deployments: CanaryDeployments | undefined;

  constructor(scope: Construct, id: string, bundles: Bundles, stage: Stage) {
    super(scope, id);
    this.#bundles = bundles;
    this.#deployments = stage.deployment === 'canary' ? new CanaryDeployments(this, 'Deployments') : undefined;
    Validations.of(this).acknowledge(...Object.entries(reasons).map(([rule, reason]) => ({ id: rule, reason })));
    if (!isTraced(stage)) Validations.of(this).acknowledge(...untraced(['Serverless-LambdaTracing']));
  }

  make(names: readonly FunctionName[], parts: Parts): void {
    for (const name of names) {
      const bundle = this.#bundles.functions[name];
      if (!bundle) throw new Error(`the function ${name} has no bundle`);
      const permissions = permissionsOf(name, parts);
      const props = { name, stage: parts.stage, directory: bundle.directory, permissions };
      const made = new ServiceFunction(this, props);
      this.#deployments?.add(made);
      this.#made.set(name, made);
    }
  }

  /** Rolls back a function's canary deployment while one of the alarms is in ALARM state. */
  rollBackOn(alarmsOf: (name: FunctionName) => readonly Alarm[]): void {
    this.#deployments?.watch((name) => alarmsOf(name as FunctionName));
  }

  /** The alias that callers invoke. */
  live(name: FunctionName): IFunction {
    return this.#named(name).live;
  }

  /** The errors or throttles of all versions of a function. */
  metric(name: FunctionName, what: 'Errors' | 'Throttles'): Metric {
    return this.#named(name).alias.lambda.metric(what, { statistic: 'Sum', label: name });
  }

  /** The roles of the functions whose grants match. */
  roles(granted: (grants: FunctionGrants) => boolean | undefined): IRole[] {
    const names = [...this.#made.keys()].filter((name) => granted(grants[name]));
    return names.map((name) => this.#named(name).role);
  }

  #named(name: FunctionName): ServiceFunction {
    const made = this.#made.get(name);
    if (!made) throw new Error(`the function ${name} does not exist yet`);
    return made;
  }
}
