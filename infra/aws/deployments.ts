/** Canary deployments: new code gets a tenth of the calls first. */
import { Validations } from 'aws-cdk-lib';
import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { ServiceFunction } from './lambda-function.ts';

/** CodeDeploy shifts each function's alias: the new version gets a tenth of the calls for five minutes, then all. */
export class CanaryDeployments extends Construct {
  readonly #application: LambdaApplication;
  readonly #role: Role;
  readonly #groups = new Map<string, LambdaDeploymentGroup>();

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.#application = new LambdaApplication(this, 'Application');
    const policy = 'service-role/AWSCodeDeployRoleForLambdaLimited';
    this.#role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('codedeploy.amazonaws.com'),
      managedPolicies: [ManagedPolicy.fromAwsManagedPolicyName(policy)],
    });
    Validations.of(this.#role).acknowledge({
      id: `AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/${policy}]`,
      reason: 'AWS maintains what CodeDeploy needs to move an alias; this is the narrower of its two policies.',
    });
  }

  add({ alias, node }: ServiceFunction): void {
    const group = new LambdaDeploymentGroup(this, node.id, {
      application: this.#application,
      role: this.#role,
      alias,
      deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
    });
    this.#groups.set(node.id, group);
  }

  /** Rolls back new code of a function while one of its alarms is in ALARM state. */
  watch(alarmsOf: (functionName: string) => readonly Alarm[]): void {
    for (const [name, group] of this.#groups) for (const alarm of alarmsOf(name)) group.addAlarm(alarm);
  }
}
