/**
 * GitHub can deploy one environment, with a role that can do nothing else, and the permissions boundary limits all
 * roles that the deployment creates.
 */
import { Validations } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { AwsSolutionsChecks } from 'cdk-nag';
import { expect, test } from 'vitest';
import { serviceApp } from '../../../../infra/aws/app.ts';
import { boundaryName } from '../../../../infra/aws/delivery/boundary.ts';
import { deliveryOptions } from '../../../../infra/aws/delivery/delivery-options.ts';
import { DeliveryStack } from '../../../../infra/aws/delivery/delivery-stack.ts';

const given = { repository: 'acme/media', environments: 'dev,prod', email: 'ops@example.com', dollars: '50' };
const optionsFrom = (context: Readonly<Record<string, string>>) => deliveryOptions((name) => context[name]);

function templateOf(context: Readonly<Record<string, string>> = given): Template {
  const app = serviceApp();
  const stack = new DeliveryStack(app, 'GenerationService-Delivery', { options: optionsFrom(context) });
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  app.synth();
  return Template.fromStack(stack);
}

test('only jobs in the repository’s environments can assume the deployment role, which can assume only roles of the CDK', () => {
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
              'token.actions.githubusercontent.com:sub': ['dev', 'prod'].map(
                (name) => `repo:acme/media:environment:${name}`,
              ),
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

test('the boundary denies managing users and access keys, making roles without it, changing it, and using other roles', () => {
  const [{ Properties }] = Object.values(templateOf().findResources('AWS::IAM::ManagedPolicy')) as [
    { Properties: { ManagedPolicyName: string; PolicyDocument: { Statement: Record<string, unknown>[] } } },
  ];
  const denied = Properties.PolicyDocument.Statement.filter(({ Effect }) => Effect === 'Deny');
  expect(Properties.ManagedPolicyName).toBe(boundaryName);
  const [administration, extension, change, use] = denied;
  expect(denied).toHaveLength(4);
  expect(administration).toMatchObject({
    Action: expect.arrayContaining(['iam:*AccessKey*', 'iam:*User', 'iam:DeleteRolePermissionsBoundary']),
    Resource: '*',
  });
  expect(administration).not.toHaveProperty('Condition');
  expect(extension).toMatchObject({
    Action: expect.arrayContaining(['iam:CreateRole', 'iam:PutRolePolicy', 'iam:AttachRolePolicy']),
    Condition: { StringNotEquals: { 'iam:PermissionsBoundary': { 'Fn::Join': expect.anything() } } },
    Resource: '*',
  });
  expect(change).toMatchObject({ Action: expect.arrayContaining(['iam:CreatePolicyVersion']) });
  expect(JSON.stringify(change?.Resource)).toContain(boundaryName);
  expect(use).toMatchObject({ Action: ['iam:PassRole', 'iam:UpdateAssumeRolePolicy', 'sts:AssumeRole'] });
  expect(JSON.stringify(use?.NotResource)).toMatch(/role\/GenerationService-\*.*role\/cdk-hnb659fds-\*/);
});

test('the monthly budget warns at 80 % and 100 %, and an identity provider that exists already is used', () => {
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
  [{ environments: 'Prod!' }, '-c environments=…: must be environments'],
  [{ dollars: 'many' }, '-c dollars=…: must be a number of dollars'],
  [{ email: 'ops' }, '-c email=…: must be an email address'],
])('the setting %j for the delivery is rejected with an error that states what is accepted', (wrong, message) => {
  expect(() => optionsFrom({ ...given, ...wrong })).toThrow(message);
});
