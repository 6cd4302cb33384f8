import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { helpAsked, serviceOptions } from '../../../infra/local/options.ts';

test.for([
  [{ PORT: 'http' }, /^PORT must be a number from 0 to 65535/],
  [{ URL_POLICY: 'none' }, /^URL_POLICY must be one of local, public/],
  [{ LIKENESS_CONSENT: 'yes' }, /^LIKENESS_CONSENT must be one of ignored, required/],
  [{ OFFLINE_ENGINE_FAILURE: 'explode' }, /OFFLINE_ENGINE_FAILURE/],
  [{ OFFLINE_ENGINE_LATENCY_MS: '-1' }, /OFFLINE_ENGINE_LATENCY_MS/],
  [{ OFFLINE_ENGINE_COMPLETION: 'never' }, /^OFFLINE_ENGINE_COMPLETION must be one of callback, polling/],
] as const)('`npm start` names the invalid setting in %j', ([environment, message]) => {
  expect(() => serviceOptions([], environment)).toThrow(message);
});

test('`npm start` rejects an unknown option and names it', () => {
  expect(() => serviceOptions(['--memroy'], {})).toThrow('--memroy');
});

test('`npm start --help` lists exactly the options and the variables of docs/local-service.md', () => {
  const [, table = ''] =
    /\| Variable \| Values \| Effect \|\n(.*?)\n\n/s.exec(readFileSync('docs/local-service.md', 'utf8')) ?? [];
  const variables = [...table.matchAll(/^\| `([^`]+)`/gm)].map(([, name = '']) => name);
  expect(variables).toContain('PORT');
  const help = helpAsked(['--help']) ?? '';
  expect([...help.matchAll(/^ {2}([A-Z_]+) /gm)].map(([, name]) => name)).toEqual(variables);
  expect([...help.matchAll(/^ {2}(--[a-z]+)/gm)].map(([, name]) => name)).toEqual([
    '--memory',
    '--engine',
    '--timing',
    '--help',
  ]);
  expect(helpAsked(['--memory', '-h'])).toBe(help);
  expect(helpAsked(['--memory'])).toBeUndefined();
});

test('`npm start -- --help` prints the help and starts nothing', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['infra/local/main.ts', '--help'], {
    encoding: 'utf8',
    env: { ...process.env, PORT: 'http' },
  });
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: helpAsked(['--help']), stderr: '' });
});

test('`npm start --memory` and `--timing` also work without `--` before them, which npm takes as options of its own', () => {
  expect(serviceOptions([], { npm_config_memory: 'true' })).toMatchObject({ inMemory: true, timed: false });
  expect(serviceOptions([], { npm_config_timing: 'true' })).toMatchObject({ inMemory: false, timed: true });
  expect(serviceOptions(['--timing'], {})).toMatchObject({ inMemory: false, timed: true });
});

test('docs/local-service.md lists exactly the engines that --engine accepts', () => {
  const [, table = ''] =
    /\| `--engine` \| Effect \|\n(.*?)\n\n/s.exec(readFileSync('docs/local-service.md', 'utf8')) ?? [];
  const listed = [...table.matchAll(/^\| `([^`]+)`/gm)].map(([, name = '']) => name);
  expect(listed.length).toBeGreaterThan(1);
  for (const name of listed) expect(() => serviceOptions(['--engine', name], {})).not.toThrow();
  expect(() => serviceOptions(['--engine', 'none'], {})).toThrow(`--engine must be one of ${listed.join(', ')},`);
});
