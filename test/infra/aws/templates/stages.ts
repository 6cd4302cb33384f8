/** The configuration of stages: an invalid one is rejected with a message that says what is accepted. */
import { expect, test } from 'vitest';
import cdkJson from '../../../../cdk.json' with { type: 'json' };
import { readStages } from '../../../../infra/aws/stages.ts';
import { sampleStages as stages } from '../sample-stages.ts';
import { stagesWith } from '../synthesized.ts';

const messageOf = (context: Parameters<typeof readStages>[0]): string => {
  try {
    readStages(context);
  } catch (error) {
    return (error as Error).message;
  }
  return 'accepted';
};

test('every stage in cdk.json is valid', () => {
  const { stages: configured } = cdkJson.context;
  const names = readStages({ stages: configured, stage: 'all' }).map(({ name }) => name);
  expect(names).toEqual(Object.keys(configured));
});

test('a stage is selected by its name, and all stages by the name “all”', () => {
  expect(readStages({ stages, stage: 'all' }).map(({ name }) => name)).toEqual(['local', 'dev', 'prod']);
  expect(readStages({ stages, stage: 'dev' }).map(({ name }) => name)).toEqual(['dev']);
});

test('a stage with any name needs no settings: by default its engine is fal, and its data is deleted with its stack', () => {
  expect(readStages({ stage: 'ana', stages: { ana: {} } })).toEqual([
    {
      name: 'ana',
      isProduction: false,
      engines: { fal: { secretName: 'generation-service/ana/engines/fal' } },
      firewall: false,
      deployment: 'all-at-once',
      resultsRetentionDays: 90,
      publishedRetentionDays: 730,
      logRetentionDays: 14,
      contentCredentials: {
        keys: ['first'],
        certificatesSecretName: 'generation-service/ana/content-certificates',
        unmarkedResults: 'rejected',
      },
      likenessConsent: 'ignored',
      traces: 'sampled',
      webhookSigningKeys: ['first'],
      retiredWebhookSigningKeys: [],
    },
  ]);
});

test('only production protects its data, has a firewall and deploys new code as a canary', () => {
  const read = readStages({ stage: 'all', stages }).map(({ name, isProduction, firewall, deployment }) => [
    name,
    isProduction,
    firewall,
    deployment,
  ]);
  expect(read).toEqual([
    ['local', false, false, 'all-at-once'],
    ['dev', false, false, 'all-at-once'],
    ['prod', true, true, 'canary'],
  ]);
});

test('the settings of stages can be overridden as JSON on the command line', () => {
  const given = JSON.stringify(stagesWith('dev', { resultsRetentionDays: 5 }));
  expect(readStages({ stage: 'dev', stages: given })[0]?.resultsRetentionDays).toBe(5);
});

test.each([
  ['no selected stage', { stages }, 'Name a stage with -c stage=<name>. The stages are local, dev, prod.'],
  [
    'a stage that does not exist',
    { stages, stage: 'test' },
    'There is no stage "test". The stages are local, dev, prod.',
  ],
  [
    'a stage name that could be confused with the start of another’s resource names',
    { stage: 'dev-ana', stages: { 'dev-ana': {} } },
    'lower-case letters and digits',
  ],
  ['a stage named “all”', { stage: 'all', stages: { all: {} } }, 'is not "all"'],
  [
    'a stage that sells plans and has no page to which their checkout could return',
    { stage: 'test', stages: { test: { stripe: {} } } },
    'test.stripe.returnUrl: a stage without a dashboard must have one',
  ],
  ['settings that are not an object', { stage: 'dev', stages: { dev: 1 } }, 'dev: must be an object of settings'],
  ['settings that are not JSON', { stage: 'dev', stages: '{' }, 'The context "stages" must be JSON'],
])('a configuration with %s is rejected', (_case, context, sentence) => {
  expect(messageOf(context)).toContain(sentence);
});

const emulated = { siteUrl: 'http://localhost:2', identityUrl: 'http://127.0.0.1:3' };

const engine = { url: 'https://engine.of-our-own.dev', secretName: 'any' };

test.each([
  ['deployment', { deployment: 'blue-green' }, '"canary"|"all-at-once"'],
  ['logRetentionDays', { logRetentionDays: 13 }, 'must be one of 1, 3, 5, 7, 14, 30'],
  ['contentCredentials.keys', { contentCredentials: { keys: ['first', 'first'] } }, 'a label may occur once'],
  ['contentCredentials.offBecause', { contentCredentials: { offBecause: 'no' } }, 'must be a reason of 10 characters'],
  ['resultsRetentionDays', { resultsRetentionDays: 0 }, '>=1'],
  ['publishedRetentionDays', { publishedRetentionDays: 0 }, '>=1'],
  ['firewall', { firewall: 'yes' }, 'expected boolean'],
  ['alarmEmail', { alarmEmail: 'unknown' }, 'must be an email address'],
  ['domain.name', { domain: { name: 'a b', certificateArn: 'arn:aws:acm:x' } }, 'must be a host name'],
  [
    'domain.certificateArn',
    { domain: { name: 'api.example.com', certificateArn: 'x' } },
    'must be the ARN of a certificate',
  ],
  [
    'resultsDomain.certificateArn',
    { resultsDomain: { name: 'results.example.com', certificateArn: 'arn:aws:acm:eu-west-1:1:certificate/1' } },
    'must be the ARN of a certificate of ACM in us-east-1',
  ],
  [
    'engines',
    { engines: { offline: engine, elsewhere: engine } },
    'has no setting elsewhere: the settings are offline',
  ],
  ['dashboard.signUp', { dashboard: { signUp: 'everybody' } }, '"open"|"invitation"|"closed"'],
  ['dashboard.loginPrefix', { dashboard: { loginPrefix: 'my-aws-pool' } }, 'must not contain aws, amazon or cognito'],
  ['dashboard.google.clientId', { dashboard: { google: { clientId: 'x' } } }, 'must be a client of Google'],
  [
    'dashboard.domain.certificateArn',
    { dashboard: { domain: { name: 'account.example.com', certificateArn: 'arn:aws:acm:eu-west-1:1:certificate/1' } } },
    'must be the ARN of a certificate of ACM in us-east-1',
  ],
  [
    'dashboard.emulated',
    { emulatorUrl: 'http://127.0.0.1:1', dashboard: {} },
    'emulators have no log-in pages of Cognito',
  ],
  ['dashboard.emulated', { dashboard: { emulated } }, 'only an emulated stage has it'],
  [
    'dashboard',
    {
      emulatorUrl: 'http://127.0.0.1:1',
      dashboard: { emulated, google: { clientId: '1.apps.googleusercontent.com' } },
    },
    'an emulated stage has no domain, and no Google',
  ],
  [
    'engines.bedrock.region',
    { engines: { bedrock: { region: 'eu-west-1' } } },
    'must be a region in the United States',
  ],
  [
    'engines.aws.smartCrop',
    { region: 'sa-east-1', engines: { aws: { smartCrop: true } } },
    'is not available in sa-east-1, only in us-east-1',
  ],
  ['mercadoPago.url', { mercadoPago: { url: 'http://127.0.0.1:4571' } }, 'only an emulated stage has one'],
  [
    'stripe.url',
    { stripe: { returnUrl: 'https://shop.example', url: 'http://127.0.0.1:4572' } },
    'only an emulated stage has one',
  ],
  ['stripe.returnUrl', { stripe: { returnUrl: 'shop.example' } }, 'must be an http or https address'],
  ['engines.aws', { emulatorUrl: 'http://127.0.0.1:1', engines: { aws: {} } }, 'emulators have no MediaConvert'],
  ['engines.fal', { engines: { fal: engine } }, 'has no setting url: the settings are secretName'],
  [
    'engines.offline.url',
    { engines: { offline: { ...engine, url: 'ftp://engine' } } },
    'must be an http or https address',
  ],
  ['engines.offline.url', { engines: { offline: { ...engine, url: 'http://engine' } } }, 'must be an https address'],
  [
    'engines.offline.secretName',
    { engines: { offline: { ...engine, secretName: 'a b' } } },
    'must be a name that Secrets Manager accepts',
  ],
  [
    'engines.offline.secretName',
    { engines: { offline: { ...engine, secretName: 'my-engine' } } },
    'must not end with a hyphen and six',
  ],
  ['webhookSigningKeys', { webhookSigningKeys: [] }, '>=1'],
  ['webhookSigningKeys.0', { webhookSigningKeys: ['A key'] }, 'lower-case letters, digits and hyphens'],
  ['webhookSigningKeys', { retiredWebhookSigningKeys: ['first'] }, 'a label may occur once'],
  ['account', { account: '1234' }, 'must be the twelve digits of an AWS account'],
  ['region', { region: 'Virginia' }, 'must be a region of AWS'],
  ['alarmUrl', { alarmUrl: 'http://pager' }, 'must be an https address'],
  ['account', { emulatorUrl: 'http://127.0.0.1:1', account: '123456789012' }, 'an emulated stage has none'],
  ['production', { emulatorUrl: 'http://127.0.0.1:1', production: true }, 'an emulated stage keeps nothing'],
])(
  'the invalid stage setting %s in %j is rejected with an error that states what the setting accepts',
  (path, replaced, sentence) => {
    const message = messageOf({ stage: 'dev', stages: stagesWith('dev', replaced) });
    expect(message).toContain(`  dev.${path}: `);
    expect(message).toContain(sentence);
  },
);

test('a stage name is rejected if the default log-in prefix would contain a word that Cognito reserves', () => {
  const problem = 'awsqa.dashboard.loginPrefix: is required, because the default contains the name of the stage';
  expect(messageOf({ stage: 'awsqa', stages: { awsqa: { dashboard: {} } } })).toContain(problem);
  const stages = { awsqa: { dashboard: { loginPrefix: 'our-accounts' } } };
  expect(readStages({ stage: 'awsqa', stages })).toHaveLength(1);
});

test('a stage’s engines keep their order, in which the first one is preferred', () => {
  const named = { fal: { secretName: 'any' }, bedrock: { region: 'us-west-2' }, offline: engine };
  for (const names of [Object.keys(named), Object.keys(named).toReversed()]) {
    const engines = Object.fromEntries(names.map((name) => [name, named[name as keyof typeof named]]));
    const [stage] = readStages({ stage: 'dev', stages: stagesWith('dev', { engines }) });
    expect(Object.keys(stage?.engines ?? {})).toEqual(names);
  }
});

test('an unknown stage setting is rejected with a list of the known ones', () => {
  const message = messageOf({ stage: 'dev', stages: stagesWith('dev', { zone: 'us-east-1' }) });
  expect(message).toMatch(
    /dev: has no setting zone: the settings are account, region, production, tableName, domain, /,
  );
});

test('all problems of a stage are reported together', () => {
  const message = messageOf({ stage: 'dev', stages: stagesWith('dev', { firewall: 1, deployment: 2 }) });
  expect(message).toContain('dev.firewall');
  expect(message).toContain('dev.deployment');
});
