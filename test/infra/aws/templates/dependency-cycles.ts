/** CloudFormation rejects templates with cyclic dependencies; `cdk synth` does not notice. */
import { expect, test } from 'vitest';
import { dependencyCycle } from '../dependency-cycles.ts';
import { sampleStages } from '../sample-stages.ts';
import { synthesize } from '../synthesized.ts';

/** As `Fn::Sub` names what it puts into a text. */
const substituted = (name: string): string => `before $\{${name}} after`;

test.each([
  ['Ref', { Properties: { A: [{ Ref: 'B' }] } }],
  ['Fn::GetAtt', { Properties: { A: { 'Fn::GetAtt': ['B', 'Arn'] } } }],
  ['Fn::GetAtt as text', { Properties: { A: { 'Fn::GetAtt': 'B.Arn' } } }],
  ['Fn::Sub', { Properties: { A: { 'Fn::Sub': substituted('B.Arn') } } }],
  ['Fn::Sub with variables', { Properties: { A: { 'Fn::Sub': [substituted('V'), { V: { Ref: 'B' } }] } } }],
  ['DependsOn', { DependsOn: ['B'] }],
  ['UpdatePolicy', { UpdatePolicy: { CodeDeployLambdaAliasUpdate: { DeploymentGroupName: { Ref: 'B' } } } }],
])('the check for dependency cycles finds one through %s', (_how, resource) => {
  expect(dependencyCycle({ A: resource, B: { Properties: { Of: { Ref: 'A' } } } })).toEqual(['A', 'B', 'A']);
  expect(dependencyCycle({ A: resource, B: { Properties: {} } })).toBeUndefined();
});

test('no template of any stage has a dependency cycle', () => {
  const synthesized = synthesize();
  const stacks = Object.keys(sampleStages).flatMap((stage) => synthesized.stacks(stage));
  expect(stacks.length).toBeGreaterThan(3);
  for (const { stack, resources } of stacks) expect(dependencyCycle(resources), stack.stackName).toBeUndefined();
}, 240_000);
