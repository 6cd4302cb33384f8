/** Which models of Bedrock the functions of a stage may invoke. */
import { Stack } from 'aws-cdk-lib';
import { expect, test } from 'vitest';
import { modelInvocation } from '../../../../infra/aws/model-invocation.ts';
import { readStages } from '../../../../infra/aws/stages.ts';
import { stagesWith, textOf } from '../synthesized.ts';

const permissionWith = (engines: object, use: 'generate' | 'write' = 'generate') => {
  const [stage] = readStages({ stage: 'dev', stages: stagesWith('dev', { engines }) });
  if (!stage) throw new Error('no stage');
  return modelInvocation(stage, use);
};

test.for([
  ['generate', 'Stability’s', 'stability.*'],
  ['write', 'Amazon’s language', 'amazon.nova-*'],
] as const)(
  'with Bedrock, functions that %s may invoke %s models through the account’s inference profiles in the stage’s region',
  ([use, , models]) => {
    const { statements = [], settings } = permissionWith({ bedrock: { region: 'us-east-1' } }, use);
    const [statement, ...others] = statements.map((statement) => new Stack().resolve(statement.toStatementJson()));
    expect(others).toEqual([]);
    expect(statement).toMatchObject({ Effect: 'Allow', Action: 'bedrock:InvokeModel' });
    expect(statement.Resource.map(textOf)).toEqual([
      `arn:<AWS::Partition>:bedrock:*::foundation-model/${models}`,
      `arn:<AWS::Partition>:bedrock:us-east-1:<AWS::AccountId>:inference-profile/us.${models}`,
    ]);
    expect(settings).toEqual({ bedrockRegion: 'us-east-1' });
  },
);

test('without Bedrock, functions may invoke no models', () => {
  expect(permissionWith({ fal: { secretName: 'any' } })).toEqual({});
});
