/** Consecutive deployments of a stage that rotate a key, as their templates describe them. */
import { expect } from 'vitest';
import type { FunctionName } from '../../../infra/hosting.ts';
import { functionsOf } from './policies.ts';
import { type StackTemplate, synthesize, textOf } from './synthesized.ts';

export interface Deployment {
  readonly data: StackTemplate;
  readonly service: StackTemplate;
  readonly stacks: readonly Pick<StackTemplate, 'resources' | 'outputs'>[];
}

/** The deployments of a stage, one for each step in which its settings change. */
export const deploymentsOf = (steps: readonly object[]): readonly Deployment[] =>
  steps.map((settings) => {
    const app = synthesize('dev', { dev: settings });
    return {
      data: app.data('dev'),
      service: app.service('dev'),
      stacks: app.stacks('dev').map(({ resources, outputs }) => ({ resources, outputs })),
    };
  });

interface Role {
  readonly Policies: readonly { PolicyDocument: { Statement: { Action: string; Resource: unknown }[] } }[];
}

/** The labels of the keys on which a function may perform an action; `keys` finds a label in the id of a key. */
export function labelsAllowed({ service }: Deployment, name: FunctionName, action: string, keys: RegExp): string[] {
  const roleId = textOf(functionsOf(service)[name].properties.Role).slice(1, -'.Arn>'.length);
  const statements = service.ofType<Role>('AWS::IAM::Role')[roleId]?.Properties.Policies ?? [];
  const resources = statements
    .flatMap(({ PolicyDocument }) => PolicyDocument.Statement)
    .filter(({ Action }) => Action === action)
    .map(({ Resource }) => JSON.stringify(Resource));
  const labels = resources.flatMap((text) => [...text.matchAll(keys)].map(([, label = '']) => label));
  return [...new Set(labels)].toSorted();
}

const importsOf = ({ stacks }: Deployment): string[] =>
  [...JSON.stringify(stacks).matchAll(/"Fn::ImportValue":"([^"]+)"/g)].map(([, name = '']) => name);

const exportsOf = ({ stacks }: Deployment): (string | undefined)[] =>
  stacks.flatMap(({ outputs }) => Object.values(outputs).map((output) => output.Export?.Name));

/**
 * A deployment must not remove an export that a stack of the previous deployment still imports: CloudFormation would
 * reject it.
 */
export function expectExportsKept(deployments: readonly Deployment[]): void {
  for (const [index, deployment] of deployments.slice(1).entries()) {
    const used = importsOf(deployments[index] as Deployment);
    expect(used.length).toBeGreaterThan(3);
    expect(used.filter((name) => !exportsOf(deployment).includes(name))).toEqual([]);
  }
}
