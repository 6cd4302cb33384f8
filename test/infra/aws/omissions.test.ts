/** What has to be filled in before a stage is deployed, and what the CDK’s program does about it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import cdkJson from '../../../cdk.json' with { type: 'json' };
import { omissions, unmadeTypes } from '../../../infra/aws/omissions.ts';
import { readStages } from '../../../infra/aws/stages.ts';
import { stagesWith } from './synthesized.ts';

const { stages } = cdkJson.context;

const engine = (name: string) => `${name}.engines.offline.url: https://engine.example.com is nobody, and every`;

describe('what a stage lacks', () => {
  test('is told of those in the file: engines at addresses of nobody, and alarms of production without a reader', () => {
    expect(readStages({ stages }).flatMap(omissions)).toEqual([
      expect.stringContaining(engine('dev')),
      expect.stringContaining(engine('prod')),
      expect.stringContaining('prod.alarmEmail: is missing, and nobody would be told'),
    ]);
  });

  test('is told no more once it is there', () => {
    const engines = { offline: { url: 'https://engine.of-our-own.dev', secretName: 'any' } };
    const filled = stagesWith('prod', { engines, alarmEmail: 'operators@of-our-own.dev' });
    expect(readStages({ stage: 'prod', stages: filled }).flatMap(omissions)).toEqual([]);
  });
});

test('what none of a stage’s engines makes is told, by task types', () => {
  const told = (engines: object) =>
    readStages({ stage: 'dev', stages: stagesWith('dev', { engines }) }).flatMap(unmadeTypes);
  expect(told({ fal: { secretName: 'any' }, offline: stages.dev.engines.offline })).toEqual([]);
  expect(told({ fal: { secretName: 'any' } })).toEqual([
    'dev.engines: fal can not make voice: such requests are refused with PROVIDER_UNAVAILABLE.',
  ]);
  expect(told({ bedrock: { region: 'us-west-2' }, fal: { secretName: 'any' } })[0]).toContain('bedrock and fal can');
});

/** What the CDK's program says of the stage prod when it ends with 1, before anything is bundled. */
async function refusalOfProd(given: object): Promise<string> {
  const outdir = mkdtempSync(join(tmpdir(), 'cdk-'));
  const context = { ...cdkJson.context, stages: given, stage: 'prod' };
  const env = { PATH: process.env.PATH ?? '', CDK_OUTDIR: outdir, CDK_CONTEXT_JSON: JSON.stringify(context) };
  const child = spawn(process.execPath, ['infra/aws/main.ts'], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  rmSync(outdir, { recursive: true, force: true });
  expect(code).toBe(1);
  return stderr;
}

test('a stage that is asked for by its name is not synthesized without it', async () => {
  const refusal = await refusalOfProd(stages);
  expect(refusal).toContain(engine('prod'));
  expect(refusal).toContain('prod.alarmEmail');
  expect(refusal).not.toContain('can not make');
}, 60_000);

test('a stage that is asked for by its name is told of what its engines do not make, beside what it lacks', async () => {
  const refusal = await refusalOfProd(stagesWith('prod', { engines: { fal: { secretName: 'any' } } }));
  expect(refusal).toContain('To be known: prod.engines: fal can not make voice');
  expect(refusal).toContain('prod.alarmEmail');
}, 60_000);
