/** The rotation of the webhook signing key, deployment by deployment, as described in docs/operator-tasks.md. */
import { expect, test } from 'vitest';
import type { FunctionName } from '../../../../infra/hosting.ts';
import { functionsOf } from '../policies.ts';
import { type StackTemplate, synthesize, textOf } from '../synthesized.ts';

interface Labels {
  readonly webhookSigningKeys: readonly string[];
  readonly retiredWebhookSigningKeys?: readonly string[];
}

interface Deployment {
  readonly data: StackTemplate;
  readonly service: StackTemplate;
  readonly stacks: readonly Pick<StackTemplate, 'resources' | 'outputs'>[];
}

/** The settings of consecutive deployments; the first one has only the default label. */
const steps: readonly Partial<Labels>[] = [
  {},
  { webhookSigningKeys: ['second', 'first'] },
  { webhookSigningKeys: ['second'], retiredWebhookSigningKeys: ['first'] },
  { webhookSigningKeys: ['second'] },
];

const deployments = steps.map((labels) => {
  const app = synthesize('dev', { dev: labels });
  return {
    data: app.data('dev'),
    service: app.service('dev'),
    stacks: app.stacks('dev').map(({ resources, outputs }) => ({ resources, outputs })),
  };
});

const deployment = (step: number): Deployment => {
  const found = deployments[step];
  if (!found) throw new Error(`there is no step ${step}`);
  return found;
};

interface Role {
  readonly Policies: readonly { PolicyDocument: { Statement: { Action: string; Resource: unknown }[] } }[];
}

/** The labels of the keys on which a function may perform an action. */
function labelsAllowed({ service }: Deployment, name: FunctionName, action: string): string[] {
  const roleId = textOf(functionsOf(service)[name].properties.Role).slice(1, -'.Arn>'.length);
  const statements = service.ofType<Role>('AWS::IAM::Role')[roleId]?.Properties.Policies ?? [];
  const resources = statements
    .flatMap(({ PolicyDocument }) => PolicyDocument.Statement)
    .filter(({ Action }) => Action === action)
    .map(({ Resource }) => JSON.stringify(Resource));
  const labels = resources.flatMap((text) =>
    [...text.matchAll(/signing(first|second)/g)].map(([, label = '']) => label),
  );
  return [...new Set(labels)].toSorted();
}

const importsOf = ({ stacks }: Deployment): string[] =>
  [...JSON.stringify(stacks).matchAll(/"Fn::ImportValue":"([^"]+)"/g)].map(([, name = '']) => name);

const exportsOf = ({ stacks }: Deployment): (string | undefined)[] =>
  stacks.flatMap(({ outputs }) => Object.values(outputs).map((output) => output.Export?.Name));

test.each([1, 2, 3])(
  'deployment %i keeps every export of webhook keys that a stack of the previous deployment still imports',
  (step) => {
    const used = importsOf(deployment(step - 1));
    expect(used.length).toBeGreaterThan(3);
    expect(used.filter((name) => !exportsOf(deployment(step)).includes(name))).toEqual([]);
  },
);

test.each([
  ['deliverWebhook', 'kms:Sign'],
  ['listWebhookKeys', 'kms:GetPublicKey'],
] as const)(
  '%s may use %s with a retired webhook key, because the function’s previous version may still run',
  (name, action) => {
    const allowed = deployments.map((each) => labelsAllowed(each, name, action));
    expect(allowed).toEqual([['first'], ['first', 'second'], ['first', 'second'], ['second']]);
  },
);

test('a retired webhook key is not in the environment of any function', () => {
  for (const { environment } of Object.values(functionsOf(deployment(2).service))) {
    expect(JSON.stringify(environment)).not.toContain('signingfirst');
  }
});
