/** How stages are described: what is wrong is refused, and told with what would be right. */
import { expect, test } from 'vitest';
import cdkJson from '../../../cdk.json' with { type: 'json' };
import { readStages } from '../../../infra/aws/stages.ts';
import { stagesWith } from './synthesized.ts';

const { stages } = cdkJson.context;

const refusalOf = (context: Parameters<typeof readStages>[0]): string => {
  try {
    readStages(context);
  } catch (error) {
    return (error as Error).message;
  }
  return 'accepted';
};

test('all stages are read unless one is asked for', () => {
  expect(readStages({ stages }).map(({ name }) => name)).toEqual(['local', 'dev', 'prod']);
  expect(readStages({ stages, stage: 'dev' }).map(({ name }) => name)).toEqual(['dev']);
});

test('production alone guards its data, pays for a firewall and tries new code on a few calls first', () => {
  const told = readStages({ stages }).map(({ name, isProduction, firewall, deployment }) => [
    name,
    isProduction,
    firewall,
    deployment,
  ]);
  expect(told).toEqual([
    ['local', false, false, 'all-at-once'],
    ['dev', false, false, 'all-at-once'],
    ['prod', true, true, 'canary'],
  ]);
});

test('settings on the command line, which are text, replace those of the file', () => {
  const given = JSON.stringify(stagesWith('dev', { resultsRetentionDays: 5 }));
  expect(readStages({ stage: 'dev', stages: given })[0]?.resultsRetentionDays).toBe(5);
});

test.each([
  [
    'a stage that is not there is named',
    { stages, stage: 'test' },
    'There is no stage "test": the stages are local, dev, prod.',
  ],
  [
    'a stray stage in the file is named',
    { stages: { ...stages, beta: {} } },
    'There is no stage "beta": the stages are local, dev, prod.',
  ],
  ['a stage without settings is named', { stage: 'dev', stages: {} }, 'dev: must be an object of settings'],
  ['settings that are no JSON are told so', { stages: '{' }, 'The context "stages" must be JSON'],
])('%s', (_case, context, sentence) => {
  expect(refusalOf(context)).toContain(sentence);
});

const engine = stages.dev.engines.offline;

test.each([
  ['deployment', { deployment: 'blue-green' }, '"canary"|"all-at-once"'],
  ['logRetentionDays', { logRetentionDays: 13 }, 'must be one of 1, 3, 5, 7, 14, 30'],
  ['resultsRetentionDays', { resultsRetentionDays: 0 }, '>=1'],
  ['firewall', { firewall: 'yes' }, 'expected boolean'],
  ['alarmEmail', { alarmEmail: 'nobody' }, 'must be an email address'],
  ['domain.name', { domain: { name: 'a b', certificateArn: 'arn:aws:acm:x' } }, 'must be a host name'],
  [
    'domain.certificateArn',
    { domain: { name: 'api.example.com', certificateArn: 'x' } },
    'must be the ARN of a certificate',
  ],
  ['engines', { engines: { offline: engine, elsewhere: engine } }, 'has no setting elsewhere: there are offline'],
  ['engines', { engines: {} }, 'somebody must make what is asked for'],
  [
    'engines.bedrock.region',
    { engines: { bedrock: { region: 'eu-west-1' } } },
    'must be a region in the United States',
  ],
  ['engines.fal', { engines: { fal: engine } }, 'has no setting url: there are secretName'],
  [
    'engines.offline.url',
    { engines: { offline: { ...engine, url: 'ftp://engine' } } },
    'must be an http or https address',
  ],
  ['engines.offline.url', { engines: { offline: { ...engine, url: 'http://engine' } } }, 'must be an https address'],
  [
    'engines.offline.secretName',
    { engines: { offline: { ...engine, secretName: 'a b' } } },
    'must be a name of Secrets Manager',
  ],
  [
    'engines.offline.secretName',
    { engines: { offline: { ...engine, secretName: 'my-engine' } } },
    'must not end with a hyphen and six',
  ],
  ['webhookSigningKeys', { webhookSigningKeys: [] }, '>=1'],
  ['webhookSigningKeys.0', { webhookSigningKeys: ['A key'] }, 'small letters, digits and hyphens'],
  ['webhookSigningKeys', { retiredWebhookSigningKeys: ['first'] }, 'a label must be there once'],
  ['emulatorUrl', { emulatorUrl: 'http://127.0.0.1:4566' }, 'is for the stage local alone'],
])('a wrong %s is refused with what it accepts: %j', (path, replaced, sentence) => {
  const refusal = refusalOf({ stage: 'dev', stages: stagesWith('dev', replaced) });
  expect(refusal).toContain(`  dev.${path}: `);
  expect(refusal).toContain(sentence);
});

test('engines keep the order in which they are named: the first is the first choice', () => {
  const named = { fal: { secretName: 'any' }, bedrock: { region: 'us-west-2' }, offline: engine };
  for (const names of [Object.keys(named), Object.keys(named).toReversed()]) {
    const engines = Object.fromEntries(names.map((name) => [name, named[name as keyof typeof named]]));
    const [stage] = readStages({ stage: 'dev', stages: stagesWith('dev', { engines }) });
    expect(Object.keys(stage?.engines ?? {})).toEqual(names);
  }
});

test('a setting that does not exist is refused with those that do', () => {
  const refusal = refusalOf({ stage: 'dev', stages: stagesWith('dev', { region: 'us-east-1' }) });
  expect(refusal).toMatch(/dev: has no setting region: there are domain, firewall, engines, /);
});

test('every problem is told at once', () => {
  const refusal = refusalOf({ stage: 'dev', stages: stagesWith('dev', { firewall: 1, deployment: 2 }) });
  expect(refusal).toContain('dev.firewall');
  expect(refusal).toContain('dev.deployment');
});
