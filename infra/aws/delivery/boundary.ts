/**
 * The permissions boundary of all roles of a deployment: whatever their policies say, they may do no more than this.
 */
import { Aws } from 'aws-cdk-lib';
import { Effect, ManagedPolicy, PolicyStatement, type PolicyStatementProps } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';

/** The name of the boundary, to which `cdk bootstrap` and `cdk.json` refer. */
export const boundaryName = 'generation-service-boundary';

/** The prefix of the roles that `cdk bootstrap` creates. */
export const bootstrapped = 'cdk-hnb659fds-';

export const roleArn = (name: string): string => `arn:${Aws.PARTITION}:iam::${Aws.ACCOUNT_ID}:role/${name}`;

/** What no role may touch: people and their access keys, other accounts, and services that monitor this account. */
const ofAdministrators = [
  'account:*',
  'budgets:ModifyBudget',
  'cloudtrail:DeleteTrail',
  'cloudtrail:PutEventSelectors',
  'cloudtrail:StopLogging',
  'cloudtrail:UpdateTrail',
  'iam:*AccessKey*',
  'iam:*Group*',
  'iam:*LoginProfile',
  'iam:*ServiceSpecificCredential*',
  'iam:*User',
  'iam:*UserPolicy',
  'iam:Create*Provider',
  'iam:DeleteRolePermissionsBoundary',
  'iam:Update*Provider*',
  'iam:Upload*',
  'organizations:*',
];

/**
 * No role administers the account, creates or extends a role without the boundary, changes the boundary, or uses roles
 * other than those of the service and of the CDK.
 */
function forbidden(boundaryArn: string): readonly PolicyStatement[] {
  const deny = (props: PolicyStatementProps) =>
    new PolicyStatement({ effect: Effect.DENY, ...(!props.notResources && { resources: ['*'] }), ...props });
  return [
    deny({ actions: ofAdministrators }),
    deny({
      actions: ['iam:AttachRolePolicy', 'iam:CreateRole', 'iam:PutRolePermissionsBoundary', 'iam:PutRolePolicy'],
      conditions: { StringNotEquals: { 'iam:PermissionsBoundary': boundaryArn } },
    }),
    deny({
      actions: [
        'iam:CreatePolicyVersion',
        'iam:DeletePolicy',
        'iam:DeletePolicyVersion',
        'iam:SetDefaultPolicyVersion',
      ],
      resources: [boundaryArn],
    }),
    deny({
      actions: ['iam:PassRole', 'iam:UpdateAssumeRolePolicy', 'sts:AssumeRole'],
      notResources: [roleArn('GenerationService-*'), roleArn(`${bootstrapped}*`)],
    }),
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
