/** Settings that must be completed before a stage is deployed, and how the CDK app reports them. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { notices, omissions } from '../../../../infra/aws/omissions.ts';
import { readStages, type Stage } from '../../../../infra/aws/stages.ts';
import { sampleStages as stages } from '../sample-stages.ts';
import { stagesWith } from '../synthesized.ts';

const engines = { offline: { url: 'https://engine.example.com' } };
const placeholder = 'prod.engines.offline.url: https://engine.example.com is a placeholder, and every task would fail.';
const reader = 'prod.alarmEmail: is required, or alarmUrl: otherwise alarms notify no one.';

const of = <Told>(list: (stage: Stage) => readonly Told[], replaced: object, stage: 'dev' | 'prod' = 'prod'): Told[] =>
  readStages({ stage, stages: stagesWith(stage, replaced) }).flatMap(list);

test('a stage needs no further settings, except the recipient of alarms in production', () => {
  expect(readStages({ stage: 'all', stages }).flatMap(omissions)).toEqual([reader]);
});

test('a placeholder for an engine’s address, or alarms without a recipient, prevent a deployment', () => {
  expect(of(omissions, { engines })).toEqual([placeholder, reader]);
  const real = { offline: { url: 'https://engine.of-our-own.dev' } };
  expect(of(omissions, { engines: real, alarmEmail: 'operators@of-our-own.dev' })).toEqual([]);
  expect(of(omissions, { engines: real, alarmUrl: 'https://pager.of-our-own.dev/key' })).toEqual([]);
});

test('a notice lists the task types without an engine in the stage', () => {
  const offline = { url: 'https://engine.of-our-own.dev' };
  const noticesFor = (given: object) => of(notices, { engines: given, alarmEmail: 'a@b.dev' }, 'dev');
  expect(noticesFor({ fal: {}, offline })).toEqual([]);
  expect(noticesFor({ bedrock: { region: 'us-west-2' } })[0]).toMatch(
    /^dev\.engines: bedrock cannot make .*voice.*: such requests are rejected with GENERATION_FAILED\.$/,
  );
  expect(noticesFor({})).toEqual([
    'dev.engines: there are none: only test tokens can generate, and requests of live tokens are rejected with GENERATION_FAILED.',
  ]);
});

test('a notice says that the alarms of a stage without a recipient notify no one', () => {
  expect(of(notices, {}, 'dev')).toContain('dev.alarmEmail: is not set, so alarms notify no one.');
});

test('a notice says that production without its own e-mail address can send few messages', () => {
  const notice = 'prod.dashboard.emailFrom: is not set, so Cognito sends at most 50 messages a day.';
  expect(of(notices, {})).toContain(notice);
  expect(of(notices, { dashboard: { emailFrom: 'accounts@of-our-own.dev' } })).not.toContain(notice);
  expect(of(notices, {}, 'dev').join()).not.toContain('emailFrom');
});

/** The CDK app's output when it exits with 1, before anything is bundled. */
async function failureOf(context: object): Promise<string> {
  const outdir = mkdtempSync(join(tmpdir(), 'cdk-'));
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;
  const env = { PATH, NODE_COMPILE_CACHE, CDK_OUTDIR: outdir, CDK_CONTEXT_JSON: JSON.stringify(context) };
  const child = spawn(process.execPath, ['infra/aws/main.ts'], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  rmSync(outdir, { recursive: true, force: true });
  expect(code).toBe(1);
  return stderr;
}

test('an incomplete stage is not synthesized, and notices say what is missing', async () => {
  const failure = await failureOf({ stage: 'prod', stages: stagesWith('prod', { engines }) });
  expect(failure).toContain(placeholder);
  expect(failure).toContain(reader);
});

test('without the name of a stage, no stage is synthesized', async () => {
  expect(await failureOf({ stages })).toContain('Name a stage with -c stage=<name>. The stages are local, dev, prod.');
});
