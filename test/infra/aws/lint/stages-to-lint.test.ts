import { expect, test } from 'vitest';
import { stagesToLint } from '../../../../infra/aws/lint/stages-to-lint.ts';

const table = (properties: object, others: object = {}) => ({
  Type: 'AWS::DynamoDB::Table',
  Properties: properties,
  ...others,
});
const queue = { Type: 'AWS::SQS::Queue', Properties: { KmsMasterKeyId: 'any' } };

const stageWith = (stage: string, ...templates: readonly Readonly<Record<string, { readonly Type: string }>>[]) => ({
  stage,
  templates: templates.map((Resources) => ({ Resources })),
});

const prod = stageWith(
  'prod',
  { Table: table({ Protected: true, Keys: [{ Name: 'pk' }] }, { DeletionPolicy: 'Retain' }) },
  { Queue: queue },
);

test('a stage is not linted if another linted stage has all of its resources and properties, whatever their values', () => {
  const dev = stageWith('dev', { Other: table({ Protected: false, Keys: [{ Name: 'a' }, { Name: 'b' }] }) });
  expect(stagesToLint([dev, prod])).toEqual(['prod']);
});

test.each([
  ['a type of resource', { Key: { Type: 'AWS::KMS::Key', Properties: { Enabled: true } } }],
  ['a property', { Table: table({ TableName: 'restored' }) }],
  ['a property within a list', { Table: table({ Keys: [{ Name: 'pk', Kind: 'HASH' }] }) }],
  ['an attribute', { Queue: { ...queue, UpdateReplacePolicy: 'Retain' } }],
])('a stage is linted too if it has %s that no other stage has', (_what, resources) => {
  const ana = stageWith('ana', resources);
  expect(stagesToLint([ana, prod])).toEqual(['prod', 'ana']);
});

test('a stage that differs from another only in metadata or in names within references is not linted separately', () => {
  const prodWithReference = stageWith('prod', { Table: table({ Name: { Ref: 'One' } }), Queue: queue });
  const resource = table({ Name: { 'Fn::ImportValue': 'two' } }, { Metadata: { path: 'dev/Table' } });
  expect(stagesToLint([stageWith('dev', { Table: resource }), prodWithReference])).toEqual(['prod']);
});
