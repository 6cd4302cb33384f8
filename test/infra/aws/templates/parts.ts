/** The parts of a deployed service: equivalent to their local counterparts, and not public. */
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { functionNames } from '../../../../infra/aws/grants.ts';
import { pascalCase } from '../../../../infra/aws/pascal-case.ts';
import { queueNames, schedules } from '../../../../infra/hosting.ts';
import { localFunctions } from '../../../../infra/local/functions.ts';
import { isMachineOf, workflowNames } from '../../../../shared/contracts/workflow.ts';
import { fullStage } from '../full-stage.ts';
import { functionsOf } from '../policies.ts';
import { synthesize, textOf } from '../synthesized.ts';

const app = synthesize('prod');
const service = app.service('prod');

describe('the deployed functions', () => {
  test('are the same as on the local host, with the same time limits', () => {
    const functions = functionsOf(service);
    expect(Object.keys(functions).toSorted()).toEqual(Object.keys(localFunctions).toSorted());
    for (const name of functionNames) {
      expect(functions[name].properties).toMatchObject({ Timeout: localFunctions[name]?.timeoutSeconds });
    }
  });

  test.each(functionNames)(
    'include %s on Node 24 and arm64, with its own log group and an explicit memory size',
    (name) => {
      const { properties } = functionsOf(service)[name];
      expect(properties).toMatchObject({
        Runtime: 'nodejs24.x',
        Architectures: ['arm64'],
        Handler: 'index.handler',
        MemorySize: ['finalize', 'generateBatch', 'makeExports'].includes(name) ? 1024 : 512,
        LoggingConfig: {
          LogFormat: 'JSON',
          LogGroup: { Ref: expect.stringMatching(new RegExp(`^Functions${name}Log`)) },
        },
      });
      expect(properties).not.toHaveProperty('ReservedConcurrentExecutions');
    },
  );

  test('are deployed without their source maps', () => {
    const assets = globSync('asset.*', { cwd: app.directory }).map((asset) => readdirSync(`${app.directory}/${asset}`));
    // One more function publishes the dashboard; its package is run by the CDK.
    expect(assets.filter(([file]) => file === 'index.mjs')).toHaveLength(functionNames.length + 1);
    expect(assets.flat().filter((file) => file.endsWith('.map'))).toEqual([]);
  });

  test('are called only through their alias', () => {
    const rules = Object.values(service.ofType<{ Targets: { Arn: unknown }[] }>('AWS::Events::Rule'));
    const targets = rules.flatMap(({ Properties }) => Properties.Targets.map(({ Arn }) => textOf(Arn)));
    const sources = Object.values(service.ofType<{ FunctionName: unknown }>('AWS::Lambda::EventSourceMapping')).map(
      ({ Properties }) => textOf(Properties.FunctionName),
    );
    expect(sources).toHaveLength(queueNames.length);
    const permissions = Object.values(service.ofType<{ FunctionName: unknown }>('AWS::Lambda::Permission'));
    const permitted = permissions.map(({ Properties }) => textOf(Properties.FunctionName));
    expect(targets).toHaveLength(schedules.length + workflowNames.length);
    for (const called of [...targets, ...permitted, ...sources])
      expect(called).toMatch(/^<Functions\w+Live\w{8}>$|:live$/);
  });
});

test('the stack outputs every address that operators’ tools need, under the names of their settings', () => {
  const outputs = Object.keys(service.outputs);
  const needed = ['ApiUrl', 'ResultsUrl', 'TableName', 'WebhookQueueUrl', 'WebhookTokenKey', 'WebhookSigningKeys'];
  const more = [
    'StateMachineArns',
    'Engines',
    'FalKey',
    'AlarmTopicArn',
    'WebhookDeadLettersUrl',
    'PaymentQueueUrl',
    'PaymentDeadLettersUrl',
    'InboxQueueUrl',
    'InboxDeadLettersUrl',
    'CredentialsKey',
    'ContentSigningKey',
    'ContentCertificates',
    'ContentCertificatesSecret',
    'ContentCertificatesSecrets',
    'ContentKeyLabels',
    'FalEngineSecret',
    'ApiId',
    'ResultsBucket',
    'ResultsRetentionDays',
    'InputsBucket',
    'DashboardUrl',
    'LoginUrl',
    'IdentityIssuer',
    'UserPoolId',
    'OperateUrl',
    'OperatorPoolId',
  ];
  expect(outputs.toSorted()).toEqual([...needed, ...more].toSorted());
});

describe('the webhook keys of a stage', () => {
  test('never leave KMS, and every signing key of the stage is published', () => {
    const other = fullStage('dev');
    const keys = Object.values(other.data('dev').ofType('AWS::KMS::Key')).map(({ Properties }) => Properties);
    const kinds = keys
      .filter(({ Description }) => String(Description).includes('ebhook'))
      .map(({ KeySpec, KeyUsage }) => [KeySpec, KeyUsage]);
    const signing = ['ECC_NIST_EDWARDS25519', 'SIGN_VERIFY'];
    expect(kinds).toEqual([['HMAC_256', 'GENERATE_VERIFY_MAC'], signing, signing, signing]);

    const { deliverWebhook, listWebhookKeys } = functionsOf(other.service('dev'));
    const used = deliverWebhook.environment.WEBHOOK_SIGNING_KEYS ?? '';
    expect(used).toMatch(/^<[^>]*signingnew[^>]*>,<[^>]*signingold[^>]*>$/);
    expect(listWebhookKeys.environment.WEBHOOK_SIGNING_KEYS).toBe(used);
    // These outputs must stay exported: CloudFormation rejects the removal of one that a deployed stack still imports.
    const exported = Object.values(other.data('dev').outputs).map((output) => output.Export?.Name ?? '');
    expect(exported.filter((name) => name.includes('signinggone'))).toHaveLength(1);
  }, 240_000);
});

describe.each(workflowNames)('the workflow %s', (workflow) => {
  interface State {
    readonly TimeoutSeconds?: number;
    readonly Parameters?: { readonly FunctionName?: string };
    readonly ItemProcessor?: { readonly States: States };
  }
  type States = Readonly<Record<string, State>>;

  const statesIn = (states: States): readonly State[] =>
    Object.values(states).flatMap((state) => [state, ...statesIn(state.ItemProcessor?.States ?? {})]);

  interface StateMachine {
    readonly StateMachineType: string;
    readonly DefinitionString: string;
    readonly DefinitionSubstitutions: Readonly<Record<string, unknown>>;
    readonly LoggingConfiguration: object;
  }

  const machine = (): StateMachine => {
    const machines = Object.entries(service.ofType<StateMachine>('AWS::StepFunctions::StateMachine'));
    const found = machines.find(([id]) => id.startsWith(`Workflows${pascalCase(workflow)}StateMachine`));
    if (!found) throw new Error('the workflow is missing');
    return found[1].Properties;
  };

  test('has the definition that the local host runs, with every placeholder replaced', () => {
    const { DefinitionString, DefinitionSubstitutions, StateMachineType } = machine();
    const definition = readFileSync(`state-machines/${workflow}.asl.json`, 'utf8');
    expect(DefinitionString).toBe(definition);
    const names = [...definition.matchAll(/\$\{(\w+)\}/g)].map(([, name = '']) => name);
    expect(Object.keys(DefinitionSubstitutions).toSorted()).toEqual([...new Set(names)].toSorted());
    for (const [name, address] of Object.entries(DefinitionSubstitutions)) {
      if (name !== 'partition') expect(textOf(address)).toMatch(new RegExp(`^<Functions${name}Live`));
    }
    expect(StateMachineType).toBe('STANDARD');
  });

  test('logs errors without execution data', () => {
    expect(machine().LoggingConfiguration).toMatchObject({ Level: 'ERROR', IncludeExecutionData: false });
  });

  test('calls functions that time out before the states that call them', () => {
    const { States } = JSON.parse(machine().DefinitionString) as { States: States };
    const steps = statesIn(States).filter(({ Parameters }) => Parameters?.FunctionName);
    expect(steps.length).toBeGreaterThan(1);
    for (const { TimeoutSeconds = 0, Parameters } of steps) {
      const [, name = ''] = /^\$\{(\w+)\}$/.exec(Parameters?.FunctionName ?? '') ?? [];
      expect(localFunctions[name]?.timeoutSeconds).toBeLessThan(TimeoutSeconds);
    }
  });
});

test('a state machine that steps start is recognized by its ARN', () => {
  const [, arn = ''] =
    /^cut-clips=(.*)$/.exec(functionsOf(service).askEngine.environment.STATE_MACHINE_ARNS ?? '') ?? [];
  const named = (name: string) => arn.replace(/[^:]+$/, name);
  expect(isMachineOf('cut-clips', 'arn:aws:states:us-east-1:0:stateMachine:cut-clips')).toBe(true);
  expect(isMachineOf('cut-clips', arn.replace(/^.*:stateMachine:/, 'arn:aws:states:us-east-1:0:stateMachine:'))).toBe(
    true,
  );
  expect(isMachineOf('cut-clips', named('WorkflowsGenerateStateMachine1A-x'))).toBe(false);
});

test('a task’s workflow is started through an alias and so keeps its definition; one that a step starts has no alias', () => {
  const { generateVoice, sweepTasks, askEngine } = functionsOf(service);
  expect(generateVoice.environment.STATE_MACHINE_ARNS).toMatch(/^generate=<WorkflowsGenerateLive\w{8}\.Arn>$/);
  expect(sweepTasks.environment.STATE_MACHINE_ARNS).toBe(generateVoice.environment.STATE_MACHINE_ARNS);
  expect(askEngine.environment.STATE_MACHINE_ARNS).toMatch(
    /^cut-clips=arn:.*:stateMachine:GenerationService-prod-CutClips$/,
  );
  const versions = Object.values(service.ofType('AWS::StepFunctions::StateMachineVersion'));
  expect(versions).toHaveLength(workflowNames.length);
  for (const { Properties } of versions) expect(Properties).toHaveProperty('StateMachineRevisionId');
});

describe('the events and schedules of a stage', () => {
  interface Rule {
    readonly ScheduleExpression?: string;
    readonly EventPattern?: {
      readonly detail: { readonly status: readonly string[]; readonly stateMachineArn: readonly unknown[] };
    };
    readonly Targets: readonly { readonly Arn: unknown }[];
  }

  const rules = () =>
    Object.values(service.ofType<Rule>('AWS::Events::Rule')).map(
      ({ Properties: { ScheduleExpression, EventPattern, Targets } }) => ({
        when: ScheduleExpression ?? EventPattern?.detail.status.join(' '),
        called: Targets.map(({ Arn }) => textOf(Arn).replace(/^<Functions(\w+)Live\w{8}>$/, '$1')),
      }),
    );

  test('run the sweeper every minute, reconciliations every five minutes and the audit every hour, and end tasks of failed executions', () => {
    expect(rules()).toEqual(
      expect.arrayContaining([
        { when: 'rate(1 minute)', called: ['sweepTasks'] },
        { when: 'rate(5 minutes)', called: ['reconcileOrders'] },
        { when: 'rate(5 minutes)', called: ['reconcileSubscriptions'] },
        { when: 'rate(1 hour)', called: ['auditLedger'] },
        { when: 'FAILED TIMED_OUT ABORTED', called: ['settleExecution'] },
      ]),
    );
    expect(rules()).toHaveLength(schedules.length + workflowNames.length);
  });
});
