/** GitHub deploys one environment with a role that can do nothing else, and the boundary binds what it creates. */
import { Validations } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { AwsSolutionsChecks } from 'cdk-nag';
import { expect, test } from 'vitest';
import { serviceApp } from '../../../../infra/aws/app.ts';
import { boundaryName } from '../../../../infra/aws/delivery/boundary.ts';
import { deliveryOptions } from '../../../../infra/aws/delivery/delivery-options.ts';
import { DeliveryStack } from '../../../../infra/aws/delivery/delivery-stack.ts';

const given = { repository: 'acme/media', environment: 'prod', email: 'ops@example.com', dollars: '50' };
const optionsFrom = (context: Readonly<Record<string, string>>) => deliveryOptions((name) => context[name]);

function templateOf(context: Readonly<Record<string, string>> = given): Template {
  const app = serviceApp();
  const stack = new DeliveryStack(app, 'GenerationService-Delivery', { options: optionsFrom(context) });
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  app.synth();
  return Template.fromStack(stack);
}

test('only jobs of the environment of the repository can assume the role, and it can only assume roles of the CDK', () => {
  const roles = templateOf().findResources('AWS::IAM::Role');
  expect(Object.keys(roles)).toHaveLength(1);
  templateOf().hasResourceProperties('AWS::IAM::Role', {
    AssumeRolePolicyDocument: {
      Statement: [
        Match.objectLike({
          Action: 'sts:AssumeRoleWithWebIdentity',
          Condition: {
            StringEquals: {
              'token.actions.githubusercontent.com:aud': 'sts.amazonaws.com',
              'token.actions.githubusercontent.com:sub': 'repo:acme/media:environment:prod',
            },
          },
        }),
      ],
    },
    PermissionsBoundary: Match.anyValue(),
    Policies: [
      {
        PolicyDocument: {
          Statement: [{ Action: 'sts:AssumeRole', Effect: 'Allow', Resource: Match.anyValue() }],
          Version: '2012-10-17',
        },
        PolicyName: 'deploy',
      },
    ],
  });
});

test('the boundary denies people and keys, roles without it, and changes of itself', () => {
  const [{ Properties }] = Object.values(templateOf().findResources('AWS::IAM::ManagedPolicy')) as [
    { Properties: { ManagedPolicyName: string; PolicyDocument: { Statement: Record<string, unknown>[] } } },
  ];
  const denied = Properties.PolicyDocument.Statement.filter(({ Effect }) => Effect === 'Deny');
  const deniedActions = denied.filter(({ Condition }) => !Condition).flatMap(({ Action }) => Action);
  expect(Properties.ManagedPolicyName).toBe(boundaryName);
  expect(deniedActions).toEqual(
    expect.arrayContaining(['iam:CreateUser', 'iam:CreateAccessKey', 'iam:DeleteRolePermissionsBoundary']),
  );
  expect(denied).toContainEqual(
    expect.objectContaining({
      Action: ['iam:CreateRole', 'iam:PutRolePermissionsBoundary'],
      Condition: { StringNotEquals: { 'iam:PermissionsBoundary': expect.anything() } },
    }),
  );
  expect(denied).toContainEqual(
    expect.objectContaining({
      Action: expect.arrayContaining(['iam:CreatePolicyVersion']),
      Resource: expect.not.stringMatching(/^\*$/),
    }),
  );
});

test('the budget of a month warns at 80 % and 100 %, and an existing identity provider is used', () => {
  templateOf().hasResourceProperties('AWS::Budgets::Budget', {
    Budget: { BudgetLimit: { Amount: 50, Unit: 'USD' }, BudgetType: 'COST', TimeUnit: 'MONTHLY' },
    NotificationsWithSubscribers: [80, 100, 100].map((Threshold) =>
      Match.objectLike({ Notification: Match.objectLike({ Threshold }) }),
    ),
  });
  templateOf().resourceCountIs('AWS::IAM::OIDCProvider', 1);
  const provider = 'arn:aws:iam::123456789012:oidc-provider/token.actions.githubusercontent.com';
  templateOf({ ...given, provider }).resourceCountIs('AWS::IAM::OIDCProvider', 0);
});

test.each([
  [{ repository: 'media' }, '-c repository=…: must be the owner and name'],
  [{ environment: 'Prod!' }, '-c environment=…: must be an environment'],
  [{ dollars: 'many' }, '-c dollars=…: must be a number of dollars'],
  [{ email: 'ops' }, '-c email=…: must be an email address'],
])('the setting %j is rejected with what is accepted', (wrong, message) => {
  expect(() => optionsFrom({ ...given, ...wrong })).toThrow(message);
});
