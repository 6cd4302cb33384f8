/** The templates of all three stages. */

import { Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import { describe, expect, test } from 'vitest';
import { functionNames } from '../../../../infra/aws/grants.ts';
import { readStages } from '../../../../infra/aws/stages.ts';
import { generateContracts } from '../../../../shared/contracts/generate.ts';
import { workflowNames } from '../../../../shared/contracts/workflow.ts';
import { everySetting, fullStage } from '../full-stage.ts';
import { functionsOf } from '../policies.ts';
import { type Resource, type Synthesized, synthesize } from '../synthesized.ts';

const stages = ['local', 'dev', 'prod'] as const;
type StageName = (typeof stages)[number];

const app = synthesize();

const all = <Properties = Readonly<Record<string, unknown>>>(stage: StageName, type: string): Resource<Properties>[] =>
  app.stacks(stage).flatMap((stack) => Object.values(stack.ofType<Properties>(`AWS::${type}`)));

const withData = ['DynamoDB::Table', 'S3::Bucket', 'SQS::Queue', 'KMS::Key', 'SecretsManager::Secret'];

/** Findings of cdk-nag that are not acknowledged in the code. */
const findingsIn = ({ app: checked }: Synthesized) =>
  [new AwsSolutionsChecks(checked), new ServerlessChecks(checked)]
    .flatMap((pack) => pack.validateScope(checked).violations)
    .map(({ ruleName, violatingResources }) => [ruleName, violatingResources]);

/** The settings of a stage, as listed by the error about an unknown setting. */
function listedSettings(): readonly string[] {
  try {
    readStages({ stage: 'dev', stages: { dev: { stray: true } } });
  } catch (error) {
    return (error as Error).message.replace(/^.* the settings are /s, '').split(', ');
  }
  return expect.fail('The stray setting was accepted.');
}

test('the stage with every setting has all settings except those of a restored table and of an emulator', () => {
  const given = [...Object.keys(everySetting), 'tableName', 'emulatorUrl'];
  expect(listedSettings().toSorted()).toEqual(given.toSorted());
});

describe('under the rules of cdk-nag, stacks', () => {
  test('have only acknowledged findings', () => {
    expect(findingsIn(app)).toEqual([]);
  });

  test.each(['dev', 'prod'] as const)('have only acknowledged findings in the stage %s with every setting', (stage) => {
    expect(findingsIn(fullStage(stage))).toEqual([]);
  });

  test('acknowledge each finding with a reason in a sentence', () => {
    const reasons = app.app.node
      .findAll()
      .flatMap(({ node }) =>
        node.metadata
          .filter(({ type }) => type === Validations.ACKNOWLEDGED_RULES_METADATA_KEY)
          .flatMap(({ data }) => Object.values(data as Readonly<Record<string, string>>)),
      );
    expect(reasons.length).toBeGreaterThan(20);
    expect(reasons.filter((reason) => !/^[A-Z].{30,}[^.]\.$/.test(reason))).toEqual([]);
  });
});

describe.each(stages)('the stacks of %s', (stage) => {
  test('separate stateful from stateless resources', () => {
    for (const type of withData) {
      expect(app.service(stage).ofType(`AWS::${type}`)).toEqual({});
      expect(Object.keys(app.data(stage).ofType(`AWS::${type}`))).not.toEqual([]);
    }
  });

  test('have no fixed resource names, which could clash, except for a workflow with the name of the stage', () => {
    const types = [...withData, 'Lambda::Function', 'IAM::Role', 'Logs::LogGroup', 'StepFunctions::StateMachine'];
    const names = /^(Table|Bucket|Queue|Function|Role|LogGroup|StateMachine)?Name$/;
    const resources = types.flatMap((type) => all(stage, type));
    expect(resources.length).toBeGreaterThan(50);
    const named = resources.flatMap(({ Properties }) =>
      Object.entries(Properties).filter(([name]) => names.test(name)),
    );
    expect(named).toEqual([['StateMachineName', `GenerationService-${stage}-CutClips`]]);
  });

  test('expire every log', () => {
    const groups = all<{ RetentionInDays?: number }>(stage, 'Logs::LogGroup');
    expect(groups.length).toBeGreaterThan(functionNames.length);
    for (const { Properties } of groups) expect(Properties.RetentionInDays).toBe(stage === 'local' ? 1 : 14);
  });
});

describe('the stacks of production', () => {
  test('are the only ones that retain their data when they are deleted', () => {
    for (const stage of stages) {
      const kept = withData
        .filter((type) => type !== 'SQS::Queue')
        .flatMap((type) => Object.values(app.data(stage).ofType(`AWS::${type}`)));
      const policy = stage === 'prod' ? 'Retain' : 'Delete';
      expect(kept.map(({ DeletionPolicy }) => DeletionPolicy)).toEqual(kept.map(() => policy));
    }
  });

  test('have deletion protection and point-in-time recovery', () => {
    const guards = (stage: StageName) => ({
      stacks: app.stacks(stage).map(({ stack }) => stack.terminationProtection),
      table: app.data(stage).one('AWS::DynamoDB::Table').Properties,
    });
    expect(guards('prod')).toMatchObject({
      stacks: app.stacks('prod').map(() => true),
      table: {
        DeletionProtectionEnabled: true,
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      },
    });
    for (const stage of ['local', 'dev'] as const) {
      expect(guards(stage)).toMatchObject({
        stacks: app.stacks(stage).map(() => false),
        table: { DeletionProtectionEnabled: false },
      });
    }
  });

  test('have only multi-Region keys, because a key for a single Region cannot be converted later', () => {
    const keys = all('prod', 'KMS::Key');
    expect(keys.length).toBeGreaterThan(2);
    for (const { Properties } of keys) expect(Properties).toMatchObject({ MultiRegion: true });
  });

  test('deploy code and workflows to a tenth of the calls first (a canary), while other stages deploy all at once', () => {
    const aliases = all('prod', 'Lambda::Alias');
    expect(aliases).toHaveLength(functionNames.length);
    expect(
      aliases.filter(({ UpdatePolicy }) => !UpdatePolicy || !('CodeDeployLambdaAliasUpdate' in UpdatePolicy)),
    ).toEqual([]);
    const groups = all<{ DeploymentConfigName: string }>('prod', 'CodeDeploy::DeploymentGroup');
    const configurations = groups.map(({ Properties }) => Properties.DeploymentConfigName);
    expect(new Set(configurations)).toEqual(new Set(['CodeDeployDefault.LambdaCanary10Percent5Minutes']));
    const preferences = (stage: StageName) =>
      all<{ DeploymentPreference: object }>(stage, 'StepFunctions::StateMachineAlias').map(
        ({ Properties }) => Properties.DeploymentPreference,
      );
    const canary = expect.objectContaining({ Type: 'CANARY', Percentage: 10, Interval: 5 });
    expect(preferences('prod')).toEqual(workflowNames.map(() => canary));
    expect(preferences('dev')).toEqual(workflowNames.map(() => expect.objectContaining({ Type: 'ALL_AT_ONCE' })));
    expect(all('dev', 'CodeDeploy::DeploymentGroup')).toEqual([]);
  });

  test('are the only ones with a firewall', () => {
    expect(stages.filter((stage) => all(stage, 'WAFv2::WebACLAssociation').length > 0)).toEqual(['prod']);
  });
});

describe('the stacks of the stage local', () => {
  const environments = (stage: StageName) =>
    Object.values(functionsOf(app.service(stage))).flatMap(({ environment }) => Object.entries(environment));

  test('are the only ones whose URL policy allows this machine', () => {
    const policies = (stage: StageName) => environments(stage).filter(([name]) => name === 'URL_POLICY');
    expect(policies('dev')).toEqual([]);
    expect(policies('prod')).toEqual([]);
    const functions = functionsOf(app.service('local'));
    const knowing = functionNames.filter((name) => functions[name].environment.URL_POLICY === 'local');
    // Functions that fetch URLs given by users, notify users, or may have to download an engine's results.
    const others = [
      'generateBatch',
      'createStudioProduct',
      'createStudioAvatar',
      'cancelTask',
      'deleteTask',
      'receiveEngineCallback',
      'planCopy',
      'copyPart',
      'askClipEngine',
      'rankClips',
      'askEngine',
      'finalize',
      'deliverWebhook',
    ];
    const enders = ['eraseClosedAccounts', 'performTaskAct', 'settleExecution', 'sweepTasks'];
    expect(knowing.toSorted()).toEqual([...Object.keys(generateContracts), ...others, ...enders].toSorted());
  });

  test('are the only ones with addresses of this machine, and serve results from the emulator', () => {
    const here = (stage: StageName) => environments(stage).filter(([, value]) => /127\.0\.0\.1|localhost/.test(value));
    expect(here('dev')).toEqual([]);
    expect(here('prod')).toEqual([]);
    expect(here('local').map(([name]) => name)).toEqual(expect.arrayContaining(['RESULTS_URL', 'API_URL']));
    const withNetwork = stages.filter(
      (stage) => Object.keys(app.data(stage).ofType('AWS::CloudFront::Distribution')).length > 0,
    );
    expect(withNetwork).toEqual(['dev', 'prod']);
  });

  test.each(['Cognito::UserPool', 'CodeDeploy::Application', 'WAFv2::WebACL', 'StepFunctions::StateMachineAlias'])(
    'have no %s, which emulators do not have or need',
    (type) => {
      expect(all('local', type)).toEqual([]);
      expect(all('prod', type)).not.toEqual([]);
    },
  );
});
