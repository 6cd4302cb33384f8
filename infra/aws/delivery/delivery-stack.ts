/**
 * What lets GitHub deploy to an account without stored keys: the trust in GitHub's tokens, the role of its
 * deployments, the boundary of every role that they create, and a budget.
 */
import {
  BootstraplessSynthesizer,
  CfnOutput,
  Duration,
  type IStackSynthesizer,
  Stack,
  type StackProps,
  Validations,
} from 'aws-cdk-lib';
import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import { CfnOIDCProvider, PolicyDocument, PolicyStatement, Role, WebIdentityPrincipal } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { bootstrapped, boundaryOf, roleArn } from './boundary.ts';
import type { DeliveryOptions } from './delivery-options.ts';

const issuer = 'token.actions.githubusercontent.com';

const ofBoundary = 'A boundary grants nothing: it limits what the policies of a role grant.';
const reasons = {
  'AwsSolutions-IAM5[Resource::*]': ofBoundary,
  'AwsSolutions-IAM5[Action::*]': ofBoundary,
  [`AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:iam::<AWS::AccountId>:role/${bootstrapped}*]`]:
    'The roles of `cdk bootstrap` have the account and region in their names.',
};

/** The identity of jobs in these environments of the repository, which GitHub's token proves. */
function jobOf(scope: Construct, { repository, environments, provider }: DeliveryOptions): WebIdentityPrincipal {
  const url = `https://${issuer}`;
  const arn = provider ?? new CfnOIDCProvider(scope, 'Issuer', { url, clientIdList: ['sts.amazonaws.com'] }).attrArn;
  return new WebIdentityPrincipal(arn, {
    StringEquals: {
      [`${issuer}:aud`]: 'sts.amazonaws.com',
      [`${issuer}:sub`]: environments.map((name) => `repo:${repository}:environment:${name}`),
    },
  });
}

/** A monthly budget, which warns when most or all of it is spent, and when it is forecast to be exceeded. */
function addBudget(scope: Construct, { dollars, email }: DeliveryOptions): void {
  const warn = (notificationType: 'ACTUAL' | 'FORECASTED', threshold: number) => ({
    notification: { notificationType, threshold, comparisonOperator: 'GREATER_THAN', thresholdType: 'PERCENTAGE' },
    subscribers: [{ subscriptionType: 'EMAIL', address: email }],
  });
  new CfnBudget(scope, 'Budget', {
    budget: { budgetType: 'COST', timeUnit: 'MONTHLY', budgetLimit: { amount: dollars, unit: 'USD' } },
    notificationsWithSubscribers: [warn('ACTUAL', 80), warn('ACTUAL', 100), warn('FORECASTED', 100)],
  });
}

export class DeliveryStack extends Stack {
  constructor(scope: Construct, id: string, { options, ...props }: StackProps & { readonly options: DeliveryOptions }) {
    // This stack is deployed before the account is bootstrapped, and changed later only by an administrator, to whom
    // the boundary does not apply.
    super(scope, id, { ...props, synthesizer: new BootstraplessSynthesizer() as IStackSynthesizer });
    const { repository, environments } = options;
    const assume = new PolicyStatement({
      actions: ['sts:AssumeRole'],
      resources: [roleArn(`${bootstrapped}*`)],
    });
    const role = new Role(this, 'Deployer', {
      description: `Deploys from ${repository}, in its environments ${environments.join(' and ')}`,
      assumedBy: jobOf(this, options),
      // The maximum duration of a session: a deployment of all functions, with their canaries, takes longer than an
      // hour.
      maxSessionDuration: Duration.hours(2),
      permissionsBoundary: boundaryOf(this),
      inlinePolicies: { deploy: new PolicyDocument({ statements: [assume] }) },
    });
    addBudget(this, options);
    new CfnOutput(this, 'DeployRoleArn', { value: role.roleArn });
    Validations.of(this).acknowledge(...Object.entries(reasons).map(([ruleId, reason]) => ({ id: ruleId, reason })));
  }
}
