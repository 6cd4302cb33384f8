/** The most that the roles of a deployment may do, whatever their policies. */
import { Aws } from 'aws-cdk-lib';
import { Effect, ManagedPolicy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';

/** The name of the boundary, which `cdk bootstrap` and `cdk.json` name. */
export const boundaryName = 'generation-service-boundary';

/** No role creates people or keys, or a role without the boundary, or switches off what watches the account. */
function forbidden(boundaryArn: string): readonly PolicyStatement[] {
  const deny = (actions: readonly string[], rest: { resources?: string[]; conditions?: object } = {}) =>
    new PolicyStatement({ effect: Effect.DENY, actions: [...actions], resources: ['*'], ...rest });
  return [
    deny([
      'iam:AddUserToGroup',
      'iam:AttachGroupPolicy',
      'iam:AttachUserPolicy',
      'iam:Create*Provider',
      'iam:CreateAccessKey',
      'iam:CreateGroup',
      'iam:CreateLoginProfile',
      'iam:CreateUser',
      'iam:PutGroupPolicy',
      'iam:PutUserPolicy',
      'iam:Update*Provider*',
    ]),
    deny(['iam:CreateRole', 'iam:PutRolePermissionsBoundary'], {
      conditions: { StringNotEquals: { 'iam:PermissionsBoundary': boundaryArn } },
    }),
    deny(['iam:DeleteRolePermissionsBoundary']),
    deny(['iam:CreatePolicyVersion', 'iam:DeletePolicy', 'iam:DeletePolicyVersion', 'iam:SetDefaultPolicyVersion'], {
      resources: [boundaryArn],
    }),
    deny(['account:*', 'budgets:ModifyBudget', 'cloudtrail:DeleteTrail', 'cloudtrail:StopLogging', 'organizations:*']),
  ];
}

export function boundaryOf(scope: Construct): ManagedPolicy {
  const boundaryArn = `arn:${Aws.PARTITION}:iam::${Aws.ACCOUNT_ID}:policy/${boundaryName}`;
  return new ManagedPolicy(scope, 'Boundary', {
    managedPolicyName: boundaryName,
    description: 'The most that roles of the Generation Service and of its deployments may do.',
    statements: [new PolicyStatement({ actions: ['*'], resources: ['*'] }), ...forbidden(boundaryArn)],
  });
}
